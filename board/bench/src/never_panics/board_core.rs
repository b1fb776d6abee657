//! The core that keeps surface, link and journal in step, except the parts that call the cipher.
//!
//! Left out are `BoardCore::connected`, `transmit` and `receive`, and with them `Runner::poll`, which calls all three: see `session`.

use core::fmt;
use core::hint::black_box;

use board::console::ConsoleMachine;
use board::{BoardCore, Computer, NetworkState, Profile, Runner, Settings, Surface};

use crate::image::show;
use crate::journal::Anything;
use crate::surface::{now, result, squares};

pub(crate) fn run() {
    let mut surface = Surface::new(black_box(Settings::default()), squares(), now());
    let change = |values: &mut board::journal::Values| {
        if let Err(error) = values.set(black_box(1), black_box(&[1])) {
            show(error);
        }
    };
    let core = BoardCore::<_>::start(black_box(&mut surface), &mut Anything, change, "", black_box(1), now());
    black_box(core.condition());
    let mut runner = Runner::new(core);
    black_box((runner.disconnect(), runner.shown(), runner.is_connected()));
    runner.reload(&mut Anything, now());

    black_box(runner.run_line(black_box("show"), &mut Silent, now(), &mut Nowhere));
    black_box(runner.calibration());
    runner.set_faulty_positions(squares());

    let core = black_box(runner.core_mut());
    black_box(core.scan(squares(), now()));
    core.set_network(black_box(NetworkState::Up), now());
    black_box((core.is_paired(), core.link_state()));
    core.disconnected(black_box(1), now());
    black_box(core.flash_operation(now()));
    core.flash_done(black_box(true));
    black_box((core.needs_reload(), core.connect_at(), core.wake_at(), core.is_online()));
    core.set_faults(squares());
    core.start_light_test(now());
    core.set(black_box(Settings::default()), now());
    core.change(change, black_box(1));
    core.send_hints();
    core.set_computer(black_box(Computer::DEFAULT), now());
    core.use_clock();
    black_box(core.computer());
    black_box(core.think(now()));
    core.receive_search_result(result(), now());
    core.queue_false_event(wire::link::Event::Hints { on: black_box(true) });
    black_box(core.pending_events());
    black_box((core.settings(), core.values(), core.surface(), core.game_info(), core.play()));
    let profile = Profile(core.values());
    black_box((profile.name(), profile.relay(), profile.key(), profile.hints(), profile.computer(), profile.clock()));
}

struct Silent;

impl ConsoleMachine for Silent {
    fn random(&mut self) -> u32 {
        black_box(1)
    }

    fn write_version(&self, _: &mut impl fmt::Write) -> fmt::Result {
        Ok(())
    }

    fn write_stats(&self, _: &mut impl fmt::Write) -> fmt::Result {
        Ok(())
    }
}

struct Nowhere;

impl fmt::Write for Nowhere {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        black_box(text);
        Ok(())
    }
}
