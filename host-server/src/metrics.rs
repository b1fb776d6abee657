//! Prometheus metrics of a relay. Every metric is declared here; the other modules call one function per event.
//!
//! This module is at the bottom of the module graph: labels that name a dialect or the reason for the end of a game come from
//! the caller. docs/operations.md lists all metrics, and a test compares the list.

mod process;

use std::sync::LazyLock;
use std::time::Duration;

use prometheus::core::Collector;
use prometheus::{
    Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
    TextEncoder,
};

/// Upper bounds in seconds for all histograms. The embedded store is at the low end, an overloaded Redis at the high end.
const BUCKETS: &[f64] = &[0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0];

macro_rules! labels {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident $label:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the variants are the labels in docs/operations.md")]
        pub enum $name {
            $($variant),*
        }

        impl $name {
            const fn label(self) -> &'static str {
                match self {
                    $(Self::$variant => $label),*
                }
            }
        }
    )*};
}

labels! {
    /// Why the relay closed a connection.
    DropReason {
        Slow "slow",
        Rate "rate",
        Size "size",
        Dead "dead",
        Protocol "protocol",
    }

    /// The limit that a refused connection or request exceeded.
    Limit {
        Connections "connections",
        ConnectionsPerAddress "connections_per_address",
        ConnectionRate "connection_rate",
        RequestRate "request_rate",
        JoinRate "join_rate",
        StoreRate "store_rate",
        SpectatorChat "spectator_chat",
        Host "host",
        Origin "origin",
    }

    /// The result of an attempt to join a room.
    JoinResult {
        Player "player",
        Return "return",
        Spectator "spectator",
        Refused "refused",
    }

    /// A layer of the sandbox for scripts that not every kernel permits.
    SandboxLayer {
        Landlock "landlock",
        Namespaces "namespaces",
    }
}

struct Metrics {
    registry: Registry,
    rooms: IntGauge,
    store_bytes: IntGauge,
    connections: IntGaugeVec,
    moves: IntCounter,
    move_stored: Histogram,
    move_delivered: Histogram,
    store_errors: IntCounterVec,
    diverged_logs: IntCounter,
    drops: IntCounterVec,
    refusals: IntCounterVec,
    joins: IntCounterVec,
    games_ended: IntCounterVec,
    failed_handshakes: IntCounter,
    board_frames: IntCounter,
    board_frames_resent: IntCounter,
    script_calls: IntCounterVec,
    script_cpu: Histogram,
    script_wait: Histogram,
    script_process_failures: IntCounter,
    script_sandbox: IntGaugeVec,
    computer_queue: IntGauge,
    computer_waited: Histogram,
    computer_moved: HistogramVec,
    computer_failures: IntCounterVec,
}

/// One registry per process, however many relays run in it.
static METRICS: LazyLock<Metrics> = LazyLock::new(|| {
    let registry = Registry::new();
    let counter = |name: &str, help: &str| register(&registry, IntCounter::new(name, help));
    let counters =
        |name: &str, help: &str, label: &str| register(&registry, IntCounterVec::new(Opts::new(name, help), &[label]));
    let histogram = |name: &str, help: &str| {
        register(&registry, Histogram::with_opts(HistogramOpts::new(name, help).buckets(BUCKETS.to_vec())))
    };
    Metrics {
        rooms: register(&registry, IntGauge::new("tabiya_rooms", "Rooms that this relay has open.")),
        store_bytes: register(
            &registry,
            IntGauge::new("tabiya_store_bytes", "Size of the store: of its file, or of the memory of Redis."),
        ),
        connections: register(
            &registry,
            IntGaugeVec::new(Opts::new("tabiya_connections", "Open connections, by dialect."), &["dialect"]),
        ),
        moves: counter("tabiya_moves_total", "Moves played through this relay."),
        move_stored: histogram("tabiya_move_stored_seconds", "Time from receiving a move until it is stored."),
        move_delivered: histogram(
            "tabiya_move_delivered_seconds",
            "Time from storing a move until it is sent to a player of this relay.",
        ),
        store_errors: counters("tabiya_store_errors_total", "Failed store operations, by operation.", "operation"),
        diverged_logs: counter(
            "tabiya_diverged_logs_total",
            "Rooms reloaded because the store had lost entries that it had confirmed.",
        ),
        drops: counters("tabiya_drops_total", "Connections closed by the relay, by reason.", "reason"),
        refusals: counters("tabiya_refusals_total", "Connections and requests refused by a limit, by limit.", "limit"),
        joins: counters("tabiya_joins_total", "Attempts to join a room, by result.", "result"),
        games_ended: counters("tabiya_games_ended_total", "Games ended through this relay, by reason.", "reason"),
        computer_queue: register(
            &registry,
            IntGauge::new("tabiya_computer_queue", "Searches of the computer that wait for a thread."),
        ),
        computer_waited: histogram(
            "tabiya_computer_waited_seconds",
            "Time that a search of the computer waited for a thread or process.",
        ),
        computer_moved: register(
            &registry,
            HistogramVec::new(
                HistogramOpts::new("tabiya_computer_move_seconds", "Time for a move of the computer, by engine.")
                    .buckets(BUCKETS.to_vec()),
                &["engine"],
            ),
        ),
        computer_failures: counters(
            "tabiya_computer_failures_total",
            "Failures of external engines: crashes, silence, illegal moves, by engine.",
            "engine",
        ),
        board_frames: counter("tabiya_board_frames_total", "Frames sent to boards."),
        board_frames_resent: counter(
            "tabiya_board_frames_resent_total",
            "Frames sent to boards again, because a connection broke before the board had acknowledged them.",
        ),
        failed_handshakes: counter("tabiya_failed_handshakes_total", "Connections whose TLS handshake failed."),
        script_calls: counters("tabiya_script_calls_total", "Calls of rule scripts, by result.", "result"),
        script_cpu: histogram("tabiya_script_cpu_seconds", "Processor time of a call of a rule script."),
        script_wait: histogram(
            "tabiya_script_wait_seconds",
            "Time for which a call of a rule script waited for a process.",
        ),
        script_process_failures: counter(
            "tabiya_script_process_failures_total",
            "Processes for rule scripts that failed and were started again.",
        ),
        script_sandbox: register(
            &registry,
            IntGaugeVec::new(
                Opts::new("tabiya_script_sandbox", "Whether a layer of the sandbox for rule scripts is in force."),
                &["layer"],
            ),
        ),
        registry,
    }
});

/// Registers a metric. It fails only for an invalid or duplicate name, which the test of this module would find.
fn register<C: Collector + Clone + 'static>(registry: &Registry, metric: prometheus::Result<C>) -> C {
    let metric = metric.expect("metric names, labels and buckets are valid");
    registry.register(Box::new(metric.clone())).expect("metric names are unique");
    metric
}

/// All metrics in the Prometheus text format 0.0.4.
pub(crate) fn render() -> String {
    let families = METRICS.registry.gather();
    let mut text = String::new();
    if let Err(error) = TextEncoder::new().encode_utf8(&families, &mut text) {
        tracing::error!(%error, "encoding metrics failed");
    }
    text + &process::render()
}

/// Sets the number of rooms that this relay has open.
pub fn rooms(number: usize) {
    METRICS.rooms.set(i64::try_from(number).unwrap_or(i64::MAX));
}

/// Sets the size of the store, in bytes.
pub fn store_size(bytes: u64) {
    METRICS.store_bytes.set(i64::try_from(bytes).unwrap_or(i64::MAX));
}

/// Counts an open connection until the returned guard is dropped.
#[must_use]
pub fn connected(dialect: &'static str) -> ConnectionGauge {
    METRICS.connections.with_label_values(&[dialect]).inc();
    ConnectionGauge(dialect)
}

/// RAII guard of one connection in `tabiya_connections`.
#[derive(Debug)]
pub struct ConnectionGauge(&'static str);

impl Drop for ConnectionGauge {
    fn drop(&mut self) {
        METRICS.connections.with_label_values(&[self.0]).dec();
    }
}

/// Records a stored move, with the time since it was received.
pub fn move_stored(after: Duration) {
    METRICS.moves.inc();
    METRICS.move_stored.observe(after.as_secs_f64());
}

/// Records a move that was sent to a player, with the time since it was stored.
pub fn move_delivered(after: Duration) {
    METRICS.move_delivered.observe(after.as_secs_f64());
}

/// Counts a failed store operation.
pub fn store_failed(operation: &'static str) {
    METRICS.store_errors.with_label_values(&[operation]).inc();
}

/// Counts a room that was reloaded because the store had lost entries of its log.
pub fn log_diverged() {
    METRICS.diverged_logs.inc();
}

/// Counts a connection that the relay closed.
pub fn dropped(reason: DropReason) {
    METRICS.drops.with_label_values(&[reason.label()]).inc();
}

/// Counts a frame for a board, and the frames that were sent before.
pub fn sent_to_board(resent: u32) {
    METRICS.board_frames.inc();
    METRICS.board_frames_resent.inc_by(resent.into());
}

/// Counts an attempt to join a room.
pub fn joined(result: JoinResult) {
    METRICS.joins.with_label_values(&[result.label()]).inc();
}

/// Counts the end of a game.
pub fn game_ended(reason: &'static str) {
    METRICS.games_ended.with_label_values(&[reason]).inc();
}

/// Sets the number of searches that wait for a thread.
pub(crate) fn computer_queue(waiting: usize) {
    METRICS.computer_queue.set(i64::try_from(waiting).unwrap_or(i64::MAX));
}

/// Records how long a search waited for a thread or process.
pub(crate) fn computer_waited(waited: Duration) {
    METRICS.computer_waited.observe(waited.as_secs_f64());
}

/// Records a move of a computer, with the time since it was asked for.
pub(crate) fn computer_moved(engine: &str, after: Duration) {
    METRICS.computer_moved.with_label_values(&[engine]).observe(after.as_secs_f64());
}

/// Counts a failure of an external engine.
pub(crate) fn computer_failed(engine: &str) {
    METRICS.computer_failures.with_label_values(&[engine]).inc();
}

/// Counts a connection or request that a limit refused.
pub(crate) fn refused(limit: Limit) {
    METRICS.refusals.with_label_values(&[limit.label()]).inc();
}

/// Counts a failed TLS handshake.
pub(crate) fn handshake_failed() {
    METRICS.failed_handshakes.inc();
}

/// Counts a call of a rule script.
pub(crate) fn script_called(result: &'static str) {
    METRICS.script_calls.with_label_values(&[result]).inc();
}

/// Records the processor time of a call of a rule script.
pub(crate) fn script_ran(cpu: Duration) {
    METRICS.script_cpu.observe(cpu.as_secs_f64());
}

/// Records for how long a call waited for a process.
pub(crate) fn script_waited(wait: Duration) {
    METRICS.script_wait.observe(wait.as_secs_f64());
}

/// Counts a process for rule scripts that failed.
pub(crate) fn script_process_failed() {
    METRICS.script_process_failures.inc();
}

/// Records whether a layer of the sandbox is in force.
pub(crate) fn sandbox_layer(layer: SandboxLayer, is_in_force: bool) {
    METRICS.script_sandbox.with_label_values(&[layer.label()]).set(is_in_force.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_is_rendered_and_documented() {
        rooms(2);
        let _connected = connected("test");
        move_stored(Duration::from_millis(3));
        move_delivered(Duration::from_micros(80));
        store_failed("append");
        log_diverged();
        dropped(DropReason::Slow);
        joined(JoinResult::Player);
        game_ended("checkmate");
        refused(Limit::JoinRate);
        handshake_failed();
        script_called("ok");
        script_ran(Duration::from_millis(5));
        script_waited(Duration::from_micros(90));
        script_process_failed();
        sandbox_layer(SandboxLayer::Landlock, true);
        computer_queue(1);
        computer_waited(Duration::from_millis(3));
        computer_moved("test", Duration::from_millis(3));
        computer_failed("test");
        let page = render();
        let document = include_str!("../../docs/operations.md");
        let names: Vec<&str> =
            page.lines().filter_map(|line| line.strip_prefix("# HELP ")?.split(' ').next()).collect();
        assert!(names.len() >= 11, "{page}");
        for name in names {
            assert!(document.contains(&format!("| `{name}` |")), "{name} is not in docs/operations.md");
        }
        let rows = document.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        for name in rows.filter(|name| name.starts_with("tabiya_")) {
            assert!(page.contains(&format!("# HELP {name} ")), "{name} is documented and not rendered:\n{page}");
        }
        assert!(page.contains(r#"tabiya_connections{dialect="test"} 1"#), "{page}");
        assert!(page.contains(r#"tabiya_move_stored_seconds_bucket{le="0.005"} 1"#), "{page}");
    }
}
