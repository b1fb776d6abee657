//! The meaning of the lights in words, for a game under other rules than chess.

use board::{Instant, Meaning, Referee, Scene, Stance, choice_squares};
use chess::{Bitboard, Color};
use rules::{Play, Verdict};

use super::{half_done, list, name, next_game, not_yours};

/// The side to move, or the result.
pub(crate) fn headline(play: &Play) -> String {
    match play.verdict() {
        None => format!("{} to move", name(play.to_move())),
        Some(Verdict::Won { winner, .. }) => format!("{} wins", name(winner)),
        Some(Verdict::Drawn(_)) => "Draw".to_owned(),
        Some(Verdict::Aborted | Verdict::Abandoned) => "Game aborted".to_owned(),
    }
}

/// The current sentence.
pub(crate) fn sentence(play: &Play, referee: &Referee, now: Instant) -> String {
    let scene = referee.scene(now);
    if let Some(words) = opponents_move(play.to_move(), &scene) {
        return words;
    }
    if play.verdict().is_some() {
        return next_game(&scene);
    }
    if let Some(words) = not_yours(referee) {
        return words;
    }
    if scene.squares(Meaning::Frozen).any() {
        return "The game is frozen for a moment.".to_owned();
    }
    by_hand(play, referee.stance(), &scene).unwrap_or_else(|| {
        let altered = scene.squares(Meaning::Altered);
        if altered.any() {
            format!("The piece on {} has changed with the last move.", list(altered, "and"))
        } else {
            "The pieces match the game.".to_owned()
        }
    })
}

/// The opponent's move, until it is made on the board.
fn opponents_move(to_move: Color, scene: &Scene) -> Option<String> {
    let (from, to) = (scene.squares(Meaning::OpponentFrom), scene.squares(Meaning::OpponentTo));
    let taken = scene.squares(Meaning::Remove);
    let mut steps = Vec::new();
    if taken.any() {
        steps.push(format!("remove the piece on {}", list(taken, "and")));
    }
    // Where a piece is captured, its square shows that first.
    match (from.first(), (to | taken).first()) {
        (None, None) => return None,
        (Some(from), Some(to)) => steps.push(format!("move from {from} to {to}")),
        (Some(from), None) => steps.push(format!("remove the piece on {from}")),
        (None, Some(to)) => steps.push(format!("put a piece on {to}")),
    }
    Some(format!("Make the move of {} here: {}.", name(!to_move), steps.join(", and ")))
}

fn by_hand(play: &Play, stance: Stance, scene: &Scene) -> Option<String> {
    Some(match stance {
        Stance::Settled | Stance::Arriving(_) => return None,
        Stance::InHand { missing } => {
            let targets = scene.squares(Meaning::VariantTarget) | scene.squares(Meaning::CaptureTarget);
            if targets.any() {
                format!("Lifted from {}: it may go to {}.", list(missing, "and"), list(targets, "or"))
            } else {
                format!("Lifted from {}.", list(missing, "and"))
            }
        }
        Stance::HalfDone { fill, clear } => half_done(fill, clear),
        Stance::Choosing { to } => {
            let situation = play.situation();
            let plies = situation.plies();
            let promotion = plies.iter().find(|ply| ply.to() == to && ply.choice() != 0)?;
            let choices = situation.choices(*promotion);
            let count = u8::try_from(choices.len()).unwrap_or(u8::MAX);
            let named = choice_squares(to, count)
                .zip(choices)
                .filter_map(|(square, &choice)| Some(format!("{square} {}", situation.choice(choice)?.name)));
            let named = named.collect::<Vec<_>>().join(", ");
            format!("Choose the promotion: touch a lit square (lift and put, or put and lift): {named}.")
        }
        Stance::Chosen { square, .. } => {
            format!(
                "The promotion is chosen on {square}, and counts after a rest: touch another lit square to change it."
            )
        }
        Stance::Asking(squares) => {
            format!("To confirm the move to {}, lift the piece there and put it back.", list(squares, "or"))
        }
        Stance::Disorder { illegal: Some((from, to)), .. } => {
            format!("That is not a legal move: take it back from {to} to {from}.")
        }
        Stance::Disorder { fill, clear, .. } => disorder(fill, clear),
    })
}

fn disorder(fill: Bitboard, clear: Bitboard) -> String {
    let mut words = Vec::new();
    if clear.any() {
        words.push(format!("Remove the piece on {}.", list(clear, "and")));
    }
    if fill.any() {
        words.push(format!("A piece is missing on {}.", list(fill, "and")));
    }
    words.join(" ")
}
