use tokio::task::JoinSet;

use super::figures::Figures;
use super::seat::{Broken, Seat};
use super::url::RelayUrl;

/// So many connections are being made at a time.
const AT_ONCE: usize = 200;

/// People who sit at tables, two at each, and do nothing.
pub(crate) struct Idlers {
    tasks: JoinSet<()>,
    /// What the relay takes for each of them, in bytes, if it says what it takes.
    pub(crate) memory: Option<f64>,
}

impl Idlers {
    /// Lets so many come, and looks at what that costs the relay.
    pub(crate) async fn come(relay: &RelayUrl, count: usize) -> Result<Self, String> {
        let before = Figures::of(relay).await.ok();
        let mut tasks = JoinSet::new();
        let mut connecting = JoinSet::new();
        let mut come = 0;
        for number in 0..count {
            if connecting.len() == AT_ONCE {
                seat(&mut connecting, &mut tasks, &mut come).await?;
            }
            let relay = relay.clone();
            connecting.spawn(async move {
                // Two sit at each table, so that there are games.
                let path = format!("/ws/api/idler{number}/idle{}/", number / 2);
                let mut seat = Seat::take(&relay, &path).await?;
                seat.hear().await?;
                Ok(seat)
            });
        }
        while !connecting.is_empty() {
            seat(&mut connecting, &mut tasks, &mut come).await?;
        }
        let after = Figures::of(relay).await.ok();
        #[expect(clippy::cast_precision_loss, reason = "nobody reads that many digits")]
        let memory = before.zip(after).map(|(before, after)| (after.memory - before.memory) / come.max(1) as f64);
        Ok(Self { tasks, memory })
    }

    /// Lets them all go.
    pub(crate) async fn go(mut self) {
        self.tasks.shutdown().await;
    }
}

async fn seat(
    connecting: &mut JoinSet<Result<Seat, Broken>>,
    tasks: &mut JoinSet<()>,
    come: &mut usize,
) -> Result<(), String> {
    match connecting.join_next().await {
        Some(Ok(Ok(mut seat))) => {
            *come += 1;
            tasks.spawn(async move { seat.stay().await });
            Ok(())
        }
        Some(Ok(Err(broken))) => Err(format!("after {come} connections: {broken}")),
        Some(Err(error)) => Err(error.to_string()),
        None => Ok(()),
    }
}
