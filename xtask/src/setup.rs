//! Installs the tools that the tests need and that this machine does not have, or prints how to install them.
//!
//! Checking takes milliseconds and no network, so every test run begins with it.

mod node;
mod npm;
mod plan;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use self::plan::{PackageInstaller, Permissions, Plan, plan};
use crate::chip;
use crate::firmware::boards;
use crate::process::{capture, is_on_path, program, run as run_command};

/// A tool that the tests need.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tool {
    name: String,
    source: Source,
    purpose: &'static str,
}

/// Where a tool is installed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// A target of the Rust toolchain.
    RustTarget,
    /// A component of the Rust toolchain, with a program of it.
    RustComponent { program: &'static str },
    /// A Debian package, with a program of it.
    DebianPackage { program: &'static str },
    /// A crate with a program of the same name.
    Crate { version: &'static str },
}

/// It is not in the search path of every user.
const STOCKFISH: Source = Source::DebianPackage { program: "/usr/games/stockfish" };

const TOOLS: [(&str, Source, &str); 12] = [
    ("clippy", Source::RustComponent { program: "cargo-clippy" }, "lints"),
    ("rustfmt", Source::RustComponent { program: "rustfmt" }, "formatting"),
    ("qemu-system-arm", Source::DebianPackage { program: "qemu-system-arm" }, "running the firmware without a board"),
    ("redis-server", Source::DebianPackage { program: "redis-server" }, "testing several relays on one store"),
    ("nginx-light", Source::DebianPackage { program: "nginx" }, "testing a relay behind a proxy"),
    ("chromium", Source::DebianPackage { program: "chromium" }, "browser tests that need windows"),
    // Without windows, Chromium takes a fraction of the processor time.
    ("chromium-headless-shell", Source::DebianPackage { program: "chromium-headless-shell" }, "browser tests"),
    ("nodejs", Source::DebianPackage { program: "node" }, "driving the browser"),
    ("npm", Source::DebianPackage { program: "npm" }, "installing the JavaScript modules of the browser tests"),
    ("python3-venv", Source::DebianPackage { program: "python3" }, "the chip model of the real boards"),
    ("stockfish", STOCKFISH, "testing the relay with another engine"),
    ("defmt-print", Source::Crate { version: "1.2.0" }, "decoding the log of a board"),
];

/// All tools: a Rust target for each board of the table, and [`TOOLS`].
fn tools() -> Result<Vec<Tool>> {
    let targets: BTreeSet<String> = boards()?.into_iter().map(|board| board.target).collect();
    let targets =
        targets.into_iter().map(|name| Tool { name, source: Source::RustTarget, purpose: "building the firmware" });
    let others = TOOLS.map(|(name, source, purpose)| Tool { name: name.to_owned(), source, purpose });
    Ok(targets.chain(others).collect())
}

pub(crate) fn run() -> Result<()> {
    install_tools()?;
    node::check()?;
    npm::install_modules()?;
    chip::install_unicorn()
}

/// Installs Stockfish, the peer of the engine's benchmark.
pub(crate) fn install_stockfish() -> Result<()> {
    install(&[Tool { name: "stockfish".to_owned(), source: STOCKFISH, purpose: "matches against another engine" }])
}

fn install_tools() -> Result<()> {
    install(&tools()?)
}

fn install(tools: &[Tool]) -> Result<()> {
    let missing = missing(tools)?;
    for tool in &missing {
        eprintln!("setup: {} is not installed; needed for {}", tool.name, tool.purpose);
    }
    match plan(&missing, permissions(&missing)) {
        Plan::Nothing => {
            eprintln!("setup: all tools are installed");
            Ok(())
        }
        Plan::Install(commands) => {
            for command in &commands {
                eprintln!("setup: {}", command.join(" "));
                // Without stdin, a program that asks a question fails instead of waiting for ever.
                run_command(program(&command[0]).args(&command[1..]).stdin(Stdio::null()))?;
            }
            let still: Vec<String> = self::missing(tools)?.into_iter().map(|tool| tool.name).collect();
            if still.is_empty() { Ok(()) } else { bail!("still not installed after set-up: {}", still.join(", ")) }
        }
        Plan::Ask(commands) => {
            eprintln!("setup: this account cannot install all of that; run these commands, or their equivalent here:");
            for command in &commands {
                eprintln!("    {}", command.join(" "));
            }
            let names: Vec<&str> = missing.iter().map(|tool| tool.name.as_str()).collect();
            bail!("set-up is incomplete, not installed: {}", names.join(", "))
        }
    }
}

fn missing(tools: &[Tool]) -> Result<Vec<Tool>> {
    let sysroot = capture(program("rustc").args(["--print", "sysroot"])).context("cannot find the Rust toolchain")?;
    let sysroot = PathBuf::from(sysroot.trim_end());
    let is_installed = |tool: &Tool| match tool.source {
        Source::RustTarget => sysroot.join("lib/rustlib").join(&tool.name).join("lib").is_dir(),
        Source::RustComponent { program } => sysroot.join("bin").join(program).is_file(),
        Source::DebianPackage { program } => is_on_path(program),
        Source::Crate { .. } => is_on_path(&tool.name),
    };
    Ok(tools.iter().filter(|tool| !is_installed(tool)).cloned().collect())
}

fn permissions(missing: &[Tool]) -> Permissions {
    let needs_packages = missing.iter().any(|tool| matches!(tool.source, Source::DebianPackage { .. }));
    let packages = if !needs_packages || !is_on_path("apt-get") {
        PackageInstaller::None
    } else if capture(program("id").arg("-u")).is_ok_and(|id| id.trim() == "0") {
        PackageInstaller::Root
    } else if sudo_needs_no_password() {
        PackageInstaller::Sudo
    } else {
        PackageInstaller::None
    };
    Permissions { rustup: is_on_path("rustup"), packages }
}

fn sudo_needs_no_password() -> bool {
    let mut sudo = program("sudo");
    sudo.args(["--non-interactive", "true"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    sudo.status().is_ok_and(|status| status.success())
}
