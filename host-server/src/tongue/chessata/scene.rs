//! The parts of a room that are told as they are, to those who come and to those who are there.

use axum::extract::ws::Utf8Bytes;
use chess::{Color, Position};

use super::picture::{self, Board};
use super::writing::{
    Clocks, EndExtras, EndOfGame, GameState, LegalMoves, Note, Offers, Passage, Passer, Players, Side, Start,
    StartExtras, StateExtras, claims, phase,
};
use crate::room::{Ending, Reason, Room, Time};
use crate::tongue::frame;
use crate::tongue::notation::{Shown, Written, recalled, written};

/// How a game is shown.
pub(super) enum Past<'a> {
    /// With all its moves, to somebody who comes.
    Whole,
    /// To those who know the room as it was before.
    After(&'a Room),
}

/// What everybody is told when a game begins, and who comes later as well.
pub(super) fn start(room: &Room, color: Option<Color>, extras: bool) -> Utf8Bytes {
    let extras = extras.then(|| StartExtras { game: room.games(), players: Players::of(room) });
    frame(&Start { color: Side(color), extras })
}

/// The state of the game, and what has to be said about it.
pub(super) fn state(room: &Room, past: &Past<'_>, at: Time, extras: bool, frames: &mut Vec<Utf8Bytes>) {
    let game = room.game();
    let position = game.position();
    let (has_king_moved, has_rook_moved) = picture::moved(game);
    let checked = position.is_check().then_some(position.turn());
    let extras = extras.then(|| {
        let (moves, last_move) = match past {
            Past::Whole => {
                let moves = recalled(room);
                let last = moves.last().map(|recalled| recalled.written);
                (Some(moves), last)
            }
            Past::After(before) => (None, last_move(before, room)),
        };
        StateExtras {
            fen: Shown(position.fen()),
            ply: game.moves().len(),
            game: room.games(),
            phase: phase(room.phase()),
            last_move,
            check: checked.map(Shown),
            legal_moves: LegalMoves(room),
            clock: room.clock().map(|clock| Clocks::of(clock, at)),
            offers: Offers::of(room),
            hints: room.hints(),
            claims: claims(room),
            start: (moves.is_some() && *game.start() != Position::start()).then(|| Shown(game.start().fen())),
            moves,
        }
    });
    frames.push(frame(&GameState {
        player_turn_id: room.seat(position.turn()).map(|seated| &seated.player.id),
        board: Board::of(game),
        allow_en_passant: picture::en_passant(game),
        has_king_moved,
        has_rook_moved,
        extras,
    }));
    if let Some(color) = checked {
        let what = if position.is_checkmate() { "checkmate" } else { "check" };
        frames.push(note(format!("The {color} king is in {what}!")));
    }
}

pub(super) fn note(message: String) -> Utf8Bytes {
    frame(&Note { message })
}

/// The last move. Where it was played is known from before, unless moves were taken back.
fn last_move(before: &Room, room: &Room) -> Option<Written> {
    let (&mv, earlier) = room.game().moves().split_last()?;
    if before.games() != room.games() || before.game().moves() != earlier {
        return written(room).pop();
    }
    let san = before.game().position().san(mv).ok()?;
    let clock_ms = room.clock_after().last().copied();
    Some(Written { uci: Shown(mv), san: Shown(san), clock_ms })
}

/// How the game has ended.
pub(super) fn end(room: &Room, ending: Ending, at: Time, extras: bool) -> Utf8Bytes {
    let clock = room.clock().map(|clock| Clocks::of(clock, at));
    frame(&EndOfGame {
        result: result(ending),
        winner_id: ending.winner.and_then(|winner| room.seat(winner)).map(|seated| &seated.player.id),
        extras: extras.then(|| EndExtras { reason: ending.reason, result_text: ending.result(), clock }),
    })
}

/// Each ending as one of the five that the document knows.
fn result(ending: Ending) -> &'static str {
    match (ending.reason, ending.winner) {
        (Reason::Disconnect | Reason::Aborted, _) => "disconnect",
        (Reason::Resignation, _) => "surrender",
        (_, Some(Color::White)) => "white_win",
        (_, Some(Color::Black)) => "black_win",
        (_, None) => "stalemate",
    }
}

/// That a player has come.
pub(super) fn player_joins(room: &Room, color: Color, extras: bool) -> Option<Utf8Bytes> {
    Some(frame(&Passage::Join(player(room, color, extras)?)))
}

/// That a player has gone.
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
    fn every_ending_is_one_of_the_documents_five() {
        let ending = |reason, winner| result(Ending { reason, winner });
        assert_eq!(ending(Reason::Checkmate, Some(Color::White)), "white_win");
        assert_eq!(ending(Reason::Time, Some(Color::Black)), "black_win");
        assert_eq!(ending(Reason::Resignation, Some(Color::Black)), "surrender");
        assert_eq!(ending(Reason::Disconnect, Some(Color::White)), "disconnect");
        assert_eq!(result(Ending::ABORTED), "disconnect");
        for drawn in [
            Reason::Stalemate,
            Reason::InsufficientMaterial,
            Reason::FivefoldRepetition,
            Reason::SeventyFiveMoves,
            Reason::ThreefoldRepetition,
            Reason::FiftyMoves,
            Reason::Agreement,
            Reason::TimeAgainstBareKing,
        ] {
            assert_eq!(ending(drawn, None), "stalemate");
        }
    }
}
