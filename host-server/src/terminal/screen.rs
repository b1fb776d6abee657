use std::io::{self, BufWriter, Stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

/// The terminal while it is ours. However this ends, the user gets it back as it was.
pub(super) struct Screen {
    pub(super) terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    #[expect(dead_code, reason = "it is there to be dropped, after the terminal")]
    restore: Restore,
}

/// Gives the terminal back when it goes out of scope.
struct Restore;

impl Drop for Restore {
    fn drop(&mut self) {
        give_back();
    }
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn open() -> io::Result<Self> {
        // From here on, half of what follows may have been done when the other half fails.
        let restore = Restore;
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // The report of a panic is of no use on a screen that is about to vanish.
            give_back();
            report(info);
        }));
        TAKEN.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        // One frame may change every cell; the screen must not see it in pieces.
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, io::stdout()));
        Ok(Self { terminal: Terminal::new(backend)?, restore })
    }
}

/// Whether the terminal is ours.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Gives the terminal back, once: a second time would move the cursor to where it was before a panic was reported.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Somebody who is about to leave can do nothing about what fails here.
    let _ = disable_raw_mode();
    let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
}
