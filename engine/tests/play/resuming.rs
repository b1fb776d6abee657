//! Steps of a search, limits and memory.

use chess::Position;
use engine::{Engine, Level, Limits, Memory, Slot, StartError, Step, Time};

use crate::thinker::{Thinker, moves, position};

#[test]
fn small_steps_give_the_result_of_one_step() {
    let start = position("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9");
    for level in [2, 6, 10] {
        let whole = Thinker::at_level(level, 5).best(&start, &[], 6_000);
        for step in [1, 7, 1000] {
            let mut thinker = Thinker::at_level(level, 5);
            thinker.step = step;
            assert_eq!(thinker.best(&start, &[], 6_000), whole, "level {level}, steps of {step}");
        }
    }
}

#[test]
fn a_step_is_bounded() {
    let (mut memory, mut table) = (Box::<Memory>::default(), vec![Slot::EMPTY; 1024]);
    let mut engine = Engine::new(&mut memory, &mut table);
    engine.set_openings(false);
    engine.start(&Position::start(), &[], Limits::default()).expect("a position");
    for step in 1..200 {
        assert_eq!(engine.step(50, 0), Step::Thinking);
        assert_eq!(engine.progress().nodes, step * 50);
    }
}

#[test]
fn another_search_replaces_one_that_is_given_up() {
    let (mut memory, mut table) = (Box::<Memory>::default(), vec![Slot::EMPTY; 1024]);
    let mut engine = Engine::new(&mut memory, &mut table);
    engine.set_openings(false);
    assert_eq!(engine.step(10, 0), Step::Idle);
    engine.start(&Position::start(), &[], Limits::default()).expect("a position");
    assert_eq!(engine.step(5_000, 0), Step::Thinking);
    engine.start(&Position::start(), &moves("f2f3 e7e5 g2g4"), Limits::default()).expect("a position");
    let Step::Best(best) = engine.step(100_000, 0) else { panic!("a mate in one ends the search") };
    assert_eq!(best.mv.to_string(), "d8h4");
    assert_eq!((engine.step(10, 0), engine.stop()), (Step::Idle, None));
}

#[test]
fn a_stopped_search_has_a_legal_move() {
    let start = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for nodes in [1, 2, 3, 10, 48, 49, 50, 300, 5000] {
        let (mut memory, mut table) = (Box::<Memory>::default(), vec![Slot::EMPTY; 1024]);
        let mut engine = Engine::new(&mut memory, &mut table);
        engine.start(&start, &[], Limits::default()).expect("a position");
        assert_eq!(engine.step(nodes, 0), Step::Thinking);
        let best = engine.stop().expect("a move");
        assert!(start.is_legal(best.mv), "{best:?}");
    }
}

#[test]
fn time_ends_a_search() {
    let (mut memory, mut table) = (Box::<Memory>::default(), vec![Slot::EMPTY; 1024]);
    let mut engine = Engine::new(&mut memory, &mut table);
    engine.set_openings(false);
    let limits = Limits { time: Some(Time::Move(1000)), ..Limits::default() };
    engine.start(&Position::start(), &[], limits).expect("a position");
    assert_eq!(engine.step(1000, 500), Step::Thinking);
    assert!(matches!(engine.step(1000, 999), Step::Best(_)));
}

#[test]
fn a_depth_limit_is_kept() {
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let best = Thinker::new().think(&Position::start(), &[], limits).expect("a move");
    assert_eq!(best.depth, 3);
    assert_eq!(best.line.first(), Some(&best.mv));
}

#[test]
fn every_level_plays_the_moves_that_it_is_restricted_to_also_those_that_it_overlooks() {
    let start = position("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9");
    let mut legal = Vec::new();
    start.legal().for_each(|mv| legal.push(mv));
    let illegal = moves("e2e8");
    for level in [1, 2, 3, 4, 10].map(|number| Level::new(number).expect("a level")) {
        let (mut memory, mut table) = (Box::<Memory>::default(), vec![Slot::EMPTY; 1024]);
        let mut engine = Engine::new(&mut memory, &mut table);
        engine.set_level(level);
        let limits = Limits { nodes: Some(200), ..Limits::default() };
        for &mv in &legal {
            engine.start(&start, &[], limits).expect("a position");
            engine.search_only(&[mv, illegal[0]]);
            assert_eq!(engine.progress().best.mv, mv, "before the search, {level:?}");
            let Step::Best(best) = engine.step(u32::MAX, 0) else { panic!("the search ends") };
            assert_eq!(best.mv, mv, "{level:?}");
        }
        engine.start(&start, &[], limits).expect("a position");
        engine.search_only(&illegal);
        let Step::Best(best) = engine.step(u32::MAX, 0) else { panic!("the search ends") };
        assert!(legal.contains(&best.mv), "{level:?}");
    }
}

#[test]
fn works_without_a_table() {
    let mut memory = Box::<Memory>::default();
    let mut engine = Engine::new(&mut memory, &mut []);
    engine.start(&position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"), &[], Limits::default()).expect("a position");
    assert!(matches!(engine.step(100_000, 0), Step::Best(best) if best.mv.to_string() == "a1a8"));
}

#[test]
fn refuses_games_with_wrong_moves_and_without_moves() {
    let mut thinker = Thinker::new();
    let error = thinker.think(&Position::start(), &moves("e2e4 e2e4"), Limits::default()).err();
    assert_eq!(error.map(|error| error.to_string()).as_deref(), Some("e2e4 is not a legal move here"));
    let mate = position("7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    assert_eq!(thinker.think(&mate, &[], Limits::default()), Err(StartError::NoMove));
}

/// 192 KB with a table of 128 KB.
#[test]
fn memory_fits_a_board() {
    let table = 16 * 1024 * size_of::<Slot>();
    assert_eq!(table, 128 * 1024);
    assert!(size_of::<Memory>() + table <= 192 * 1024, "{}", size_of::<Memory>());
}

#[test]
fn a_new_engine_knows_the_results_of_the_one_before_as_old() {
    let (mut memory, mut table) = (Box::<Memory>::default(), vec![Slot::EMPTY; 1024]);
    for _ in 0..3 {
        let mut engine = Engine::new(&mut memory, &mut table);
        engine.set_openings(false);
        engine.start(&Position::start(), &[], Limits::default()).expect("a position");
        assert_eq!(engine.progress().table_permille, 0, "results of the engine before count as those of this search");
        assert_eq!(engine.step(20_000, 0), Step::Thinking);
        assert!(engine.progress().table_permille > 500);
    }
}

/// A hint searches the same positions with the same memory at full strength.
#[test]
fn a_level_plays_the_same_move_after_a_hint() {
    let (mut memory, mut table) = (Box::<Memory>::default(), vec![Slot::EMPTY; 1024]);
    let mut engine = Engine::new(&mut memory, &mut table);
    engine.set_openings(false);
    let game = moves("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 e1g1 e8g8 b1d2 a7a6 c4b3 h7h6 f1e1 c8e6");
    let limits = Limits { nodes: Some(2_500), ..Limits::default() };
    for level in [5, 7, 8, 9].map(|number| Level::new(number).expect("a level")) {
        for len in 4..game.len() {
            let mut think = |level| {
                engine.set_level(level);
                engine.start(&Position::start(), &game[..len], limits).expect("a position");
                engine.step(u32::MAX, 0)
            };
            let alone = think(level);
            think(Level::FULL);
            assert_eq!(think(level), alone, "{level:?} after {len} plies");
        }
    }
}

#[test]
fn a_move_that_is_better_than_expected_is_the_answer_before_its_score_is_exact() {
    let (mut memory, mut table) = (Box::<Memory>::default(), vec![Slot::EMPTY; 16 * 1024]);
    let mut engine = Engine::new(&mut memory, &mut table);
    let mut changes = 0;
    // From the Bratko-Kopec test: the best moves are seen late.
    for fen in [
        "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
        "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
        "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1",
    ] {
        engine.start(&position(fen), &[], Limits::default()).expect("a position");
        let mut before = engine.progress().best;
        while engine.progress().nodes < 40_000 && engine.step(1, 0) == Step::Thinking {
            let best = engine.progress().best;
            // Only a complete iteration has another depth.
            changes += u32::from(best.depth == before.depth && best.mv != before.mv);
            before = best;
        }
    }
    assert!(changes > 0, "no move became the best within an iteration");
}
