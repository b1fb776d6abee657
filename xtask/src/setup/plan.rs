//! Decides what to do about what is missing: a function of what is known, so that it can be tested.

use super::{Need, Source};

/// What this machine lets us do about what is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Means {
    pub(super) rustup: bool,
    pub(super) packages: Packages,
}

/// Whether packages of the system can be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packages {
    AsRoot,
    WithSudo,
    /// Only by a person, who has to give a password or to find them for another system than Debian.
    NotByUs,
}

/// A command line. It is run as it is shown.
pub(super) type Line = Vec<&'static str>;

/// What to do about what is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    Nothing,
    /// Run these.
    Install(Vec<Line>),
    /// Ask a person to run these, since at least one is not for us to run.
    Ask(Vec<Line>),
}

/// Decides. Where one thing is not for us to install, none is: a person who has to act anyway gets one whole list.
pub(super) fn plan(missing: &[Need], means: Means) -> Plan {
    if missing.is_empty() {
        return Plan::Nothing;
    }
    let named = |wanted: fn(&Source) -> bool| -> Line {
        missing.iter().filter(|need| wanted(&need.source)).map(|need| need.name).collect()
    };
    let targets = named(|source| matches!(source, Source::Target));
    let components = named(|source| matches!(source, Source::Component { .. }));
    let packages = named(|source| matches!(source, Source::Package { .. }));

    let mut lines = Vec::new();
    let mut add = |command: &[&'static str], names: &[&'static str]| lines.push([command, names].concat());
    if !targets.is_empty() {
        add(&["rustup", "target", "add"], &targets);
    }
    if !components.is_empty() {
        add(&["rustup", "component", "add"], &components);
    }
    if !packages.is_empty() {
        let sudo: &[&str] = if means.packages == Packages::AsRoot { &[] } else { &["sudo"] };
        add(sudo, &["apt-get", "update"]);
        add(&[sudo, &["apt-get", "install", "--yes", "--no-install-recommends"]].concat(), &packages);
    }
    for need in missing {
        if let Source::Crate { version } = need.source {
            // It has little to do, and is built in a third of the time if it need not be quick.
            let hastily = ["cargo", "install", "--debug", "--config", "profile.dev.debug=false"];
            add(&[&hastily[..], &["--locked", "--version", version]].concat(), &[need.name]);
        }
    }

    let rust_is_ours = means.rustup || (targets.is_empty() && components.is_empty());
    let packages_are_ours = means.packages != Packages::NotByUs || packages.is_empty();
    if rust_is_ours && packages_are_ours { Plan::Install(lines) } else { Plan::Ask(lines) }
}

#[cfg(test)]
mod tests {
    use super::super::NEEDS;
    use super::*;

    const ALL: Means = Means { rustup: true, packages: Packages::AsRoot };

    fn need(name: &str) -> Need {
        *NEEDS.iter().find(|need| need.name == name).expect("the test names something that is needed")
    }

    fn shown(lines: &[Line]) -> Vec<String> {
        lines.iter().map(|line| line.join(" ")).collect()
    }

    #[test]
    fn where_all_is_there_nothing_is_done_whatever_the_means() {
        assert_eq!(plan(&[], ALL), Plan::Nothing);
        assert_eq!(plan(&[], Means { rustup: false, packages: Packages::NotByUs }), Plan::Nothing);
    }

    #[test]
    fn root_installs_everything_on_a_bare_machine() {
        let Plan::Install(lines) = plan(&NEEDS, ALL) else { panic!("root may install") };
        assert_eq!(
            shown(&lines),
            [
                "rustup target add thumbv7em-none-eabihf",
                "rustup component add clippy rustfmt",
                "apt-get update",
                "apt-get install --yes --no-install-recommends \
                 qemu-system-arm redis-server chromium chromium-headless-shell nodejs npm tmux",
                "cargo install --debug --config profile.dev.debug=false --locked --version 1.2.0 defmt-print",
            ]
        );
    }

    #[test]
    fn only_what_is_missing_is_installed() {
        let Plan::Install(lines) = plan(&[need("redis-server")], Means { packages: Packages::WithSudo, ..ALL }) else {
            panic!("sudo may install")
        };
        assert_eq!(
            shown(&lines),
            ["sudo apt-get update", "sudo apt-get install --yes --no-install-recommends redis-server"]
        );
    }

    #[test]
    fn where_packages_are_not_ours_to_install_a_person_gets_the_whole_list() {
        let missing = [need("thumbv7em-none-eabihf"), need("chromium")];
        let Plan::Ask(lines) = plan(&missing, Means { packages: Packages::NotByUs, ..ALL }) else {
            panic!("nothing may be installed")
        };
        assert_eq!(
            shown(&lines),
            [
                "rustup target add thumbv7em-none-eabihf",
                "sudo apt-get update",
                "sudo apt-get install --yes --no-install-recommends chromium",
            ]
        );
    }

    #[test]
    fn what_needs_no_rights_is_installed_without_them() {
        let missing = [need("thumbv7em-none-eabihf"), need("defmt-print")];
        assert!(matches!(plan(&missing, Means { packages: Packages::NotByUs, ..ALL }), Plan::Install(_)));
    }

    #[test]
    fn without_rustup_the_toolchain_is_for_a_person_to_complete() {
        let missing = [need("thumbv7em-none-eabihf")];
        assert!(matches!(plan(&missing, Means { rustup: false, ..ALL }), Plan::Ask(_)));
    }
}
