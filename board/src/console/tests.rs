use std::boxed::Box;
use std::string::String;
use std::{format, vec, vec::Vec};

use chess::{Bitboard, Position, Square};
use engine::Time;

use super::*;
use crate::calibration::{Calibration, MatrixWiring, Symmetry};
use crate::journal::{Action, Bank, Banks, Unreadable, Values};
use crate::profile::Entry;
use crate::{BoardCore, Input, Instant, Notice, Runner, Settings, Surface, ThinkCommand};

struct Flash([Vec<u8>; 2]);

impl Banks for Flash {
    fn bank_len(&self) -> usize {
        65_536
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        buffer.copy_from_slice(&self.0[bank as usize][offset..offset + buffer.len()]);
        Ok(())
    }
}

struct TestMachine;

impl ConsoleMachine for TestMachine {
    fn random(&mut self) -> u32 {
        7
    }

    fn write_version(&self, text: &mut impl fmt::Write) -> fmt::Result {
        text.write_str("test 1")
    }

    fn write_stats(&self, text: &mut impl fmt::Write) -> fmt::Result {
        text.write_str("scans lost 0\r\n")
    }

    fn write_failure(&self, text: &mut impl fmt::Write) -> fmt::Result {
        text.write_str("last failure: a test\r\n")
    }

    fn write_wiring(&self, text: &mut impl fmt::Write) -> fmt::Result {
        text.write_str("file g touches file h\r\n")
    }
}

struct Bench {
    flash: Flash,
    runner: Runner<Box<Surface>>,
    now: u64,
}

impl Bench {
    fn new() -> Self {
        let mut flash = Flash([vec![0xff; 65_536], vec![0xff; 65_536]]);
        let runner = start(&mut flash);
        Self { flash, runner, now: 0 }
    }

    fn restart(&mut self) {
        self.runner = start(&mut self.flash);
    }

    fn run(&mut self, line: &str) -> String {
        let mut answer = String::new();
        let consequence = self.runner.run_line(line, &mut TestMachine, Instant::at(self.now), &mut answer);
        assert_eq!(consequence, Consequence::None);
        self.poll(Input::Wake);
        answer
    }

    /// Polls, and carries out what is to be written to flash. Returns what the calibration says.
    fn poll(&mut self, input: Input<'_>) -> Option<&'static str> {
        let now = Instant::at(self.now);
        let output = self.runner.poll(input, false, now);
        let notice = output.notice;
        let mut action = output.flash;
        while let Some(next) = action {
            match next {
                Action::Erase(bank) => self.flash.0[bank as usize].fill(0xff),
                Action::Write { bank, offset, bytes } => {
                    self.flash.0[bank as usize][offset..offset + bytes.len()].copy_from_slice(bytes);
                }
            }
            action = self.runner.poll(Input::FlashDone { ok: true }, false, now).flash;
        }
        match notice {
            Some(Notice::Calibration(text)) => Some(text),
            _ => None,
        }
    }

    /// Scans these wires for a second. Returns the last thing that the calibration says.
    fn scan(&mut self, wired: Bitboard) -> Option<&'static str> {
        let mut said = None;
        for _ in 0..1_000 {
            self.now += 1;
            said = self.poll(Input::Scan(wired)).or(said);
        }
        said
    }

    fn occupied(&self) -> Bitboard {
        self.runner.core().surface().referee().occupied()
    }
}

fn start(flash: &mut Flash) -> Runner<Box<Surface>> {
    let surface = Box::new(Surface::new(Settings::default(), Bitboard::EMPTY, Instant::at(0)));
    let amend = |values: &mut Values| Entry::Name("kitchen").keep(values).expect("a name fits");
    Runner::new(BoardCore::start(surface, flash, amend, "test", 99, Instant::at(0)))
}

#[test]
fn settings_are_shown_as_they_were_set() {
    let mut bench = Bench::new();
    for line in [
        "brightness 12",
        "rest 450 ms",
        "pace careful",
        "orientation black",
        "hints on",
        "computer 4 white",
        "clock 5+3",
    ] {
        let value = line.strip_suffix(" ms").unwrap_or(line);
        assert_eq!(bench.run(&format!("set {value}")), "done\r\n");
        assert!(bench.run("show").contains(&format!("{line}\r\n")), "{line}");
    }
    bench.restart();
    assert!(bench.run("show").contains("brightness 12\r\nrest 450 ms\r\npace careful\r\norientation black\r\n"));
    assert_eq!(bench.run("set brightness 256"), "brightness is a number from 0 to 255\r\n");
}

/// The computer's question for its first move.
fn first_question(bench: &mut Bench) -> engine::Limits {
    let mut scans = (0..1_000).map(|_| {
        bench.now += 1;
        let now = Instant::at(bench.now);
        bench.runner.poll(Input::Scan(Position::start().occupied()), false, now).think
    });
    match scans.find_map(|think| think) {
        Some(ThinkCommand::Start(question)) => question.limits,
        other => panic!("no question: {other:?}"),
    }
}

#[test]
fn the_clock_of_the_owner_counts_for_the_game_that_has_not_begun_also_after_a_restart() {
    let mut bench = Bench::new();
    assert!(bench.run("show").contains("clock off\r\n"));
    bench.run("set computer 10 white");
    assert_eq!(bench.run("set clock 5+3"), "done\r\n");
    let time = Some(Time::Clock { remaining_ms: 300_000, increment_ms: 3_000, moves_to_go: None });
    assert_eq!(first_question(&mut bench).time, time);
    bench.poll(Input::Wake);
    bench.restart();
    assert_eq!(first_question(&mut bench).time, time);
    assert_eq!(bench.run("set clock off"), "done\r\n");
    bench.restart();
    assert!(matches!(first_question(&mut bench).time, Some(Time::Move(_))));
    assert_eq!(bench.run("set clock 0+3"), "the clock is `off`, or minutes and seconds per move, like `5+3`\r\n");
}

#[test]
fn stats_count_flash_and_name_squares() {
    let mut bench = Bench::new();
    bench.scan(Bitboard::EMPTY);
    let stats = bench.run("stats");
    assert!(
        stats.starts_with("test 1\r\nup 1 s\r\nlast failure: a test\r\n") && stats.ends_with("scans lost 0\r\n"),
        "{stats}"
    );
    assert!(stats.contains("weak magnets none\r\nfaulty switches none\r\n"), "{stats}");
    assert!(stats.contains("link frames 0, sent again 0 (0.0 %)\r\n"), "{stats}");
    (bench.runner.tally.link_frames, bench.runner.tally.resent) = (1_500, 19);
    let stats = bench.run("stats");
    assert!(stats.contains("link frames 1500, sent again 19 (1.2 %)\r\n"), "{stats}");
    bench.runner.core_mut().set_faults(Bitboard(0b11));
    assert!(bench.run("stats").contains("faulty switches a1 b1\r\n"));
    let erases = |stats: &str| {
        let count = stats.split_once("journal erased ").expect(stats).1.split_once(' ').expect(stats).0;
        count.parse::<u32>().expect(stats)
    };
    assert!(erases(&bench.run("stats")) >= 1);
    let before = erases(&bench.run("stats"));
    bench.restart();
    assert!(erases(&bench.run("stats")) >= before, "the count survives a restart");
}

/// The wires of the files are in reverse order: where a1 should be, h1 answers.
#[test]
fn calibration_corrects_mirrored_files_and_survives_a_restart() {
    let mirrored = MatrixWiring::from(Symmetry::from_bits(2));
    let piece = |square: u8| mirrored.wired(Bitboard(1 << square));
    let mut bench = Bench::new();
    assert_eq!(bench.run("calibrate status"), "calibrate: not running\r\n");
    assert_eq!(bench.run("calibrate switches"), "started; `calibrate stop` ends it\r\n");
    // The wires of h8 are faulty: until the calibration, the board takes them for those of a8.
    bench.runner.set_faulty_positions(piece(63));
    assert!(bench.run("stats").contains("faulty switches a8\r\n"));
    for square in ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "h1"] {
        assert!(bench.run("calibrate status").ends_with(&format!("on {square}\r\n")), "{square}");
        let square = square.parse::<Square>().expect("a square").index();
        bench.scan(Bitboard::EMPTY);
        let said = bench.scan(piece(square)).expect("the next step");
        assert_eq!(bench.run("calibrate status"), format!("{said}\r\n"));
    }
    assert_eq!(bench.run("calibrate status"), "calibrate: done, and stored\r\n");
    bench.scan(Bitboard::EMPTY);
    assert!(bench.run("stats").contains("faulty switches h8\r\n"));
    for _ in 0..2 {
        bench.scan(mirrored.wired(Position::start().occupied().without(Bitboard(1 << 6))));
        assert_eq!(bench.occupied(), Position::start().occupied().without(Bitboard(1 << 6)));
        bench.restart();
    }
    assert_eq!(bench.runner.calibration(), Calibration { switches: mirrored, ..Calibration::DEFAULT });
    assert_eq!(bench.run("calibrate reset"), "done\r\n");
    bench.restart();
    assert_eq!(bench.runner.calibration(), Calibration::DEFAULT);
}

#[test]
fn a_calibration_that_is_stopped_changes_nothing_and_no_move_is_read_from_its_touches() {
    let mut bench = Bench::new();
    bench.scan(Position::start().occupied());
    bench.run("calibrate lights");
    let output = bench.runner.poll(Input::Wake, false, Instant::at(bench.now));
    assert_eq!(output.layout, crate::calibration::LightLayout::BY_POSITION);
    bench.scan(Bitboard::EMPTY);
    bench.scan(Bitboard(1));
    assert_eq!(bench.run("calibrate stop"), "done\r\n");
    bench.scan(Position::start().occupied());
    assert_eq!(bench.run("calibrate status"), "calibrate: stopped; nothing has changed\r\n");
    assert_eq!(bench.runner.calibration(), Calibration::DEFAULT);
    assert!(bench.runner.core().play().expect("a game").is_empty());
}

#[test]
fn a_failure_is_in_the_answer_also_if_all_squares_are_faulty() {
    let mut bench = Bench::new();
    bench.runner.core_mut().set_faults(Bitboard(u64::MAX));
    assert!(bench.run("stats").find("last failure").is_some_and(|at| at < 100));
}

#[test]
fn the_self_test_ends_with_the_faults_of_the_wires() {
    let mut bench = Bench::new();
    assert!(bench.run("selftest").ends_with("journal good\r\nfile g touches file h\r\n"));
}
