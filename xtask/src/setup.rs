//! Brings what the tests need and this machine lacks, or says how to.
//!
//! Looking is quick and needs no network, so it is done before every test run.

mod modules;
mod node;
mod plan;

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use self::plan::{Means, Packages, Plan, plan};
use crate::firmware::TARGET;
use crate::process::{capture, is_on_path, program, run as run_command};

/// Something that must be on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Need {
    name: &'static str,
    source: Source,
    why: &'static str,
}

/// Where a need comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// A target of the Rust toolchain.
    Target,
    /// A component of the Rust toolchain, and a program that it brings.
    Component { program: &'static str },
    /// A Debian package, and a program that it brings.
    Package { program: &'static str },
    /// A program, in the crate of the same name.
    Crate { version: &'static str },
}

const NEEDS: [Need; 11] = [
    Need::new(TARGET, Source::Target, "to build the firmware"),
    Need::new("clippy", Source::Component { program: "cargo-clippy" }, "to lint"),
    Need::new("rustfmt", Source::Component { program: "rustfmt" }, "to check the formatting"),
    Need::new("qemu-system-arm", Source::Package { program: "qemu-system-arm" }, "to run the firmware without a board"),
    Need::new("redis-server", Source::Package { program: "redis-server" }, "to run several relays on one store"),
    Need::new("chromium", Source::Package { program: "chromium" }, "to play in a browser"),
    Need::new("chromium-headless-shell", HEADLESS_CHROMIUM, "to play there as often as the tests do"),
    Need::new("nodejs", Source::Package { program: "node" }, "to drive that browser"),
    Need::new("npm", Source::Package { program: "npm" }, "to fetch what drives it"),
    Need::new("tmux", Source::Package { program: "tmux" }, "to play in a terminal"),
    Need::new("defmt-print", Source::Crate { version: "1.2.0" }, "to read the log of a board"),
];

/// The same without windows, for which a busy machine is grateful.
const HEADLESS_CHROMIUM: Source = Source::Package { program: "chromium-headless-shell" };

impl Need {
    const fn new(name: &'static str, source: Source, why: &'static str) -> Self {
        Self { name, source, why }
    }
}

pub(crate) fn run() -> Result<()> {
    programs()?;
    node::check()?;
    modules::run()
}

fn programs() -> Result<()> {
    let missing = missing()?;
    for need in &missing {
        eprintln!("setup: {} is missing; it is needed {}", need.name, need.why);
    }
    match plan(&missing, means(&missing)) {
        Plan::Nothing => {
            eprintln!("setup: all programs are here");
            Ok(())
        }
        Plan::Install(lines) => {
            for line in &lines {
                eprintln!("setup: {}", line.join(" "));
                // Nobody is asked anything, so nothing can wait for an answer.
                run_command(program(line[0]).args(&line[1..]).stdin(Stdio::null()))?;
            }
            let still: Vec<&str> = self::missing()?.iter().map(|need| need.name).collect();
            if still.is_empty() { Ok(()) } else { bail!("still missing after set-up: {}", still.join(", ")) }
        }
        Plan::Ask(lines) => {
            eprintln!(
                "setup: not all of that can be installed from here; please run these, or their like on your system:"
            );
            for line in &lines {
                eprintln!("    {}", line.join(" "));
            }
            let names: Vec<&str> = missing.iter().map(|need| need.name).collect();
            bail!("set-up is not complete, missing: {}", names.join(", "))
        }
    }
}

fn missing() -> Result<Vec<Need>> {
    let sysroot = capture(program("rustc").args(["--print", "sysroot"])).context("cannot find the Rust toolchain")?;
    let sysroot = PathBuf::from(sysroot.trim_end());
    let is_there = |need: &Need| match need.source {
        Source::Target => sysroot.join("lib/rustlib").join(need.name).join("lib").is_dir(),
        Source::Component { program } => sysroot.join("bin").join(program).is_file(),
        Source::Package { program } => is_on_path(program),
        Source::Crate { .. } => is_on_path(need.name),
    };
    Ok(NEEDS.into_iter().filter(|need| !is_there(need)).collect())
}

fn means(missing: &[Need]) -> Means {
    let wants_packages = missing.iter().any(|need| matches!(need.source, Source::Package { .. }));
    let packages = if !wants_packages || !is_on_path("apt-get") {
        Packages::NotByUs
    } else if capture(program("id").arg("-u")).is_ok_and(|id| id.trim() == "0") {
        Packages::AsRoot
    } else if sudo_asks_nothing() {
        Packages::WithSudo
    } else {
        Packages::NotByUs
    };
    Means { rustup: is_on_path("rustup"), packages }
}

fn sudo_asks_nothing() -> bool {
    let mut sudo = program("sudo");
    sudo.args(["--non-interactive", "true"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    sudo.status().is_ok_and(|status| status.success())
}
