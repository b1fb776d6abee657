use chess::DrawClaim;
use rules::{Ply, Verdict};

/// Why a room refuses a command. The room has not changed. The texts are shown to players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the text of each variant documents it")]
pub enum Refusal {
    #[error("This game has ended.")]
    Closed,
    #[error("That seat is taken.")]
    Taken,
    #[error("Only the players can do that.")]
    NoSeat,
    #[error("The game has not started yet.")]
    NotBegun,
    #[error("The game is over: {0}.")]
    Over(Verdict),
    #[error("The game is not over yet.")]
    NotOver,
    #[error("It is not your turn.")]
    NotYourTurn,
    #[error("The game is frozen for a moment.")]
    Frozen,
    #[error("The position has changed since.")]
    Stale,
    #[error("This is not your piece.")]
    NotYourPiece,
    #[error("There is no piece on this square.")]
    NoPiece,
    #[error("{0} is an illegal move.")]
    Illegal(Ply),
    #[error("{0} must name the piece that the pawn is promoted to.")]
    NoPromotion(Ply),
    #[error("This game is too long: only moves that finish it are accepted.")]
    TooLong,
    #[error("There is no draw by {0}.")]
    NoClaim(DrawClaim),
    #[error("A draw has been offered already.")]
    OfferedAlready,
    #[error("There is no offer to answer.")]
    NoOffer,
    #[error("There are not that many moves to take back.")]
    NothingToTakeBack,
    #[error("No more moves can be taken back in this game.")]
    TooManyTakebacks,
    #[error("It is too late to abort the game.")]
    TooLateToAbort,
    #[error("A game without a clock is not lost by absence.")]
    NoClaimWithoutClock,
    #[error("Your opponent is connected.")]
    OpponentIsHere,
    #[error("Your opponent still has time to come back.")]
    TooEarlyToClaim,
    #[error("A chat message must have 1 to 500 characters.")]
    BadText,
    #[error("The chat of this game is full.")]
    ChatFull,
}
