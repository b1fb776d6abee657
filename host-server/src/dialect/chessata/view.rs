//! Messages that both the welcome and updates contain.

use axum::extract::ws::Utf8Bytes;
use chess::Color;
use rules::{Verdict, Why};

use super::message::{
    Clocks, EndExtras, EndOfGame, GameState, LegalMoves, Note, Offers, Passage, Passer, Players, Side, Start,
    StartExtras, StateExtras, claims,
};
use super::position::{self, Board};
use crate::dialect::frame;
use crate::dialect::notation::{AsText, Letters, SquareList, Written, add_pieces, fen, placement, recalled};
use crate::room::{Room, Time, reason_of};

/// Which moves a game state contains.
pub(super) enum Past<'a> {
    /// All moves, for a client that enters.
    Whole,
    /// What is new since this state.
    After(&'a Room),
}

/// The start of a game.
pub(super) fn start(room: &Room, color: Option<Color>, at: Time, extras: bool) -> Utf8Bytes {
    start_with(room, color, extras.then(|| Players::of(room, at)))
}

/// The start of a game with these players, for a client with extensions, or without.
pub(super) fn start_with(room: &Room, color: Option<Color>, players: Option<Players<'_>>) -> Utf8Bytes {
    let extras = players.map(|players| StartExtras { game: room.games(), players });
    frame(&Start { color: Side(color), extras })
}

/// The state of the game, with the notes about it.
pub(super) fn state(room: &Room, past: &Past<'_>, at: Time, extras: bool, frames: &mut Vec<Utf8Bytes>) {
    let game = room.game();
    let here = game.situation();
    let turn = here.turn();
    let (has_king_moved, has_rook_moved) = game.chess().map(position::moved).unwrap_or_default();
    let checked = Color::ALL.into_iter().find(|&color| (turn.checked & turn.of(color)).any());
    let start = room.start_position();
    let extras = extras.then(|| {
        let mut pieces = Letters::new();
        add_pieces(here, &mut pieces);
        let (moves, last_move) = match past {
            Past::Whole => {
                add_pieces(start.situation(), &mut pieces);
                let moves = recalled(room, &mut pieces);
                let last = moves.last().map(|recalled| recalled.written);
                (Some(moves), last)
            }
            Past::After(before) => (None, last_move(before, room)),
        };
        let legal_moves = LegalMoves::of(room);
        StateExtras {
            fen: fen(here),
            placement: placement(here),
            pieces,
            ply: game.len(),
            game: room.games(),
            phase: room.phase().name(),
            last_move,
            check: checked.map(AsText),
            turn: AsText(turn.to_move),
            checked: SquareList(turn.checked),
            choices: legal_moves.choices(),
            legal_moves,
            clock: room.clock().map(|clock| Clocks::of(clock, at)),
            offers: Offers::of(room),
            hints: room.hints(),
            frozen_ms: room.frozen_ms(at),
            claims: claims(room),
            start: moves.is_some().then(|| fen(start.situation())).flatten(),
            start_placement: moves.is_some().then(|| placement(start.situation())).flatten(),
            moves,
        }
    });
    frames.push(frame(&GameState {
        player_turn_id: room.seat(turn.to_move).map(|seated| &seated.player.id),
        board: Board::of(here),
        allow_en_passant: game.chess().map(position::en_passant).unwrap_or_default(),
        has_king_moved,
        has_rook_moved,
        extras,
    }));
    if let Some(color) = checked {
        let is_mate = game.verdict().and_then(Verdict::why) == Some(Why::Checkmate);
        let what = if is_mate { "checkmate" } else { "check" };
        frames.push(note(format!("The {color} king is in {what}!")));
    }
}

pub(super) fn note(message: String) -> Utf8Bytes {
    frame(&Note { message })
}

/// The last move, unless moves were taken back.
fn last_move(before: &Room, room: &Room) -> Option<Written> {
    let ply = room.last_ply()?;
    let earlier = room.game().sheet().split_last()?.1;
    if before.games() != room.games() || before.game().sheet() != earlier {
        let earlier = room.before_last()?;
        return Some(Written::last(ply, earlier.situation(), room));
    }
    Some(Written::last(ply, before.game().situation(), room))
}

/// The end of a game.
pub(super) fn end(room: &Room, verdict: Verdict, at: Time, extras: bool) -> Utf8Bytes {
    let clock = room.clock().map(|clock| Clocks::of(clock, at));
    frame(&EndOfGame {
        result: result(verdict),
        winner_id: verdict.winner().and_then(|winner| room.seat(winner)).map(|seated| &seated.player.id),
        extras: extras.then(|| EndExtras { reason: reason_of(verdict), result_text: verdict.result(), clock }),
    })
}

/// The document's name of an ending: it has five.
const fn result(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Won { why: Why::Abandonment, .. } | Verdict::Aborted | Verdict::Abandoned => "disconnect",
        Verdict::Won { why: Why::Resignation, .. } => "surrender",
        Verdict::Won { winner: Color::White, .. } => "white_win",
        Verdict::Won { winner: Color::Black, .. } => "black_win",
        Verdict::Drawn(_) => "stalemate",
    }
}

/// The arrival of a player.
pub(super) fn player_joins(room: &Room, color: Color, extras: bool) -> Option<Utf8Bytes> {
    Some(frame(&Passage::Join(player(room, color, extras)?)))
}

/// The departure of a player.
pub(super) fn player_leaves(room: &Room, color: Color, extras: bool) -> Option<Utf8Bytes> {
    Some(frame(&Passage::Leave(player(room, color, extras)?)))
}

fn player(room: &Room, color: Color, extras: bool) -> Option<Passer<'_>> {
    let player = &room.seat(color)?.player;
    let side = Side(Some(color));
    Some(Passer { user_id: &player.id, username: &player.name, role: side.0.into(), color: extras.then_some(side) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_maps_to_a_documented_one() {
        let won = |why, winner| result(Verdict::Won { winner, why });
        assert_eq!(won(Why::Checkmate, Color::White), "white_win");
        assert_eq!(won(Why::Time, Color::Black), "black_win");
        assert_eq!(won(Why::Rules, Color::Black), "black_win");
        assert_eq!(won(Why::Resignation, Color::Black), "surrender");
        assert_eq!(won(Why::Abandonment, Color::White), "disconnect");
        assert_eq!(result(Verdict::Aborted), "disconnect");
        assert_eq!(result(Verdict::Abandoned), "disconnect");
        for drawn in [
            Why::Stalemate,
            Why::InsufficientMaterial,
            Why::FivefoldRepetition,
            Why::SeventyFiveMoves,
            Why::ThreefoldRepetition,
            Why::FiftyMoves,
            Why::Agreement,
            Why::TimeAgainstBareKing,
            Why::Rules,
        ] {
            assert_eq!(result(Verdict::Drawn(drawn)), "stalemate");
        }
    }
}
