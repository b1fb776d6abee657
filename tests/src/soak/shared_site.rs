//! Two relays on one Redis with a replica.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use tokio::task::block_in_place;
use tokio::time::sleep;

use super::fault::Fault;
use super::{Entrances, LONG_GRACE};
use crate::parts;
use crate::proxy::{Flow, NetworkFaults, Proxy};
use crate::random::Random;
use crate::redis::Redis;
use crate::relay::{RelayProcess, StoreLocation};

/// A move counts only if the replica has it, so that no failover loses one.
const WAIT_FOR_REPLICA: &str = "--redis-wait-replicas=1";

/// Bytes that the disk of Redis still takes when it becomes full: the middle of an entry.
const LAST_BYTES: u64 = 100;

/// How far the clock of Redis jumps, in milliseconds.
const JUMP_MS: i64 = 90_000;

/// Simulates a jump of the server's clock: everything that was measured by it is off by as much.
const JUMP: &str = "
    for key = 1, 2 do
        for _, member in ipairs(redis.call('ZRANGE', KEYS[key], 0, -1)) do
            redis.call('ZINCRBY', KEYS[key], -ARGV[1], member)
        end
    end
    return redis.call('HINCRBY', KEYS[3], 'ahead', ARGV[1])";

pub(super) struct SharedSite {
    /// One of them is the primary.
    servers: [Redis; 2],
    primary: usize,
    /// The address under which relays find the primary.
    address: Proxy,
    relays: [RelayProcess; 2],
    /// A second way to each relay.
    doors: [Proxy; 2],
}

fn local(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

impl SharedSite {
    /// `None` if a program is missing.
    pub(super) async fn start() -> Result<Option<Self>> {
        if !parts::redis_server() {
            return Ok(None);
        }
        let servers = block_in_place(|| -> Result<_> {
            let primary = Redis::start()?;
            let replica = Redis::start_replica(primary.port())?;
            Ok([primary, replica])
        })?;
        let address = Proxy::start(local(servers[0].port())).await?;
        let location = StoreLocation::Redis(address.address().port());
        let start = || RelayProcess::start(location.clone(), &[LONG_GRACE, WAIT_FOR_REPLICA]);
        let (Some(one), Some(other)) = block_in_place(|| Ok::<_, anyhow::Error>((start()?, start()?)))? else {
            return Ok(None);
        };
        let doors = [Proxy::start(one.address()).await?, Proxy::start(other.address()).await?];
        Ok(Some(Self { servers, primary: 0, address, relays: [one, other], doors }))
    }

    pub(super) fn entrances(&self) -> Entrances {
        self.relays().into_iter().chain(self.doors.each_ref().map(Proxy::address)).collect()
    }

    pub(super) fn relays(&self) -> Vec<SocketAddr> {
        self.relays.each_ref().map(RelayProcess::address).to_vec()
    }

    /// Runs a command on the primary.
    pub(super) fn cli(&self, words: &[&str]) -> Result<String> {
        block_in_place(|| self.servers[self.primary].cli(words))
    }

    /// Injects a fault, and repairs it after this time.
    pub(super) async fn inject(&mut self, fault: Fault, time: Duration, random: &mut Random) -> Result<()> {
        let victim = usize::from(random.happens(500));
        match fault {
            Fault::RelayKilled => self.kill_relays(&[victim], time).await?,
            Fault::BothRelaysKilled => self.kill_relays(&[0, 1], time).await?,
            Fault::RelaySuspended => {
                self.relays[victim].suspend()?;
                sleep(time).await;
                self.relays[victim].resume()?;
            }
            Fault::RelayTerminated => block_in_place(|| {
                let relay = &mut self.relays[victim];
                relay.terminate()?;
                let status = relay.wait()?;
                ensure!(status.success(), "the relay has ended with {status}");
                relay.restart()
            })?,
            Fault::RedisKilled => {
                block_in_place(|| self.servers[self.primary].kill9())?;
                sleep(time).await;
                block_in_place(|| self.servers[self.primary].restart())?;
            }
            Fault::RedisSuspended => {
                self.servers[self.primary].suspend()?;
                sleep(time).await;
                self.servers[self.primary].resume()?;
            }
            Fault::Failover => self.fail_over(time).await?,
            Fault::DiskOfRedisFull => {
                block_in_place(|| self.servers[self.primary].run_out_of_disk(LAST_BYTES))?;
                sleep(time).await;
                block_in_place(|| self.servers[self.primary].restart())?;
            }
            Fault::MemoryOfRedisFull => {
                self.cli(&["config", "set", "maxmemory", "1"])?;
                sleep(time).await;
                self.cli(&["config", "set", "maxmemory", "0"])?;
            }
            Fault::ScriptsFlushed => drop(self.cli(&["script", "flush"])?),
            Fault::SubscriptionsCut => drop(self.cli(&["client", "kill", "type", "pubsub"])?),
            Fault::StoreConnectionsCut => self.address.cut(),
            Fault::StoreAnswersHeld => {
                Self::hold(&self.address, NetworkFaults::REPLIES_HELD, time, random.happens(500)).await;
            }
            Fault::StoreConnectionsHeld => {
                Self::hold(&self.address, NetworkFaults::HELD, time, random.happens(500)).await;
            }
            Fault::ClockAhead => self.jump(JUMP_MS)?,
            Fault::ClockBack => self.jump(-JUMP_MS)?,
            Fault::ClientConnectionsCut => self.doors.iter().for_each(Proxy::cut),
            Fault::ClientConnectionsSlow => {
                let slow = Flow::Slow(256, Duration::from_millis(20));
                Self::hold(&self.doors[victim], NetworkFaults { to_server: slow, to_client: slow }, time, false).await;
            }
            Fault::ClientConnectionsHeld => {
                let faults = random.one_of(&[NetworkFaults::HELD, NetworkFaults::REPLIES_HELD]);
                Self::hold(&self.doors[victim], faults, time, random.happens(500)).await;
            }
            _ => bail!("not a fault of this site"),
        }
        // A restarted primary has to send its replica everything again.
        block_in_place(|| self.servers[1 - self.primary].wait_for_copy())
    }

    async fn kill_relays(&mut self, victims: &[usize], time: Duration) -> Result<()> {
        for &victim in victims {
            block_in_place(|| self.relays[victim].kill9())?;
        }
        sleep(time).await;
        for &victim in victims {
            block_in_place(|| self.relays[victim].restart())?;
        }
        Ok(())
    }

    /// The primary dies, the replica takes over, and the old primary comes back as a replica.
    async fn fail_over(&mut self, time: Duration) -> Result<()> {
        let (old, new) = (self.primary, 1 - self.primary);
        block_in_place(|| {
            self.servers[old].kill9()?;
            self.servers[new].promote()
        })?;
        self.primary = new;
        let port = self.servers[new].port();
        self.address.redirect(local(port));
        sleep(time).await;
        block_in_place(|| self.servers[old].restart_as_replica(port))
    }

    /// Sets faults of a network for some time. With a cut, held bytes are lost; without, they come late.
    async fn hold(proxy: &Proxy, faults: NetworkFaults, time: Duration, is_cut: bool) {
        proxy.set(faults);
        sleep(time).await;
        if is_cut {
            proxy.cut();
        }
        proxy.set(NetworkFaults::NONE);
    }

    /// The clock of Redis jumps by this many milliseconds.
    fn jump(&self, by: i64) -> Result<()> {
        let keys = ["test:{relays}:beats", "test:{relays}:leases", "test:{relays}:time"];
        self.cli(&["eval", JUMP, "3", keys[0], keys[1], keys[2], &by.to_string()]).map(drop)
    }

    /// No relay has failed.
    pub(super) fn check(&mut self) -> Result<()> {
        self.relays.iter_mut().try_for_each(RelayProcess::check)
    }
}
