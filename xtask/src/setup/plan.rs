//! Plans the installation of missing tools. A pure function, so that it is tested without installing anything.

use super::{Source, Tool};

/// What this account may install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Permissions {
    pub(super) rustup: bool,
    pub(super) packages: PackageInstaller,
}

/// How Debian packages can be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackageInstaller {
    Root,
    Sudo,
    /// Not at all: sudo wants a password, or the system has no apt.
    None,
}

/// The words of a command, which is run as it is printed.
pub(super) type Command = Vec<String>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    Nothing,
    Install(Vec<Command>),
    /// Ask the user to run these, because at least one is not permitted to this program.
    Ask(Vec<Command>),
}

/// Plans the commands. If one of them is not permitted, none is run, so that the user gets one complete list.
pub(super) fn plan(missing: &[Tool], permissions: Permissions) -> Plan {
    if missing.is_empty() {
        return Plan::Nothing;
    }
    let names = |wanted: fn(&Source) -> bool| -> Vec<&str> {
        missing.iter().filter(|tool| wanted(&tool.source)).map(|tool| tool.name.as_str()).collect()
    };
    let targets = names(|source| matches!(source, Source::RustTarget));
    let components = names(|source| matches!(source, Source::RustComponent { .. }));
    let packages = names(|source| matches!(source, Source::DebianPackage { .. }));

    let mut commands: Vec<Command> = Vec::new();
    let mut add = |words: &[&[&str]]| commands.push(words.concat().into_iter().map(str::to_owned).collect());
    if !targets.is_empty() {
        add(&[&["rustup", "target", "add"], &targets]);
    }
    if !components.is_empty() {
        add(&[&["rustup", "component", "add"], &components]);
    }
    if !packages.is_empty() {
        let sudo: &[&str] = if permissions.packages == PackageInstaller::Root { &[] } else { &["sudo"] };
        add(&[sudo, &["apt-get", "update"]]);
        add(&[sudo, &["apt-get", "install", "--yes", "--no-install-recommends"], &packages]);
    }
    for tool in missing {
        if let Source::Crate { version } = tool.source {
            // A debug build takes a third of the time, and is fast enough for a log.
            let install = ["cargo", "install", "--debug", "--config", "profile.dev.debug=false", "--locked"];
            add(&[&install, &["--version", version, &tool.name]]);
        }
    }

    let may_use_rustup = permissions.rustup || (targets.is_empty() && components.is_empty());
    let may_use_apt = permissions.packages != PackageInstaller::None || packages.is_empty();
    if may_use_rustup && may_use_apt { Plan::Install(commands) } else { Plan::Ask(commands) }
}

#[cfg(test)]
mod tests {
    use super::super::tools;
    use super::*;

    const ALL: Permissions = Permissions { rustup: true, packages: PackageInstaller::Root };
    const NO_PACKAGES: Permissions = Permissions { rustup: true, packages: PackageInstaller::None };

    fn tool(name: &str) -> Tool {
        let tools = tools().expect("the table of boards is valid");
        tools.into_iter().find(|tool| tool.name == name).expect("the test names a tool")
    }

    fn lines(commands: &[Command]) -> Vec<String> {
        commands.iter().map(|command| command.join(" ")).collect()
    }

    #[test]
    fn installs_nothing_if_nothing_is_missing() {
        assert_eq!(plan(&[], ALL), Plan::Nothing);
        assert_eq!(plan(&[], Permissions { rustup: false, ..NO_PACKAGES }), Plan::Nothing);
    }

    #[test]
    fn root_installs_everything_on_a_bare_machine() {
        let Plan::Install(commands) = plan(&tools().expect("tools"), ALL) else { panic!("root may install") };
        assert_eq!(
            lines(&commands),
            [
                "rustup target add thumbv7em-none-eabihf",
                "rustup component add clippy rustfmt",
                "apt-get update",
                "apt-get install --yes --no-install-recommends \
                 qemu-system-arm redis-server nginx-light chromium chromium-headless-shell nodejs npm python3-venv stockfish",
                "cargo install --debug --config profile.dev.debug=false --locked --version 1.2.0 defmt-print",
            ]
        );
    }

    #[test]
    fn installs_only_what_is_missing() {
        let permissions = Permissions { packages: PackageInstaller::Sudo, ..ALL };
        let Plan::Install(commands) = plan(&[tool("redis-server")], permissions) else { panic!("sudo may install") };
        assert_eq!(
            lines(&commands),
            ["sudo apt-get update", "sudo apt-get install --yes --no-install-recommends redis-server"]
        );
    }

    #[test]
    fn without_permission_for_packages_the_user_gets_the_complete_list() {
        let missing = [tool("thumbv7em-none-eabihf"), tool("chromium")];
        let Plan::Ask(commands) = plan(&missing, NO_PACKAGES) else { panic!("nothing may be installed") };
        assert_eq!(
            lines(&commands),
            [
                "rustup target add thumbv7em-none-eabihf",
                "sudo apt-get update",
                "sudo apt-get install --yes --no-install-recommends chromium",
            ]
        );
    }

    #[test]
    fn tools_of_the_user_are_installed_without_permission_for_packages() {
        let missing = [tool("thumbv7em-none-eabihf"), tool("defmt-print")];
        assert!(matches!(plan(&missing, NO_PACKAGES), Plan::Install(_)));
    }

    #[test]
    fn without_rustup_the_user_is_asked() {
        let missing = [tool("thumbv7em-none-eabihf")];
        assert!(matches!(plan(&missing, Permissions { rustup: false, ..ALL }), Plan::Ask(_)));
    }
}
