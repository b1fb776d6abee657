use std::net::TcpListener;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{Redis, TRIES, address, cli, free_port, wait_until};

/// How far the port on which the nodes talk to each other is from the one for everybody else.
const BUS: u16 = 10_000;

/// Three masters without replicas, each with a third of the slots.
#[derive(Debug)]
pub struct Cluster {
    nodes: Vec<Redis>,
}

impl Cluster {
    /// Starts one, and waits until all nodes agree that it works.
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
        let output = create.stdin(Stdio::null()).output().context("redis-cli does not start")?;
        if !output.status.success() {
            bail!("no cluster: {}", String::from_utf8_lossy(&output.stdout));
        }
        let cluster = Self { nodes };
        cluster.wait_until_it_works()?;
        Ok(cluster)
    }

    /// Waits until all nodes agree that it works.
    pub fn wait_until_it_works(&self) -> Result<()> {
        wait_until("the cluster works", || {
            let works = |node: &Redis| {
                cli(node.port(), &["cluster", "info"]).is_ok_and(|info| info.contains("cluster_state:ok"))
            };
            Ok(self.nodes.iter().all(works))
        })
    }

    /// A port on which one of them listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.nodes[0].port()
    }

    /// All of them.
    #[must_use]
    pub fn nodes(&mut self) -> &mut [Redis] {
        &mut self.nodes
    }

    /// Tells it something by its own client, and returns what that prints.
    pub fn cli(&self, words: &[&str]) -> Result<String> {
        cli(self.port(), words)
    }
}

fn start_node() -> Result<Redis> {
    let extra = ["--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-node-timeout", "2000"];
    let mut last = None;
    for _ in 0..TRIES {
        let extra = extra.iter().map(|&word| word.to_owned()).collect();
        let mut node = Redis { folder: super::Folder::new()?, port: free_pair()?, extra, process: None };
        match node.restart() {
            Ok(()) => return Ok(node),
            Err(error) => last = Some(error),
        }
    }
    Err(last.context("no attempt was made")?)
}

/// A port that is free, and the other one of the pair as well.
fn free_pair() -> Result<u16> {
    for _ in 0..100 {
        let port = free_port()?;
        let is_pair_free = port.checked_add(BUS).is_some_and(|bus| TcpListener::bind(address(bus)).is_ok());
        if is_pair_free {
            return Ok(port);
        }
    }
    bail!("there are no two free ports")
}
