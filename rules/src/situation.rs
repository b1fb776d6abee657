use arrayvec::ArrayVec;
use chess::{Bitboard, Color, Position, Role, Square};

#[cfg(any(test, feature = "breakthrough"))]
use crate::breakthrough;
use crate::chess as chess_rules;
use crate::footprint::Footprint;
use crate::genome;
use crate::look::{Choice, Look};
use crate::notation::{Notation, NotationError};
use crate::ply::Ply;
use crate::told;
use crate::turn::{Freeze, Turn};

/// The most plies of a position that are listed. Chess has at most 218. A position of GMO chess with more open lines than any likely one may
/// have more legal plies; those can be played all the same, but are not in the list.
pub const MAX_PLIES_PER_TURN: usize = 512;

/// The legal plies of a position.
pub type Plies = ArrayVec<Ply, MAX_PLIES_PER_TURN>;

/// A position under some rules, to be looked at: whose turn it is, which plies there are, and what follows from one.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "one variant a rule set, named for it")]
pub enum Situation<'a> {
    Chess(&'a Position),
    Genome(&'a genome::Position),
    Told(&'a told::Position),
    #[cfg(any(test, feature = "breakthrough"))]
    Breakthrough(&'a breakthrough::Position),
}

impl Situation<'_> {
    #[expect(missing_docs, reason = "`Turn` says what it is")]
    #[must_use]
    pub fn turn(self) -> Turn {
        match self {
            Self::Chess(position) => chess_rules::turn(position),
            Self::Genome(position) => position.turn(),
            Self::Told(position) => position.turn(),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.turn(),
        }
    }

    /// The side to move. Cheaper than the whole [`Turn`], which also finds checks.
    #[must_use]
    pub const fn to_move(self) -> Color {
        match self {
            Self::Chess(position) => position.turn(),
            Self::Genome(position) => position.actor(),
            Self::Told(position) => position.to_move(),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.turn().to_move,
        }
    }

    /// Every square with a piece on it. Cheaper than the whole [`Turn`], which also finds checks.
    #[must_use]
    pub fn occupied(self) -> Bitboard {
        match self {
            Self::Chess(position) => position.occupied(),
            Self::Genome(position) => position.occupied(),
            Self::Told(position) => position.occupied(),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.turn().occupied(),
        }
    }

    /// The royal pieces of both sides.
    #[must_use]
    pub fn royal(self) -> Bitboard {
        match self {
            Self::Chess(position) => position.of_role(Role::King),
            Self::Genome(position) => position.turn().royal,
            Self::Told(position) => position.royal(),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.turn().royal,
        }
    }

    /// The footprint of a ply; nothing if the ply is not legal.
    #[must_use]
    pub fn footprint(self, ply: Ply) -> Option<Footprint> {
        match self {
            Self::Chess(position) => {
                let mv = ply.to_move().filter(|&mv| position.is_legal(mv))?;
                Some(chess_rules::footprint(position, mv))
            }
            Self::Genome(position) => position.footprint(ply),
            Self::Told(position) => position.footprint(ply),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.footprint(ply),
        }
    }

    /// The footprint of a ply that was played elsewhere and has to be repeated, with what chance has made of it. Its squares are those that
    /// the piece really goes to. Nothing if the ply is not legal.
    #[must_use]
    pub fn made_footprint(self, ply: Ply) -> Option<Footprint> {
        match self {
            Self::Genome(position) => position.made_footprint(ply),
            _ => self.footprint(ply),
        }
    }

    /// The squares at the edge of the board where the piece of a legal ply leaves it and comes back at the other side.
    #[must_use]
    pub fn edges(self, ply: Ply) -> Bitboard {
        match self {
            Self::Genome(position) => position.edges(ply),
            _ => Bitboard::EMPTY,
        }
    }

    /// The squares on which a legal ply leaves a piece that is not what it was: it has another owner, or moves in another way.
    #[must_use]
    pub fn altered(self, ply: Ply) -> Bitboard {
        match self {
            Self::Genome(position) => position.altered(ply),
            _ => Bitboard::EMPTY,
        }
    }

    /// What can be chosen with this ply, in the order in which it is offered: 1 to 15 of the [choice](Ply::choice). Empty if there
    /// is nothing to choose.
    #[must_use]
    pub fn choices(self, ply: Ply) -> &'static [u8] {
        match self {
            Self::Chess(_) if ply.choice() != 0 => &chess_rules::CHOICES,
            Self::Chess(_) => &[],
            Self::Genome(position) => position.choices(ply),
            Self::Told(_) => &[],
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(_) => &[],
        }
    }

    /// The pause that the last ply has caused, if it has caused one.
    #[must_use]
    pub fn freeze(self) -> Option<Freeze> {
        match self {
            Self::Chess(_) => None,
            Self::Genome(position) => position.freeze(),
            Self::Told(_) => None,
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(_) => None,
        }
    }

    /// Calls a function with the situation after a ply; not if the ply is not legal.
    pub fn after<T>(self, ply: Ply, look: impl FnOnce(Situation<'_>) -> T) -> Option<T> {
        match self {
            Self::Chess(position) => position.play(ply.to_move()?).ok().map(|next| look(Situation::Chess(&next))),
            Self::Genome(position) => position.after(ply).map(|next| look(Situation::Genome(&next))),
            Self::Told(position) => position.after(ply).map(|next| look(Situation::Told(&next))),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.after(ply).map(|next| look(Situation::Breakthrough(&next))),
        }
    }
}

/// What people see of a position, and how they write its plies.
impl<'a> Situation<'a> {
    /// The position of chess, if that is what is played.
    #[must_use]
    pub const fn chess(self) -> Option<&'a Position> {
        match self {
            Self::Chess(position) => Some(position),
            Self::Genome(_) | Self::Told(_) => None,
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(_) => None,
        }
    }

    /// The piece on a square.
    #[must_use]
    pub fn look(self, square: Square) -> Option<Look<'a>> {
        match self {
            Self::Chess(position) => chess_rules::look(position, square),
            Self::Genome(position) => position.look(square),
            Self::Told(position) => position.look(square),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.look(square),
        }
    }

    /// What a [choice](Ply::choice) stands for.
    #[must_use]
    pub fn choice(self, choice: u8) -> Option<Choice<'a>> {
        match self {
            Self::Chess(_) => chess_rules::choice_of(choice),
            Self::Told(_) => None,
            Self::Genome(position) => position.choice(choice),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(_) => None,
        }
    }

    /// The choice with this name or letter.
    #[must_use]
    pub fn choice_named(self, text: &str) -> Option<u8> {
        match self {
            Self::Chess(_) => chess_rules::choice_named(text),
            Self::Told(_) => None,
            Self::Genome(position) => position.choice_named(text),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(_) => None,
        }
    }

    /// The ply between two squares with the choice that it needs: the wanted one, or the usual one. A ply that needs none gets none.
    /// Whether it is legal is another question.
    #[must_use]
    pub fn with_choice(self, way: Ply, wanted: Option<u8>) -> Ply {
        match self {
            Self::Chess(position) => chess_rules::with_choice(position, way, wanted),
            Self::Genome(position) => position.with_choice(way, wanted),
            Self::Told(_) => way.choosing(0),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(_) => way.choosing(0),
        }
    }

    /// A legal ply as people write it.
    #[must_use]
    pub fn notation(self, ply: Ply) -> Notation {
        match self {
            Self::Chess(position) => chess_rules::notation(position, ply),
            Self::Genome(_) | Self::Told(_) => Notation::Ply(ply),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(_) => Notation::Ply(ply),
        }
    }

    /// Reads a legal ply as people write it.
    pub fn read(self, text: &str) -> Result<Ply, NotationError> {
        match self {
            Self::Chess(position) => chess_rules::read(position, text),
            Self::Genome(position) => position.read(text),
            Self::Told(position) => position.read(text),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.read(text),
        }
    }
}

impl Situation<'_> {
    /// All legal plies.
    #[must_use]
    pub fn plies(self) -> Plies {
        match self {
            Self::Chess(position) => chess_rules::plies(position),
            Self::Genome(position) => position.plies(),
            Self::Told(position) => position.plies(),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.plies(),
        }
    }

    /// The footprint of a ply that is known to be legal, with its number among the plies. It is not checked again. Moves of a piece that were
    /// generated are kept for its other plies.
    fn legal_footprint(self, index: usize, ply: Ply, cache: &mut Cache<'_>) -> Option<Footprint> {
        match self {
            Self::Chess(position) => Some(chess_rules::footprint(position, ply.to_move()?)),
            Self::Genome(position) => {
                cache.moves.of(position, ply.from(), |moves| position.legal_footprint(ply, moves))
            }
            Self::Told(position) => position.footprint_of(index, cache.told.as_mut()?).filter(|found| found.ply == ply),
            #[cfg(any(test, feature = "breakthrough"))]
            Self::Breakthrough(position) => position.footprint(ply),
        }
    }
}

impl<'a> Situation<'a> {
    fn told_entries(self) -> Option<told::Entries<'a>> {
        if let Self::Told(position) = self { Some(position.entries()) } else { None }
    }
}

/// A position with its legal plies, so that they are generated once.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The position.
    pub here: Situation<'a>,
    /// Its legal plies, from [`Situation::plies`].
    pub plies: &'a [Ply],
}

impl<'a> Options<'a> {
    #[expect(missing_docs, reason = "`Turn` says what it is")]
    #[must_use]
    pub fn turn(self) -> Turn {
        self.here.turn()
    }

    /// Every square with a piece on it.
    #[must_use]
    pub fn occupied(self) -> Bitboard {
        self.here.occupied()
    }

    /// The squares that the piece on this one can go to.
    #[must_use]
    pub fn targets(self, from: Square) -> Bitboard {
        self.plies.iter().filter(|ply| ply.from() == from).map(|ply| ply.to()).collect()
    }

    /// The footprints of all legal plies.
    pub fn footprints(self) -> impl Iterator<Item = Footprint> + 'a {
        self.footprints_touching(Bitboard::ALL, Bitboard::ALL, 0).map(|(_, footprint)| footprint)
    }

    /// The footprints of the legal plies from a number on, each with its number. In chess, where the piece of a ply leaves its square and arrives on
    /// its target, those are left out whose piece left none of the first squares or arrived on none of the others: most footprints need
    /// not be worked out then.
    pub fn footprints_touching(
        self,
        lifted: Bitboard,
        placed: Bitboard,
        first: usize,
    ) -> impl Iterator<Item = (usize, Footprint)> + 'a {
        let mut cache = Cache { moves: genome::MovesOfPiece::default(), told: self.here.told_entries() };
        let is_chess = self.here.chess().is_some();
        let is_touched = move |ply: Ply| !is_chess || (lifted.has(ply.from()) && placed.has(ply.to()));
        let left = self.plies.get(first..).unwrap_or_default().iter().enumerate();
        left.filter(move |(_, ply)| is_touched(**ply)).filter_map(move |(index, &ply)| {
            let index = index.saturating_add(first);
            Some((index, self.here.legal_footprint(index, ply, &mut cache)?))
        })
    }
}

/// What is kept between the footprints of the plies of a position.
struct Cache<'a> {
    moves: genome::MovesOfPiece,
    told: Option<told::Entries<'a>>,
}
