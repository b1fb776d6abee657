//! The names of reasons for the end of a game, in the log, in JSON and in metrics. None of them may ever change.

use chess::Color;
use rules::{Verdict, Why};

/// The name of why a game ended.
#[must_use]
pub const fn reason_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Won { why, .. } | Verdict::Drawn(why) => name(why),
        Verdict::Aborted => "aborted",
        // The winner shows whether one player left or both.
        Verdict::Abandoned => name(Why::Abandonment),
    }
}

const fn name(why: Why) -> &'static str {
    match why {
        Why::Checkmate => "checkmate",
        Why::Resignation => "resignation",
        Why::Time => "time",
        Why::Abandonment => "disconnect",
        Why::Stalemate => "stalemate",
        Why::InsufficientMaterial => "insufficient_material",
        Why::FivefoldRepetition => "fivefold_repetition",
        Why::SeventyFiveMoves => "seventy_five_moves",
        Why::ThreefoldRepetition => "threefold_repetition",
        Why::FiftyMoves => "fifty_moves",
        Why::Agreement => "agreement",
        Why::TimeAgainstBareKing => "time_against_bare_king",
        Why::Rules => "rules",
    }
}

/// The verdict with this reason and this winner; `None` if there is none.
pub(super) fn verdict_for(reason: &str, winner: Option<Color>) -> Option<Verdict> {
    const WINS: [Why; 5] = [Why::Checkmate, Why::Resignation, Why::Time, Why::Abandonment, Why::Rules];
    const DRAWS: [Why; 9] = [
        Why::Stalemate,
        Why::InsufficientMaterial,
        Why::FivefoldRepetition,
        Why::SeventyFiveMoves,
        Why::ThreefoldRepetition,
        Why::FiftyMoves,
        Why::Agreement,
        Why::TimeAgainstBareKing,
        Why::Rules,
    ];
    let named = |reasons: &[Why]| reasons.iter().copied().find(|&why| name(why) == reason);
    match winner {
        Some(winner) => named(&WINS).map(|why| Verdict::Won { winner, why }),
        None => [Verdict::Aborted, Verdict::Abandoned]
            .into_iter()
            .find(|&verdict| reason_of(verdict) == reason)
            .or_else(|| named(&DRAWS).map(Verdict::Drawn)),
    }
}
