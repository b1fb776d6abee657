use chess::Position;

#[cfg(any(test, feature = "breakthrough"))]
use crate::breakthrough;
use crate::genome;
use crate::ply::Ply;
use crate::situation::Situation;
use crate::start::Start;
use crate::told;
use crate::verdict::Verdict;

/// A position under some rules, by value. To look at it, take its [`AnyPosition::situation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "one variant a rule set, named for it")]
pub enum AnyPosition {
    Chess(Position),
    Genome(genome::Position),
    Told(told::Position),
    #[cfg(any(test, feature = "breakthrough"))]
    Breakthrough(breakthrough::Position),
}

impl AnyPosition {
    /// The position before the first ply.
    #[must_use]
    pub fn at(start: &Start) -> Self {
        match start {
            Start::Chess(position) => Self::Chess(*position),
            Start::Genome(setup) => Self::Genome(genome::Position::at(setup)),
            Start::Told(position) => Self::Told(*position),
            #[cfg(any(test, feature = "breakthrough"))]
            Start::Breakthrough => Self::Breakthrough(breakthrough::Position::START),
        }
    }

    /// The same by reference.
    #[must_use]
    pub const fn situation(&self) -> Situation<'_> {
        match self {
            Self::Chess(position) => Situation::Chess(position),
            Self::Genome(position) => Situation::Genome(position),
            Self::Told(position) => Situation::Told(position),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => Situation::Breakthrough(position),
        }
    }

    /// The position after a ply; nothing if the ply is not legal.
    #[must_use]
    pub fn after(&self, ply: Ply) -> Option<Self> {
        match self {
            Self::Chess(position) => position.play(ply.to_move()?).ok().map(Self::Chess),
            Self::Genome(position) => position.after(ply).map(Self::Genome),
            Self::Told(position) => position.after(ply).map(Self::Told),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.after(ply).map(Self::Breakthrough),
        }
    }

    /// The position after a ply that another one follows: the rules have not ended the game then, which need not be looked for.
    pub(crate) fn before_next(&self, ply: Ply) -> Option<Self> {
        match self {
            Self::Genome(position) => position.played(ply).map(|(next, _)| Self::Genome(next)),
            _ => self.after(ply),
        }
    }

    /// How the rules end a game in this position. A game of chess also ends by what was played before, which
    /// [`chess::Game`] knows.
    pub(crate) const fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Chess(_) => None,
            Self::Genome(position) => position.verdict(),
            Self::Told(position) => position.verdict(),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.verdict(),
        }
    }
}
