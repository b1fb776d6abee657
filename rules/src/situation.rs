use chess::{Bitboard, Color, Position, Role, Square};

#[cfg(any(test, feature = "breakthrough"))]
use crate::breakthrough;
use crate::chess as chess_rules;
use crate::footprint::Footprint;
use crate::genome;
use crate::look::{Choice, Look};
use crate::made::Made;
use crate::notation::{Notation, NotationError};
use crate::plies::Plies;
use crate::ply::Ply;
use crate::told;
use crate::turn::{Freeze, Turn};

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

    /// What a ply does with what chance makes of it. Nothing if the ply is not legal.
    #[must_use]
    pub fn made(self, ply: Ply) -> Option<Made> {
        match self {
            Self::Genome(position) => position.made(ply),
            _ => self.footprint(ply).map(|footprint| Made::by(ply, footprint)),
        }
    }

    /// The footprint of a ply that was played elsewhere and has to be repeated, see [`Made::footprint`].
    #[must_use]
    pub fn made_footprint(self, ply: Ply) -> Option<Footprint> {
        self.made(ply).map(|made| made.footprint)
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

    /// Calls a function with the situation after a ply; not if the ply is not legal. Whether there are plies after it has to be
    /// [looked for](Situation::has_plies).
    pub fn after<T>(self, ply: Ply, look: impl FnOnce(Situation<'_>) -> T) -> Option<T> {
        match self {
            Self::Chess(position) => position.play(ply.to_move()?).ok().map(|next| look(Situation::Chess(&next))),
            Self::Genome(position) => position.played(ply).map(|(next, _)| look(Situation::Genome(&next))),
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

    /// The plies of the first pieces, or all of them where they are not generated piece by piece. [`Situation::list_more`] adds the others.
    #[must_use]
    pub fn first_plies(self) -> Plies {
        match self {
            Self::Genome(position) => position.first_plies(),
            _ => self.plies(),
        }
    }

    /// Adds the plies of the next piece to a list of this position that is not complete.
    pub fn list_more(self, plies: &mut Plies) {
        if let Self::Genome(position) = self {
            position.list_more(plies);
        }
    }

    /// The legal plies of pieces on these squares. Where the plies are not generated piece by piece, all of them.
    #[must_use]
    pub fn plies_of(self, squares: Bitboard) -> Plies {
        match self {
            Self::Genome(position) => position.plies_of(squares),
            _ => self.plies(),
        }
    }

    /// Sets of squares that cover all of these from which a piece can move, for [`Situation::plies_of`]: one after the other they give all plies
    /// of these squares in their order, each in a time that a device can spare.
    pub fn starts(self, squares: Bitboard) -> impl Iterator<Item = Bitboard> {
        let movers = match self {
            Self::Genome(position) => position.movers(),
            _ => Bitboard::EMPTY,
        };
        // What pawns become is listed at once, too.
        let whole = movers.is_empty().then_some(Bitboard::ALL);
        (movers & squares).squares().map(Bitboard::of).chain(whole)
    }

    /// The codons of the longest DNA in the game; 0 under rules without DNA. To generate the plies of one piece takes a Cortex-M up to about 1,000
    /// instructions for each of them.
    #[must_use]
    pub fn longest_dna(self) -> usize {
        match self {
            Self::Genome(position) => position.genes().longest(),
            _ => 0,
        }
    }

    /// Whether there is a legal ply.
    #[must_use]
    pub fn has_plies(self) -> bool {
        match self {
            Self::Genome(position) => position.has_plies(),
            _ => !self.plies().is_empty(),
        }
    }

    /// Whether the game may go on, as far as that is known without a long search: in GMO chess a stalemate is not seen.
    #[must_use]
    pub fn may_go_on(self) -> bool {
        match self {
            Self::Genome(position) => position.verdict().is_none(),
            _ => self.has_plies(),
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
    pub plies: &'a Plies,
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

    /// The footprint of a legal ply; nothing if it is not listed.
    #[must_use]
    pub fn footprint(self, ply: Ply) -> Option<Footprint> {
        match self.here {
            Situation::Genome(position) => position.listed_footprint(ply, self.plies.trace(self.index(ply)?)),
            here => here.footprint(ply),
        }
    }

    /// Calls a function with the situation after a ply; not if the ply is not legal. Whether there are plies after it has to be
    /// [looked for](Situation::has_plies).
    pub fn after<T>(self, ply: Ply, look: impl FnOnce(Situation<'_>) -> T) -> Option<T> {
        if let Situation::Genome(position) = self.here
            && let Some(trace) = self.index(ply).and_then(|index| self.plies.trace(index))
        {
            return position.after_listed(ply, trace).map(|next| look(Situation::Genome(&next)));
        }
        self.here.after(ply, look)
    }

    fn index(self, ply: Ply) -> Option<usize> {
        self.plies.iter().position(|&listed| listed == ply)
    }

    /// The footprints of the plies that may do the same as this one to the reeds, or more: those of the same piece in GMO chess, where no other
    /// piece moves with it, and all of them under other rules.
    pub fn footprints_beside(self, ply: Ply) -> impl Iterator<Item = Footprint> + 'a {
        let lifted = match self.here {
            Situation::Genome(_) => ply.from().into(),
            _ => Bitboard::ALL,
        };
        self.footprints_touching(lifted, Bitboard::ALL, 0).map(|(_, footprint)| footprint)
    }

    /// The footprint of a ply that is known to be legal, with its number among the plies. It is not checked again.
    fn legal_footprint(self, index: usize, ply: Ply, told: &mut Option<told::Entries<'_>>) -> Option<Footprint> {
        match self.here {
            Situation::Chess(position) => Some(chess_rules::footprint(position, ply.to_move()?)),
            Situation::Genome(position) => position.listed_footprint(ply, self.plies.trace(index)),
            Situation::Told(position) => position.footprint_of(index, told.as_mut()?).filter(|found| found.ply == ply),
            #[cfg(any(test, feature = "breakthrough"))]
            Situation::Breakthrough(position) => position.footprint(ply),
        }
    }

    /// The footprints of the legal plies from a number on, each with its number. Where the piece of a ply leaves its square, those are left out
    /// whose piece left none of the first squares, and in chess, where it arrives on its target, those whose piece arrived on none of the
    /// others: most footprints need not be worked out then.
    pub fn footprints_touching(
        self,
        lifted: Bitboard,
        placed: Bitboard,
        first: usize,
    ) -> impl Iterator<Item = (usize, Footprint)> + 'a {
        let mut told = self.here.told_entries();
        // In GMO chess a piece need not arrive on its target, and a pawn that becomes another piece does not leave its square.
        let (is_filtered, placed) = match self.here {
            Situation::Chess(_) => (true, placed),
            Situation::Genome(position) => (position.movers().any(), Bitboard::ALL),
            Situation::Told(_) => (false, placed),
            #[cfg(any(test, feature = "breakthrough"))]
            Situation::Breakthrough(_) => (false, placed),
        };
        let is_touched = move |ply: Ply| !is_filtered || (lifted.has(ply.from()) && placed.has(ply.to()));
        let left = self.plies.get(first..).unwrap_or_default().iter().enumerate();
        left.filter(move |(_, ply)| is_touched(**ply)).filter_map(move |(index, &ply)| {
            let index = index.saturating_add(first);
            Some((index, self.legal_footprint(index, ply, &mut told)?))
        })
    }
}
