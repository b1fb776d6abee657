//! The pool of the own engine, and external engines that misbehave. The engines of these tests are shell scripts.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chess::{Move, Position};

use super::*;

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

fn question(computer: Computer, text: &str) -> EngineQuestion {
    EngineQuestion { computer, start: Position::start(), moves: moves(text), clock: None, seed: 7 }
}

fn level(number: u8) -> Computer {
    Computer::Level(Level::new(number).unwrap())
}

fn position(text: &str) -> Position {
    moves(text).iter().fold(Position::start(), |position, &mv| position.play(mv).unwrap())
}

/// A computer with one external engine, a shell script that is removed after the test.
struct Script {
    path: PathBuf,
    computers: Computers,
}

impl Script {
    fn new(name: &str, answers: &str, settings: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;

        let path = std::env::temp_dir().join(format!("tabiya-engine-{}-{name}", std::process::id()));
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; {answers}\nesac; done\n"
        );
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let computers = Computers::new(None, vec![format!("fake={}{settings}", path.display()).parse().unwrap()]);
        Self { path, computers }
    }

    async fn asked(&self, text: &str) -> Result<EngineResult, Failure> {
        self.computers.think(question(Computer::Engine("fake".parse().unwrap()), text)).await
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[tokio::test]
async fn every_level_finds_a_legal_move() {
    let computers = Computers::default();
    for number in 1..=10 {
        let mut question = question(level(number), "a2a3 h7h6");
        question.clock = Some(ClockLeft { remaining_ms: 2_000, increment_ms: 0 });
        let thought = computers.think(question).await.unwrap();
        assert!(position("a2a3 h7h6").is_legal(thought.mv), "level {number}: {thought:?}");
        assert!(thought.score.is_some(), "level {number}");
    }
}

#[tokio::test]
async fn the_same_game_is_searched_alike_on_every_relay() {
    let found = [Computers::default(), Computers::default()]
        .map(|computers| async move { computers.think(question(level(6), "a2a3 h7h6 b2b3")).await.unwrap() });
    let [one, other] = found;
    assert_eq!(one.await, other.await);
}

#[tokio::test]
async fn a_position_without_moves_is_a_failure() {
    let mated = question(level(3), "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(Computers::default().think(mated).await, Err(Failure::NoMove));
}

/// One thread, many searches at full strength: those that wait shorten those that run, and dropped ones take no time.
#[tokio::test]
async fn a_crowd_is_served_and_cancelled_searches_cost_nothing() {
    let computers = Computers::new(NonZeroUsize::new(1), Vec::new());
    let forgotten: Vec<Thinking> = (0..2_000).map(|_| computers.think(question(level(10), "a2a3 h7h6"))).collect();
    let quick = computers.think(question(level(1), "a2a3 h7h6"));
    drop(forgotten);
    let long: Vec<Thinking> = (0..3).map(|_| computers.think(question(level(10), "a2a3 h7h6"))).collect();
    assert!(quick.await.is_ok());
    for thinking in long {
        assert!(thinking.await.is_ok());
    }
}

#[tokio::test]
async fn an_engine_plays_its_move_and_reports_its_score() {
    let script = Script::new(
        "good",
        "go*) echo 'info depth 3 score cp -40 pv e7e5'; echo 'bestmove e7e5 ponder g1f3';;",
        ",movetime=50,Hash=1",
    );
    let thought = script.asked("e2e4").await.unwrap();
    assert_eq!(thought, EngineResult { mv: moves("e7e5")[0], score: Some(Score::Centipawns(-40)) });
    assert!(script.asked("e2e4").await.is_ok(), "the process is used again");
}

#[tokio::test]
async fn what_an_engine_does_wrong_is_named() {
    for (name, answers, failure) in [
        ("illegal", "go*) echo bestmove e2e5;;", Failure::Illegal("e2e5".to_owned())),
        ("nonsense", "go*) echo 'bestmove (none)';;", Failure::Illegal("(none)".to_owned())),
        ("empty", "go*) echo bestmove;;", Failure::Illegal(String::new())),
        ("crash", "go*) exit 3;;", Failure::Ended),
        ("flood", "go*) head -c 100000 /dev/zero | tr '\\0' x;;", Failure::Flood),
        ("binary", "go*) printf '\\377\\376\\n'; echo bestmove e9e9;;", Failure::Illegal("e9e9".to_owned())),
    ] {
        let script = Script::new(name, answers, ",movetime=50");
        assert_eq!(script.asked("").await, Err(failure), "{name}");
    }
}

#[tokio::test]
async fn a_silent_engine_is_stopped_and_then_killed() {
    let script = Script::new("silent", "go*) ;;", ",movetime=20");
    let started = Instant::now();
    assert_eq!(script.asked("").await, Err(Failure::Silent));
    assert!(started.elapsed() >= Duration::from_secs(3), "it received `stop`, and time to obey");
    let obeys = Script::new("late", "go*) ;; stop) echo bestmove d2d4;;", ",movetime=20");
    assert_eq!(obeys.asked("").await.map(|thought| thought.mv), Ok(moves("d2d4")[0]));
}

#[tokio::test]
async fn an_engine_that_crashes_is_started_again() {
    let flag = std::env::temp_dir().join(format!("tabiya-engine-flag-{}", std::process::id()));
    let answers = format!("go*) if [ -e {0} ]; then echo bestmove e2e4; else : > {0}; exit 1; fi;;", flag.display());
    let script = Script::new("restarted", &answers, ",movetime=50");
    assert_eq!(script.asked("").await, Err(Failure::Ended));
    let again = script.asked("").await;
    let _ = std::fs::remove_file(&flag);
    assert_eq!(again.map(|thought| thought.mv), Ok(moves("e2e4")[0]));
}

#[tokio::test]
async fn an_abandoned_search_frees_the_engine() {
    let script = Script::new("cancelled", "go*) ;; stop) echo bestmove a2a3;;", ",movetime=600000");
    drop(script.computers.think(question(Computer::Engine("fake".parse().unwrap()), "")));
    let mut second = script.computers.think(question(Computer::Engine("fake".parse().unwrap()), ""));
    // The second search has the process: the first one has been given up.
    let waits = tokio::time::timeout(Duration::from_millis(300), &mut second).await;
    assert!(waits.is_err(), "this engine answers only when it is stopped");
}

#[tokio::test]
async fn an_engine_that_is_not_there_fails() {
    let computers = Computers::new(None, vec!["gone=/nonexistent/engine".parse().unwrap()]);
    let gone = Computer::Engine("gone".parse().unwrap());
    assert!(computers.has(&gone) && !Path::new("/nonexistent/engine").exists());
    assert!(matches!(computers.think(question(gone, "")).await, Err(Failure::Ended | Failure::Start(_))));
    let unknown = Computer::Engine("unknown".parse().unwrap());
    assert!(!computers.has(&unknown));
    assert_eq!(computers.think(question(unknown, "")).await, Err(Failure::Unknown));
}

/// Memory beyond the limit is refused to the process, and not taken from the relay.
#[tokio::test]
async fn the_memory_of_an_engine_is_limited() {
    let script = Script::new(
        "greedy",
        "go*) x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo bestmove e2e4;;",
        ",memory=64,movetime=50",
    );
    assert!(script.asked("").await.is_err());
}
