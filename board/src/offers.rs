use chess::{Color, Scoresheet};
use rules::{Play, Ply, Verdict, Why};
use wire::link::Event;

/// What the players of a game have asked each other and not answered yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// The side that offers a draw.
    pub draw: Option<Color>,
    #[expect(missing_docs, reason = "see `Takeback`")]
    pub takeback: Option<Takeback>,
}

/// A pending takeback request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the number of plies is named for what it is")]
pub struct Takeback {
    /// Whether the player at the board made it.
    pub asked_here: bool,
    pub plies: u8,
}

/// What an event of the link changes in a game. Who owns the game makes the change, with the clocks, lights or records that depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// At most the offers.
    Nothing,
    /// The next ply of the game. Whether it is legal is for the rules.
    Ply(Ply),
    /// This many of the last plies are taken back.
    TakeBack(u8),
    /// The game is over.
    End(Verdict),
    /// The pieces go back to where they were before the player at the board asked for a takeback.
    TakebackDeclined,
    /// Whether the board shows legal targets.
    Hints(bool),
    /// The event does not fit the game.
    Impossible,
}

impl Offers {
    /// No offer is open.
    pub const NONE: Self = Self { draw: None, takeback: None };

    /// Interprets an event that the board has sent (`from_board`) or received. It is the only place that says what an event means, so that
    /// the board, its journal and the relay's replica of its game cannot disagree.
    pub fn apply<S: Scoresheet>(&mut self, event: Event, play: &Play<S>, from_board: bool) -> Change {
        match event {
            Event::Moved { number, ply, .. } if usize::from(number) == play.len() => Change::Ply(ply),
            Event::Moved { .. } => Change::Impossible,
            Event::Resigned { color } => Change::End(Verdict::Won { winner: !color, why: Why::Resignation }),
            Event::Ended { verdict } => Change::End(verdict),
            Event::DrawOffered { color } => {
                self.draw = Some(color);
                Change::Nothing
            }
            Event::DrawAnswered { accepted } => {
                self.draw = None;
                if accepted { Change::End(Verdict::Drawn(Why::Agreement)) } else { Change::Nothing }
            }
            Event::DrawClaimed { claim, with } => play.check_claim(claim, with).map_or(Change::Impossible, Change::End),
            Event::TakebackAsked { plies } => {
                self.takeback = Some(Takeback { asked_here: from_board, plies });
                Change::Nothing
            }
            Event::TakebackAnswered { accepted } => match self.takeback.take() {
                Some(Takeback { asked_here, plies }) if accepted && asked_here != from_board => take_back(plies, play),
                _ if accepted => Change::Impossible,
                _ => Change::TakebackDeclined,
            },
            Event::TakenBack { plies } => take_back(plies, play),
            Event::Corrected { number } if usize::from(number).checked_add(1) == Some(play.len()) => take_back(1, play),
            Event::Hints { on } if !from_board => Change::Hints(on),
            // A correction that was sent twice has undone the ply before. Hints from a board are a request, and change nothing until
            // both players have agreed. Challenges are answered before a game.
            Event::Corrected { .. } | Event::Hints { .. } | Event::ChallengeAnswered { .. } => Change::Nothing,
        }
    }
}

fn take_back<S: Scoresheet>(plies: u8, play: &Play<S>) -> Change {
    if usize::from(plies) > play.len() { Change::Impossible } else { Change::TakeBack(plies) }
}
