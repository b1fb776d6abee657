//! Moves, squares and positions in the notations of JSON messages.

use std::collections::BTreeMap;
use std::fmt;

use chess::{Bitboard, Color, Fen, Role, Square};
use rules::{AnyPosition, Choice, Look, Notation, Ply, Situation};
use serde::{Serialize, Serializer};

use crate::room::Room;

/// Serialises a value by its `Display` form.
#[derive(Clone, Copy, Debug)]
pub(super) struct AsText<T>(pub(super) T);

impl<T: fmt::Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A move, with the remaining time of the mover.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Written {
    pub(super) uci: AsText<Ply>,
    pub(super) san: AsText<Notation>,
    /// The side that made the move.
    pub(super) color: AsText<Color>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock_ms: Option<u32>,
}

impl Written {
    /// The last move of the game in a room, which was made in the position `here`.
    pub(super) fn last(ply: Ply, here: Situation<'_>, room: &Room) -> Self {
        let clock_ms = room.clock_after().last().copied();
        Self { uci: AsText(ply), san: AsText(here.notation(ply)), color: AsText(here.to_move()), clock_ms }
    }
}

/// A move, with the position after it: a FEN in chess, a placement under other rules.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Recalled {
    #[serde(flatten)]
    pub(super) written: Written,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    placement: Option<String>,
    #[serde(skip_serializing_if = "SquareList::is_empty")]
    checked: SquareList,
}

/// The squares of a set, by their names.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquareList(pub(super) Bitboard);

impl SquareList {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference to `skip_serializing_if`")]
    pub(super) fn is_empty(&self) -> bool {
        !self.0.any()
    }
}

impl Serialize for SquareList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.squares().map(AsText))
    }
}

/// The FEN of a position of chess.
pub(super) fn fen(here: Situation<'_>) -> Option<AsText<Fen<'_>>> {
    here.chess().map(|position| AsText(position.fen()))
}

/// What stands where under other rules than chess: 64 letters, a1 first, and a full stop for an empty square.
pub(super) fn placement(here: Situation<'_>) -> Option<String> {
    let letter = |square| here.look(square).map_or('.', |look| look.letter);
    here.chess().is_none().then(|| Square::all().map(letter).collect())
}

/// A piece or a choice, for people: what a letter stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Legend {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<&'static str>,
    /// The letter of the piece of chess that it is drawn as.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawing: Option<char>,
}

/// What letters stand for.
pub(super) type Letters = BTreeMap<char, Legend>;

/// Adds the letters of a placement. Positions of chess have none.
pub(super) fn add_pieces(here: Situation<'_>, letters: &mut Letters) {
    if here.chess().is_none() {
        for Look { color, letter, name, drawing } in Square::all().filter_map(|square| here.look(square)) {
            let color = Some(if color == Color::White { "white" } else { "black" });
            letters.entry(letter).or_insert_with(|| Legend::new(name, color, drawing));
        }
    }
}

/// Adds the letter of a choice. Promotions of chess have none.
pub(super) fn add_choice(here: Situation<'_>, choice: u8, letters: &mut Letters) {
    if let (None, Some(Choice { letter, name, drawing })) = (here.chess(), here.choice(choice)) {
        letters.entry(letter).or_insert_with(|| Legend::new(name, None, drawing));
    }
}

impl Legend {
    fn new(name: &str, color: Option<&'static str>, drawing: Option<Role>) -> Self {
        Self { name: name.to_owned(), color, drawing: drawing.map(Role::letter) }
    }
}

/// All moves of the game in a room.
pub(super) fn written(room: &Room) -> Vec<Written> {
    replay(room).map(|(written, _)| written).collect()
}

/// All moves of the game in a room, with the positions after them. Adds the letters of their pieces.
pub(super) fn recalled(room: &Room, letters: &mut Letters) -> Vec<Recalled> {
    replay(room)
        .map(|(written, after)| {
            let here = after.situation();
            add_pieces(here, letters);
            let fen = here.chess().map(|position| position.fen().to_string());
            Recalled { written, fen, placement: placement(here), checked: SquareList(here.turn().checked) }
        })
        .collect()
}

fn replay(room: &Room) -> impl Iterator<Item = (Written, AnyPosition)> {
    let mut clocks = room.clock_after().iter().copied();
    room.positions().map(move |(ply, before, after)| {
        let here = before.situation();
        let (san, color) = (AsText(here.notation(ply)), AsText(here.to_move()));
        (Written { uci: AsText(ply), san, color, clock_ms: clocks.next() }, after)
    })
}
