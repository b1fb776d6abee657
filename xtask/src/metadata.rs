//! Reads `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::process;

/// The packages of the workspace and everything that they depend on, with all features and for all targets.
#[derive(Deserialize)]
pub(crate) struct Metadata {
    packages: Vec<Package>,
    workspace_members: BTreeSet<String>,
    workspace_root: PathBuf,
    resolve: Resolve,
}

#[derive(Deserialize)]
pub(crate) struct Package {
    id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    /// Where it comes from; none for a package of the workspace.
    source: Option<String>,
    manifest_path: PathBuf,
}

impl Package {
    /// The folder of its sources.
    pub(crate) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }

    /// Whether it is a package of the workspace.
    pub(crate) const fn is_local(&self) -> bool {
        self.source.is_none()
    }
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `dev`, `build`, or none for a normal dependency.
    kind: Option<String>,
}

/// A package of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Its folder, relative to the root of the workspace, with `/` between the names.
    pub(crate) folder: String,
    /// The members that it depends on in any way, tests included.
    pub(crate) dependencies: BTreeSet<String>,
}

impl Metadata {
    pub(crate) fn load() -> Result<Self> {
        run(&["--all-features"])
    }

    /// The folder of a package, by its name.
    pub(crate) fn folder_of(&self, package: &str) -> Option<PathBuf> {
        self.packages.iter().find(|other| other.name == package).map(|package| package.folder().to_owned())
    }

    /// The members of the workspace.
    pub(crate) fn members(&self) -> Vec<Member> {
        let nodes: BTreeMap<&str, &Node> = self.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let members = self.packages.iter().filter(|package| self.workspace_members.contains(&package.id));
        let names: BTreeMap<&str, &str> =
            members.clone().map(|package| (package.id.as_str(), package.name.as_str())).collect();
        let member = |package: &Package| {
            let folder = package.manifest_path.parent().and_then(|path| path.strip_prefix(&self.workspace_root).ok());
            let parts = folder.into_iter().flatten().map(|part| part.to_string_lossy().into_owned());
            let dependencies = nodes.get(package.id.as_str()).into_iter().flat_map(|node| &node.deps);
            let dependencies = dependencies.filter_map(|dependency| names.get(dependency.pkg.as_str()));
            Member {
                name: package.name.clone(),
                folder: parts.collect::<Vec<_>>().join("/"),
                dependencies: dependencies.map(|name| (*name).to_owned()).collect(),
            }
        };
        members.map(member).collect()
    }

    /// The packages that are compiled into these members or run while they are built: normal and build dependencies, not
    /// those of tests.
    pub(crate) fn shipped_with(&self, members: &[&str]) -> Vec<&Package> {
        let packages: BTreeMap<&str, &Package> =
            self.packages.iter().map(|package| (package.id.as_str(), package)).collect();
        let nodes: BTreeMap<&str, &Node> = self.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let is_root = |package: &&Package| {
            self.workspace_members.contains(&package.id) && members.contains(&package.name.as_str())
        };
        let mut to_visit: Vec<&str> = self.packages.iter().filter(is_root).map(|package| package.id.as_str()).collect();
        let mut visited = BTreeSet::new();
        while let Some(id) = to_visit.pop() {
            if visited.insert(id) {
                let is_shipped = |dependency: &&Dependency| {
                    dependency.dep_kinds.iter().any(|kind| kind.kind.as_deref() != Some("dev"))
                };
                let dependencies = nodes.get(id).into_iter().flat_map(|node| &node.deps);
                to_visit.extend(dependencies.filter(is_shipped).map(|dependency| dependency.pkg.as_str()));
            }
        }
        visited.into_iter().filter_map(|id| packages.get(id).copied()).collect()
    }
}

/// `[package.metadata.<key>]` of a package of the workspace.
pub(crate) fn package_metadata<T: DeserializeOwned>(package: &str, key: &str) -> Result<T> {
    let mut metadata: Value = run(&["--no-deps"])?;
    let packages = metadata["packages"].as_array_mut().context("`cargo metadata` lists no packages")?;
    let found = packages.iter_mut().find(|found| found["name"] == package);
    let table = found.with_context(|| format!("the workspace has no package {package}"))?["metadata"][key].take();
    serde_json::from_value(table).with_context(|| format!("{package}/Cargo.toml, [package.metadata.{key}]"))
}

fn run<T: DeserializeOwned>(args: &[&str]) -> Result<T> {
    let mut cargo = process::cargo(&["metadata", "--format-version", "1", "--locked"]);
    let text = process::capture(cargo.args(args))?;
    serde_json::from_str(&text).context("cannot parse the output of `cargo metadata`")
}
