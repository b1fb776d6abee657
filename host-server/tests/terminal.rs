//! A board in a real terminal: tmux is one that can be typed into and looked at by a program.

#![cfg(unix)]

use std::env;
use std::io::{self, Write};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Set to anything, it says that all parts must be there: then a missing one is a failure.
const REQUIRE_PARTS: &str = "TABIYA_REQUIRE_PARTS";

/// A terminal of its own, gone when the test is.
struct Tmux {
    /// What tells this server from all others.
    socket: String,
}

impl Tmux {
    /// Runs a line of shell in a new terminal. None where there is no tmux, and a test should return.
    fn run(line: &str) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            assert!(env::var_os(REQUIRE_PARTS).is_none(), "there is no tmux, and {REQUIRE_PARTS} is set");
            // Written past the test harness, which would keep the words of a test that passes to itself.
            let _ = writeln!(io::stderr(), "skipped: there is no tmux to play in");
            return None;
        }
        let tmux = Self { socket: format!("tabiya-test-{}", std::process::id()) };
        tmux.tell(&["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", line]);
        Some(tmux)
    }

    /// Gives tmux a command, and returns what it says.
    fn tell(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-u", "-L", &self.socket])
            .args(arguments)
            .env_remove("TMUX")
            .output()
            .expect("tmux starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {arguments:?}: {error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn press(&self, keys: &[&str]) {
        self.tell(&[&["send-keys"], keys].concat());
    }

    /// Waits until this can be read on the screen.
    #[track_caller]
    fn expect(&self, text: &str) -> String {
        let begin = Instant::now();
        loop {
            let screen = self.tell(&["capture-pane", "-p"]);
            if screen.contains(text) {
                return screen;
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "{text:?} is not on the screen:\n{screen}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Whether the other screen is shown, and whether the mouse is watched.
    fn modes(&self) -> String {
        self.tell(&["display-message", "-p", "#{alternate_on} #{mouse_any_flag}"])
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output();
    }
}

#[test]
fn a_move_is_made_with_keys_and_the_terminal_is_given_back() {
    let tabiya = env!("CARGO_BIN_EXE_tabiya");
    // What the terminal is like afterwards is written below what the program leaves.
    let Some(tmux) = Tmux::run(&format!("'{tabiya}' board --terminal; echo left with $?; stty -a; read wait")) else {
        return;
    };
    tmux.expect("All is in order.");
    tmux.press(&["Space"]);
    tmux.expect("Lifted White's pawn on e2");
    tmux.press(&["Up", "Up", "Space"]);
    let screen = tmux.expect("1. e4");
    assert!(screen.contains("Black to move"), "{screen}");
    assert_eq!(tmux.modes(), "1 1\n");
    tmux.press(&["q"]);
    let screen = tmux.expect("left with 0");
    assert!(!screen.contains("1. e4"), "{screen}");
    tmux.expect(" icanon");
    tmux.expect(" echo ");
    assert_eq!(tmux.modes(), "0 0\n");
}
