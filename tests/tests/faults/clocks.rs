//! Downtime of Redis or of all relays is not charged to a player's clock.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tests::checked_games::TIMEOUT;
use tests::json_client::JsonClient;
use tests::redis::Redis;
use tests::relay::RelayProcess;
use tokio::time::{sleep, timeout};

use crate::{redis_with_relays, wait_for_health};

/// The time of each player, in seconds.
const CLOCK_S: u64 = 20;

/// Longer than the time of a player.
const OUTAGE: Duration = Duration::from_secs(CLOCK_S + 2);

/// Two seconds of an outage count, since a relay may have been slow and not down. The rest is how exactly a relay knows the time of Redis.
const COUNTED: Duration = Duration::from_secs(3);

struct Player {
    relay: String,
    path: String,
    client: JsonClient,
    token: String,
}

impl Player {
    async fn sit(relay: &RelayProcess, name: &str) -> Result<Self> {
        let relay = relay.address().to_string();
        let path = format!("/ws/api/{name}/clocks/?extras=1&clock={CLOCK_S}%2B0");
        let mut client = JsonClient::connect(&relay, &path).await?;
        let init = client.receive_type("init").await?;
        let token = init["token"].as_str().context("a player has a token")?.to_owned();
        Ok(Self { relay, path, client, token })
    }

    /// Reconnects to the seat, as soon as the relay accepts it.
    async fn reconnect(&mut self) -> Result<()> {
        let connecting = async {
            loop {
                match JsonClient::connect_with_token(&self.relay, &self.path, &self.token).await {
                    Ok(client) => return client,
                    Err(_) => sleep(Duration::from_millis(50)).await,
                }
            }
        };
        self.client = timeout(TIMEOUT, connecting).await.context("the relay does not accept the player again")?;
        Ok(())
    }

    /// Waits for the state after this many plies.
    async fn wait_for_ply(&mut self, ply: usize) -> Result<Value> {
        loop {
            let state = self.client.receive_type("game_state").await?;
            if state["ply"] == ply {
                return Ok(state);
            }
        }
    }
}

/// Stops or starts Redis or the relay.
type Switch = fn(&mut Redis, &mut RelayProcess) -> Result<()>;

/// Plays two plies, and the third after an outage that is longer than White's clock.
///
/// White may lose the time that passed here before and after the outage, which is long on a machine that is busy.
async fn play_through(stop: Switch, start: Switch) -> Result<()> {
    let Some((mut redis, mut relays)) = redis_with_relays(1)? else { return Ok(()) };
    let relay = &mut relays[0];
    let mut white = Player::sit(relay, "ann").await?;
    let mut black = Player::sit(relay, "bob").await?;
    white.client.play("e2e4", 0).await?;
    black.wait_for_ply(1).await?;
    let begin = Instant::now();
    black.client.play("e7e5", 1).await?;
    white.wait_for_ply(2).await?;
    stop(&mut redis, relay)?;
    let before = begin.elapsed();
    sleep(OUTAGE).await;
    let restart = Instant::now();
    start(&mut redis, relay)?;
    wait_for_health(relay, 200).await?;
    white.reconnect().await?;
    black.reconnect().await?;
    white.client.play("g1f3", 2).await?;
    let state = black.wait_for_ply(3).await?;
    let left = state["clock"]["white_ms"].as_u64().with_context(|| format!("no clock in {state}"))?;
    let counted = Duration::from_secs(CLOCK_S).saturating_sub(Duration::from_millis(left));
    let passed = before + restart.elapsed();
    ensure!(counted <= passed + COUNTED, "White's clock lost {counted:?}, and {passed:?} passed beside the outage");
    relay.check()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_of_redis_is_not_charged_to_a_clock() -> Result<()> {
    play_through(|redis, _| redis.kill9(), |redis, _| redis.restart()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_of_all_relays_is_not_charged_to_a_clock() -> Result<()> {
    play_through(|_, relay| relay.kill9(), |_, relay| relay.restart()).await
}
