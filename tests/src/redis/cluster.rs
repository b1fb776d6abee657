use std::net::TcpListener;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{Redis, TRIES, address, cli, free_port, wait_until};

/// Offset of the cluster bus port from the client port.
const BUS: u16 = 10_000;

/// A Redis Cluster of three masters without replicas.
#[derive(Debug)]
pub struct Cluster {
    nodes: Vec<Redis>,
}

impl Cluster {
    /// Starts a cluster, and waits until all nodes report `cluster_state:ok`.
    pub fn start() -> Result<Self> {
        let mut last = None;
        for _ in 0..TRIES {
            match Self::try_start() {
                Ok(cluster) => return Ok(cluster),
                Err(error) => last = Some(error),
            }
        }
        Err(last.context("no attempt was made")?)
    }

    fn try_start() -> Result<Self> {
        let nodes = (0..3).map(|_| start_node()).collect::<Result<Vec<_>>>()?;
        let mut create = Command::new("redis-cli");
        create.args(["--cluster", "create"]);
        create.args(nodes.iter().map(|node| format!("127.0.0.1:{}", node.port())));
        create.args(["--cluster-replicas", "0", "--cluster-yes"]);
        let output = create.stdin(Stdio::null()).output().context("cannot start redis-cli")?;
        if !output.status.success() {
            bail!("creating the cluster failed: {}", String::from_utf8_lossy(&output.stdout));
        }
        let cluster = Self { nodes };
        cluster.wait_until_ok()?;
        Ok(cluster)
    }

    /// Waits until all nodes report `cluster_state:ok`.
    pub fn wait_until_ok(&self) -> Result<()> {
        wait_until("the cluster is ok", || {
            let works = |node: &Redis| {
                cli(node.port(), &["cluster", "info"]).is_ok_and(|info| info.contains("cluster_state:ok"))
            };
            Ok(self.nodes.iter().all(works))
        })
    }

    /// The port of the first node.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.nodes[0].port()
    }

    /// The nodes.
    #[must_use]
    pub fn nodes(&mut self) -> &mut [Redis] {
        &mut self.nodes
    }

    /// Runs a command with redis-cli, and returns its output.
    pub fn cli(&self, words: &[&str]) -> Result<String> {
        cli(self.port(), words)
    }
}

fn start_node() -> Result<Redis> {
    let extra = ["--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-node-timeout", "2000"];
    let mut last = None;
    for _ in 0..TRIES {
        let extra = extra.iter().map(|&word| word.to_owned()).collect();
        let mut node =
            Redis { folder: crate::temp_dir::TempDir::new()?, port: free_pair()?, extra, primary: None, process: None };
        match node.restart() {
            Ok(()) => return Ok(node),
            Err(error) => last = Some(error),
        }
    }
    Err(last.context("no attempt was made")?)
}

/// A free port whose cluster bus port is free, too.
fn free_pair() -> Result<u16> {
    for _ in 0..100 {
        let port = free_port()?;
        let is_pair_free = port.checked_add(BUS).is_some_and(|bus| TcpListener::bind(address(bus)).is_ok());
        if is_pair_free {
            return Ok(port);
        }
    }
    bail!("no free pair of ports")
}
