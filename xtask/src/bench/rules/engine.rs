//! The engines, and the build of a binary with one of them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process;

/// An engine is a feature of the package `rules-bench`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Engine {
    pub(crate) name: &'static str,
    feature: Option<&'static str>,
}

pub(crate) const NONE: Engine = Engine { name: "none", feature: None };
pub(crate) const TABIYA: Engine = Engine { name: "tabiya", feature: Some("tabiya") };
pub(crate) const COZY: Engine = Engine { name: "cozy-chess", feature: Some("cozy") };
pub(crate) const SHAKMATY: Engine = Engine { name: "shakmaty", feature: Some("shakmaty") };
pub(crate) const SHAKMATY_MAGICS: Engine = Engine { name: "shakmaty+magics", feature: Some("shakmaty-magics") };

/// The engines that are compared.
pub(crate) const ENGINES: [Engine; 4] = [TABIYA, COZY, SHAKMATY, SHAKMATY_MAGICS];

impl Engine {
    /// Builds a binary of `rules-bench` with this engine, and copies it to a name of its own.
    pub(crate) fn build(self, bin: &str, target: Option<&str>) -> Result<PathBuf> {
        eprintln!("building {bin} with {}", self.name);
        let target_dir = process::target_dir();
        let mut build = process::cargo(&["build", "--quiet", "--locked", "--package", "rules-bench", "--bin", bin]);
        build.args(["--profile", "fat", "--target-dir"]).arg(&target_dir);
        if let Some(feature) = self.feature {
            build.args(["--features", feature]);
        }
        if let Some(target) = target {
            build.args(["--target", target]);
        }
        process::run(&mut build)?;

        let binary = target_dir.join(target.unwrap_or_default()).join("fat").join(bin);
        let kept = target_dir.join("rules-bench");
        fs::create_dir_all(&kept).with_context(|| format!("cannot make {}", kept.display()))?;
        let kept = kept.join(format!("{bin}-{}", self.name));
        fs::copy(&binary, &kept).with_context(|| format!("cannot copy {}", binary.display()))?;
        Ok(kept)
    }
}
