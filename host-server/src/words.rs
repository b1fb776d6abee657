//! The meaning of the lights in words, for the page of the virtual board.

pub(crate) mod other_rules;

use board::{Instant, KingsResult, Meaning, Purpose, Reading, Referee, Scene, Stance, promotion_squares};
use chess::{Bitboard, Color, DrawReason, Game, Outcome, Position, Role, Square, WinReason};
use rules::{Ply, Situation};
use wire::link::{Challenge, ClockRule, Seat};

/// What a pawn can become, in the order of [`promotion_squares`].
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// How the computer opponent is chosen.
const MENU: &str = "Choose the computer: rest the king on a3 to e3 (levels 1 to 5), a6 to e6 (levels 6 to 10), g3 (you play White), g6 (you play \
                    Black) or h3 (no computer), and then put it back.";

/// The current sentence.
pub(crate) fn sentence(game: &Game, referee: &Referee, now: Instant) -> String {
    let scene = referee.scene(now);
    let position = game.position();
    if scene.squares(Meaning::Chosen).any() {
        return MENU.to_owned();
    }
    if let Some(words) = opponents_move(position, &scene) {
        return words;
    }
    if game.outcome().is_some() {
        return next_game(&scene);
    }
    if let Some(words) = not_yours(referee) {
        return words;
    }
    if let Some((king, accepts)) = referee.answering_king(now) {
        let answer = if accepts { "accept" } else { "decline" };
        return format!("Put the king back on {king} to {answer} the challenge.");
    }
    let extra = referee.occupied().without(position.occupied());
    if let Some(words) = by_hand(position, referee.stance(), extra, &scene) {
        return words;
    }
    if scene.squares(Meaning::DrawOffered).any() {
        return "The opponent offers a draw: put the kings on d4 and d5 or on e4 and e5 to accept, or play on to decline."
            .to_owned();
    }
    let (back, home) = (scene.squares(Meaning::TakebackFrom).first(), scene.squares(Meaning::TakebackTo).first());
    if let (Some(from), Some(to)) = (back, home) {
        return format!("The opponent asks for a takeback: move from {from} to {to} to accept, or play on to decline.");
    }
    match referee.wanted_search().map(|wanted| wanted.purpose()) {
        Some(Purpose::Move) => return "The computer is thinking.".to_owned(),
        Some(Purpose::Hint) => return "The computer looks for a hint.".to_owned(),
        None => {}
    }
    let hint = (scene.squares(Meaning::HintFrom).first(), scene.squares(Meaning::HintTo).first());
    if let (Some(from), Some(to)) = hint {
        return format!("A hint: from {from} to {to}.");
    }
    if scene.squares(Meaning::Busy).any() {
        return "Waiting for the opponent's answer.".to_owned();
    }
    if let Some(challenge) = referee.challenge() {
        return challenged(challenge);
    }
    if let (Some(color), true) = (own_color(referee), scene.squares(Meaning::OwnSide).any()) {
        return format!("A new game: you play {}.", name(color));
    }
    quiet(position)
}

/// A game that is offered.
fn challenged(Challenge { color, clock, name: challenger, .. }: &Challenge) -> String {
    let time = clock.map_or_else(
        || "without a clock".to_owned(),
        |ClockRule { base_ms, increment_ms }| format!("{}+{}", minutes(base_ms), increment_ms / 1_000),
    );
    let (accepts, declines) = (Position::start().king(*color), Position::start().king(!*color));
    format!(
        "{challenger} challenges you, {time}: you would play {}. Lift the king on {accepts} for a second to accept, the king on {declines} to \
         decline.",
        name(*color)
    )
}

fn minutes(ms: u32) -> String {
    let tenths = ms / 6_000;
    if tenths.is_multiple_of(10) { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) }
}

/// What to do after the end of a game.
pub(crate) fn next_game(scene: &Scene) -> String {
    let (fill, clear) = (scene.squares(Meaning::Fill), scene.squares(Meaning::Clear));
    if (fill | clear).any() {
        return set_up(&Position::start(), fill, clear);
    }
    if scene.squares(Meaning::Settling).any() {
        return arriving(&Position::start(), Reading::StartPosition);
    }
    if scene.squares(Meaning::RematchOffered).any() {
        return "The opponent offers a rematch: set up all pieces to accept.".to_owned();
    }
    "The game is over. Set up all pieces, and the next one begins.".to_owned()
}

/// The player has moved a piece of the remote opponent.
pub(crate) fn not_yours(referee: &Referee) -> Option<String> {
    let (from, to) = referee.not_yours()?;
    let us = own_color(referee)?;
    Some(format!("You play {}: put the piece on {to} back on {from}.", name(us)))
}

/// The only side that is played at the board.
fn own_color(referee: &Referee) -> Option<Color> {
    match referee.seat() {
        Seat::White => Some(Color::White),
        Seat::Black => Some(Color::Black),
        Seat::Both | Seat::Neither => None,
    }
}

/// The side to move, or the result.
pub(crate) fn headline(game: &Game) -> String {
    match game.outcome() {
        Some(Outcome::Aborted) => "Game aborted".to_owned(),
        Some(outcome @ Outcome::Win { winner, by: WinReason::Time }) => {
            format!("{}: {} wins on time", outcome.result(), name(winner))
        }
        Some(outcome @ Outcome::Win { winner, by }) => format!("{}: {} wins by {by}", outcome.result(), name(winner)),
        Some(outcome @ Outcome::Draw(DrawReason::TimeAgainstBareKing)) => {
            format!("{}: draw on time: insufficient material", outcome.result())
        }
        Some(outcome @ Outcome::Draw(reason)) => format!("{}: draw by {reason}", outcome.result()),
        None => format!("{} to move", name(game.position().turn())),
    }
}

/// Squares as a list: "f3", "f3 and h3", "a1, b1 and c1".
pub(crate) fn list(squares: Bitboard, last: &str) -> String {
    join(squares.squares().map(|square| square.to_string()), last)
}

/// The sentence while no piece is touched.
fn quiet(position: &Position) -> String {
    if position.is_check() {
        format!("{} is in check.", name(position.turn()))
    } else {
        "The pieces match the game.".to_owned()
    }
}

/// The opponent's move, until it is made on the board.
fn opponents_move(position: &Position, scene: &Scene) -> Option<String> {
    let from = scene.squares(Meaning::OpponentFrom).first()?;
    let to = scene.squares(Meaning::OpponentTo).first();
    let taken = scene.squares(Meaning::Remove);
    let to = to.or_else(|| taken.first())?;
    let also = if taken.any() { format!(", and remove the piece on {}", list(taken, "and")) } else { String::new() };
    Some(format!("Make the move of {} here: from {from} to {to}{also}.", name(!position.turn())))
}

/// The pieces in hand, and what to do with them.
fn by_hand(position: &Position, stance: Stance, extra: Bitboard, scene: &Scene) -> Option<String> {
    Some(match stance {
        Stance::Settled | Stance::Arriving(Reading::PutBack) => return None,
        // Before the first move, missing pieces are part of setting up.
        Stance::InHand { missing } if (missing & scene.squares(Meaning::Fill)).any() => {
            set_up(position, missing, Bitboard::EMPTY)
        }
        // A piece was just put down, and is not evaluated yet.
        Stance::InHand { .. } if extra.any() => format!("Piece placed on {}.", list(extra, "and")),
        Stance::InHand { missing } => in_hand(position, missing, scene),
        Stance::Arriving(reading) => arriving(position, reading),
        Stance::HalfDone { fill, clear } => half_done(fill, clear),
        Stance::Choosing { to } => {
            let choices = promotion_squares(to).zip(PROMOTIONS).map(|(square, role)| format!("{square} {role}"));
            let choices = choices.collect::<Vec<_>>().join(", ");
            format!("Choose the promotion: touch a lit square (lift and put, or put and lift): {choices}.")
        }
        Stance::Chosen { square, .. } => {
            format!(
                "The promotion is chosen on {square}, and counts after a rest: touch another lit square to change it."
            )
        }
        Stance::Asking(squares) => {
            format!("Was a piece captured on {}? Lift the capturing piece, and put it back.", list(squares, "or"))
        }
        Stance::Disorder { illegal: Some((from, to)), .. } => {
            format!("That is not a legal move: take it back from {to} to {from}.")
        }
        Stance::Disorder { fill, clear, .. } => disorder(position, fill, clear),
    })
}

fn in_hand(position: &Position, missing: Bitboard, scene: &Scene) -> String {
    if missing.count() > FEW {
        return format!("{} pieces are off the board.", missing.count());
    }
    let lifted = join(missing.squares().filter_map(|square| named(position, square)), "and");
    let own = missing & position.of_color(position.turn());
    let theirs = missing.without(own);
    let shown = scene.squares(Meaning::Target) | scene.squares(Meaning::CaptureTarget);
    let advice = match own.first() {
        Some(own) if missing.several() => {
            // The captured piece may be in hand, too.
            let targets = shown | theirs & position.legal().from(own);
            targets.any().then(|| format!("; from {own} it may go to {}", list(targets, "or")))
        }
        Some(_) if shown.any() => Some(format!(": it may go to {}", list(shown, "or"))),
        Some(own) => position.legal().from(own).is_empty().then(|| ": it has no legal move".to_owned()),
        None if missing.several() => None,
        None => {
            let takers = theirs.first().map_or(Bitboard::EMPTY, |square| takers(position, square));
            takers.any().then(|| format!(": it can be captured from {}", list(takers, "or")))
        }
    };
    format!("Lifted {lifted}{}.", advice.unwrap_or_default())
}

/// Squares of the pieces that can capture on this square.
fn takers(position: &Position, square: Square) -> Bitboard {
    let here = Situation::Chess(position);
    let captures = |ply: &Ply| here.footprint(*ply).is_some_and(|footprint| footprint.captured.has(square));
    here.plies().iter().filter(|ply| captures(ply)).map(|ply| ply.from()).collect()
}

fn arriving(position: &Position, reading: Reading) -> String {
    let san = |ply: Ply| {
        let san = ply.to_move().and_then(|mv| position.san(mv).ok());
        san.map_or_else(|| ply.to_string(), |san| san.to_string())
    };
    let what = match reading {
        Reading::Moved(mv) => return format!("{} counts when the piece has rested.", san(mv)),
        Reading::MovedTwice(first, _) => {
            return format!("{} and the answer to it count when the pieces have rested.", san(first));
        }
        Reading::MovedSeveral(_) => "Several moves are read",
        Reading::PutBack | Reading::TakenBack => "The last move is taken back",
        Reading::Corrected(_) | Reading::CorrectedTo(_) => "The last move is corrected",
        Reading::Withdrawn => "The move that was sent is withdrawn",
        Reading::Kings(KingsResult::WhiteWon) => "White has won",
        Reading::Kings(KingsResult::BlackWon) => "Black has won",
        Reading::Kings(KingsResult::Draw) => "It is a draw",
        Reading::StartPosition => "A new game begins",
    };
    format!("{what}, if the pieces rest as they are.")
}

fn half_done(fill: Bitboard, clear: Bitboard) -> String {
    match (clear.any(), fill.any()) {
        (true, true) => format!("The move is incomplete: now from {} to {}.", list(clear, "and"), list(fill, "and")),
        (true, false) => format!("The move is incomplete: remove the piece on {}.", list(clear, "and")),
        _ => format!("The move is incomplete: put a piece on {}.", list(fill, "and")),
    }
}

fn disorder(position: &Position, fill: Bitboard, clear: Bitboard) -> String {
    if let (Some(from), Some(to)) = (fill.first(), clear.first())
        && !fill.several()
        && !clear.several()
        && position.of_color(!position.turn()).has(from)
    {
        return format!("It is {}'s turn: the piece on {to} belongs on {from}.", name(position.turn()));
    }
    set_up(position, fill, clear)
}

/// Number of squares that are listed one by one.
const FEW: u32 = 4;

/// How to restore the position of the game: superfluous pieces first.
fn set_up(position: &Position, fill: Bitboard, clear: Bitboard) -> String {
    let mut words = Vec::new();
    match clear.count() {
        0 => {}
        1..=FEW => words.push(format!("Remove the piece on {}.", list(clear, "and"))),
        count => words.push(format!("Remove the pieces on the {count} blinking squares.")),
    }
    let mut missing = fill.squares().filter_map(|square| named(position, square));
    match fill.count() {
        0 => {}
        1..=FEW => words.push(format!("Missing: {}.", join(missing, "and"))),
        count => {
            let first = missing.next().unwrap_or_default();
            words.push(format!("{count} pieces are missing; begin with {first}."));
        }
    }
    words.join(" ")
}

/// "White's knight on g1".
fn named(position: &Position, square: Square) -> Option<String> {
    position.piece_at(square).map(|piece| format!("{}'s {} on {square}", name(piece.color()), piece.role()))
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn join(words: impl Iterator<Item = String>, last: &str) -> String {
    let mut words: Vec<String> = words.collect();
    match words.pop() {
        Some(end) if !words.is_empty() => format!("{} {last} {end}", words.join(", ")),
        end => end.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
