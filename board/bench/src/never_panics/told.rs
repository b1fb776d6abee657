//! A told game: turns as text and as bytes, their footprints, and a game.

use core::hint::black_box;

use chess::{Bitboard, Color, Piece, Square};
use rules::told::{Last, Position, footprint_between};
use rules::{Footprint, Play, Ply, Start, Verdict, Why};
use wire::turn::{TurnReader, write_turn};

use crate::image::show;

pub(crate) fn run(play: &mut Play) {
    match black_box("anything").parse::<Position>() {
        Ok(turn) => run_game(play, turn),
        Err(error) => show(error),
    }
    let pieces = black_box([Some(Piece::WhiteKing); 64]);
    let ply = Ply::from_bits(black_box(1));
    let footprint = footprint_between(&pieces, &black_box(pieces), ply);
    let mut turn = Position::new(black_box(1), black_box(Color::White), &pieces);
    if let Err(error) = turn.add(ply) {
        show(error);
    }
    if let Err(error) = turn.add_footprint(&footprint) {
        show(error);
    }
    if let Err(error) = turn.add_footprint(&any_footprint(ply)) {
        show(error);
    }
    show(turn);
    run_game(play, turn.reached(&black_box(turn), ply));
    run_game(play, turn.ended(black_box(Verdict::Drawn(Why::Rules))));
    let last = Last { footprint: any_footprint(ply), white: Bitboard::of(black_box(Square::A1)), black: Bitboard::ALL };
    run_game(play, turn.after_last(last));
    if let Some(turn) = turn.with_changes(black_box(&[0, 1, 2])) {
        run_game(play, turn);
    }
    let mut reader = TurnReader::default();
    for &byte in black_box(write_turn(&turn).as_slice()) {
        match reader.push(byte) {
            Ok(Some(turn)) => run_game(play, turn),
            Ok(None) => {}
            Err(error) => show(error),
        }
    }
}

fn any_footprint(ply: Ply) -> Footprint {
    let any = || Bitboard(black_box(1));
    Footprint { ply, lifts: any(), places: any(), captured: any(), after: any() }
}

fn run_game(play: &mut Play, turn: Position) {
    black_box(play.tell(&turn));
    play.restart(&Start::Told(turn));
    let ply = Ply::from_bits(black_box(1));
    if let Err(error) = play.play(ply) {
        show(error);
    }
    let here = play.situation();
    black_box((
        here.turn(),
        here.plies(),
        here.footprint(ply),
        here.choices(ply),
        here.look(ply.to()),
        here.read(black_box("e2e4")).is_ok(),
    ));
    black_box((play.before_last(), play.take_back()));
    play.take_back_to(black_box(0));
    black_box(play.tell(&turn));
}
