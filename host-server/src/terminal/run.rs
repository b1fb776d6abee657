//! The loop: events and time go in, pictures go to the screen.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant as SystemInstant};

use board::Instant;
use ratatui::crossterm::event::{self, Event};
use ratatui::layout::{Rect, Size};

use super::desk::Desk;
use super::keys::{self, Intent};
use super::screen::Screen;
use super::start::Start;
use super::view::{self, Palette, Plan};
use crate::failure::Failure;

/// The screen is painted no more often than this, in milliseconds. The lights change no faster.
const FRAME: u64 = 20;
/// However still the board is, we look so often whether somebody has asked us to end.
const IDLE: u64 = 500;

/// Plays on a board in the terminal until the player has had enough.
pub(crate) fn run(start: Start) -> Result<(), Failure> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Failure::NoTerminal);
    }
    play(Desk::new(start)).map_err(Failure::Terminal)
}

fn play(mut desk: Desk) -> io::Result<()> {
    let palette = Palette::of(std::env::var("COLORTERM").ok().as_deref());
    let asked_to_end = ending()?;
    let mut screen = Screen::open()?;
    let began = SystemInstant::now();
    let now = || Instant::at(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX));
    // What is on the screen, and until when it stays there whatever happens.
    let mut shown = None;
    let mut until = now();
    while !asked_to_end() {
        desk.live(now());
        let picture = desk.picture();
        let turned = picture.turned;
        let mut next = desk.next_look();
        if shown.as_ref() != Some(&picture) {
            if now() >= until {
                screen.terminal.draw(|frame| view::paint(frame, &picture, palette))?;
                until = now().after(FRAME);
                shown = Some(picture);
            } else {
                next = Some(until);
            }
        }
        let wait = next.map_or(IDLE, |next| next.since(now()).min(IDLE));
        if !event::poll(Duration::from_millis(wait))? {
            continue;
        }
        // Everything that was typed while we were away is taken in at once; the desk takes its time over it.
        while event::poll(Duration::ZERO)? {
            let event = event::read()?;
            if matches!(event, Event::Resize(..)) {
                shown = None;
            }
            match understand(&event, &desk, screen.terminal.size()?, turned) {
                Some(Intent::Quit) => return Ok(()),
                Some(intent) => desk.want(intent),
                None => {}
            }
        }
    }
    Ok(())
}

fn understand(event: &Event, desk: &Desk, size: Size, turned: bool) -> Option<Intent> {
    match event {
        Event::Key(key) => keys::of_key(*key, desk.page()),
        Event::Mouse(mouse) => {
            let plan = Plan::of(Rect::from(((0, 0).into(), size)), turned)?;
            keys::of_mouse(mouse.kind, plan.square(mouse.column, mouse.row)?)
        }
        _ => None,
    }
}

/// Says whether the process was asked to end, by those who cannot press a key.
#[cfg(unix)]
fn ending() -> io::Result<impl Fn() -> bool> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    let flag = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
    }
    Ok(move || flag.load(Ordering::Relaxed))
}

#[cfg(not(unix))]
fn ending() -> io::Result<impl Fn() -> bool> {
    Ok(|| false)
}
