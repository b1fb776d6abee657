use chess::{Bitboard, Color, File, Rank, Square};

use super::chance::Chance;
use super::debuff::{Debuff, Debuffs};
use super::effect::{Content, Owner, Placed};
use super::genes::Genes;
use super::grammar;
use super::moves::{self, MoveDescriptor, MoveDescriptors, Surroundings};
use super::setup::Setup;
use crate::footprint::Footprint;
use crate::ply::Ply;
use crate::situation::Plies;
use crate::turn::{Freeze, Turn};
use crate::verdict::{Verdict, Why};

/// How long the move of a freezing piece stops the game, in milliseconds.
pub const FREEZE_MS: u32 = 5_000;

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Piece {
    pub color: Color,
    /// The number of its genome.
    pub genome: u8,
    pub is_pawn: bool,
    pub is_king: bool,
}

/// The pieces with their genomes, whose turn it is, and the state of the random generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    genes: Genes,
    /// The genomes that the game started with come first and are never overwritten.
    fixed: u8,
    /// The genome of the piece on each square; 0 where none stands.
    genomes: [u8; 64],
    white: Bitboard,
    black: Bitboard,
    pawns: Bitboard,
    kings: Bitboard,
    /// The side whose move is next, once no pawn waits for its promotion.
    to_move: Color,
    /// Pawns that have reached their last rank and wait for what they become.
    promoting: Bitboard,
    chance: Chance,
    froze: Option<Color>,
    verdict: Option<Verdict>,
}

/// What a position takes of the memory of a device.
const POSITION_BYTES: usize = 1_152;
const _: () = assert!(size_of::<Position>() <= POSITION_BYTES, "the README says that it takes about 1.1 KB");

impl Position {
    /// The position before the first ply.
    #[must_use]
    pub fn at(setup: &Setup) -> Self {
        let mut position = Self::empty(setup.genes(), setup.seed());
        let ranks = [(Color::White, Rank::First, Rank::Second), (Color::Black, Rank::Eighth, Rank::Seventh)];
        for (color, back_rank, pawn_rank) in ranks {
            for file in File::ALL {
                let pawn = Piece { color, genome: 0, is_pawn: true, is_king: false };
                position.put(Square::new(file, pawn_rank), pawn);
                if let Some((genome, is_king)) = setup.back(file) {
                    let piece = Piece { color, genome, is_pawn: false, is_king };
                    position.put(Square::new(file, back_rank), piece);
                }
            }
        }
        position
    }

    pub(super) const fn empty(genes: &Genes, seed: u64) -> Self {
        Self {
            genes: *genes,
            fixed: genes.count(),
            genomes: [0; 64],
            white: Bitboard::EMPTY,
            black: Bitboard::EMPTY,
            pawns: Bitboard::EMPTY,
            kings: Bitboard::EMPTY,
            to_move: Color::White,
            promoting: Bitboard::EMPTY,
            chance: Chance::new(seed),
            froze: None,
            verdict: None,
        }
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn genes(&self) -> &Genes {
        &self.genes
    }

    pub(super) const fn genes_mut(&mut self) -> &mut Genes {
        &mut self.genes
    }

    /// All genomes that there are now count as those that the game started with.
    pub(super) const fn fix_genomes(&mut self) {
        self.fixed = self.genes.count();
    }

    pub(super) const fn seed(&self) -> u64 {
        self.chance.seed()
    }

    /// How many genomes the game started with.
    pub(super) const fn fixed(&self) -> u8 {
        self.fixed
    }

    /// How many genomes a pawn can become: those with the numbers from 1 to this one.
    #[must_use]
    pub const fn promotions(&self) -> u8 {
        self.fixed.saturating_sub(1)
    }

    /// The pawns that wait for what they become.
    #[must_use]
    pub const fn promoting(&self) -> Bitboard {
        self.promoting
    }

    pub(crate) const fn occupied(&self) -> Bitboard {
        Bitboard(self.white.0 | self.black.0)
    }

    const fn of(&self, color: Color) -> Bitboard {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let color = match (self.white.has(square), self.black.has(square)) {
            (true, _) => Color::White,
            (false, true) => Color::Black,
            (false, false) => return None,
        };
        let genome = self.genomes.get(usize::from(square.index())).copied()?;
        Some(Piece { color, genome, is_pawn: self.pawns.has(square), is_king: self.kings.has(square) })
    }

    pub(super) fn clear(&mut self, square: Square) {
        let square_set = Bitboard::of(square);
        for set in [&mut self.white, &mut self.black, &mut self.pawns, &mut self.kings, &mut self.promoting] {
            *set = set.without(square_set);
        }
        if let Some(genome) = self.genomes.get_mut(usize::from(square.index())) {
            *genome = 0;
        }
    }

    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.clear(square);
        let square_set = Bitboard::of(square);
        match piece.color {
            Color::White => self.white |= square_set,
            Color::Black => self.black |= square_set,
        }
        if piece.is_pawn {
            self.pawns |= square_set;
        }
        if piece.is_king {
            self.kings |= square_set;
        }
        if let Some(genome) = self.genomes.get_mut(usize::from(square.index())) {
            *genome = piece.genome;
        }
    }

    fn debuffs(&self, genome: u8) -> Debuffs {
        grammar::debuffs(self.genes.get(genome))
    }

    /// The side that plays the next ply: the owner of a pawn that waits for its promotion, or the side to move. The pawns of the player who
    /// has moved come first.
    pub(crate) const fn actor(&self) -> Color {
        let moved = self.to_move.other();
        if self.promoting.0 & self.of(moved).0 == 0 { self.to_move } else { moved }
    }

    pub(crate) fn turn(&self) -> Turn {
        Turn {
            to_move: self.actor(),
            white: self.white,
            black: self.black,
            royal: self.kings,
            checked: Bitboard::EMPTY,
        }
    }

    /// The moves of the piece on a square, also if the other side is to move, in the documented order.
    #[must_use]
    pub fn moves_of(&self, from: Square) -> MoveDescriptors {
        let Some(piece) = self.piece(from) else { return MoveDescriptors::new() };
        moves::moves(self.genes.get(piece.genome), from, self.around(piece.color))
    }

    const fn around(&self, color: Color) -> Surroundings {
        Surroundings { color, own: self.of(color), enemy: self.of(color.other()) }
    }

    /// The descriptor of a ply that moves a piece; nothing if the ply is not legal.
    fn descriptor(&self, ply: Ply) -> Option<MoveDescriptor> {
        let may_move = self.verdict.is_none() && self.promoting.is_empty() && ply.choice() == 0;
        let moves = (may_move && self.of(self.to_move).has(ply.from())).then(|| self.moves_of(ply.from()))?;
        moves.into_iter().find(|found| found.to == ply.to())
    }

    /// The pawns that the actor has to promote now.
    fn own_promoting(&self) -> Bitboard {
        self.promoting & self.of(self.actor())
    }

    /// Whether a ply is a legal promotion. Its two squares are that of the pawn, and its choice is the number of a genome.
    fn is_promotion(&self, ply: Ply) -> bool {
        self.verdict.is_none()
            && ply.from() == ply.to()
            && self.own_promoting().has(ply.from())
            && (1..=self.promotions()).contains(&ply.choice())
    }

    pub(crate) fn footprint(&self, ply: Ply) -> Option<Footprint> {
        if self.is_promotion(ply) {
            return Some(self.promotion_footprint(ply));
        }
        self.descriptor(ply).map(|found| self.move_footprint(ply, found))
    }

    /// The footprint of a ply that is known to be legal, with the moves of the piece that moves.
    pub(crate) fn legal_footprint(&self, ply: Ply, moves: &MoveDescriptors) -> Option<Footprint> {
        match ply.choice() {
            0 => moves.iter().find(|found| found.to == ply.to()).map(|&found| self.move_footprint(ply, found)),
            _ => Some(self.promotion_footprint(ply)),
        }
    }

    /// No reed switch sees what a pawn becomes.
    const fn promotion_footprint(&self, ply: Ply) -> Footprint {
        let nothing = Bitboard::EMPTY;
        Footprint { ply, lifts: nothing, places: nothing, captured: nothing, after: self.occupied() }
    }

    /// The footprint of a move without its random deviation, which the players see only afterwards. The piece that moves is always lifted,
    /// even if another one like it stays behind.
    fn move_footprint(&self, ply: Ply, found: MoveDescriptor) -> Footprint {
        let (from, to) = (ply.from(), ply.to());
        let squares = Bitboard::of(from) | to.into();
        let [start, target] = self.contents(from, to, found, None);
        let filled = |square: Square, piece: Option<Piece>| piece.map_or(Bitboard::EMPTY, |_| square.into());
        let after = self.occupied().without(squares) | filled(from, start) | filled(to, target);
        let changes = from != to && target != self.piece(to);
        let set_if = |condition: bool| if condition { Bitboard::of(to) } else { Bitboard::EMPTY };
        Footprint {
            ply,
            lifts: from.into(),
            places: set_if(after.has(to) && (changes || from == to)),
            captured: set_if(changes && self.occupied().has(to)),
            after,
        }
    }

    /// The footprint of a ply with what chance makes of it, for a board on which it has to be repeated. Nothing has to be done where a piece
    /// stays as it is.
    pub(crate) fn made_footprint(&self, ply: Ply) -> Option<Footprint> {
        if self.is_promotion(ply) {
            return Some(self.promotion_footprint(ply));
        }
        let found = self.descriptor(ply)?;
        let Outcome { to, .. } = self.outcome(ply.from(), found)?;
        let mut made = self.move_footprint(Ply::new(ply.from(), to), found);
        if made.after.has(ply.from()) {
            made.lifts = Bitboard::EMPTY;
            made.places = made.places.without(ply.from().into());
        }
        Some(made)
    }

    /// The edges where the piece of a ply goes round the board.
    pub(crate) fn edges(&self, ply: Ply) -> Bitboard {
        match self.piece(ply.from()) {
            Some(piece) if ply.choice() == 0 => {
                moves::edges(self.genes.get(piece.genome), ply.from(), self.around(piece.color), ply.to())
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// The squares where a ply leaves a piece with another owner or with other DNA than it had before.
    pub(crate) fn altered(&self, ply: Ply) -> Bitboard {
        let Some(found) = self.descriptor(ply) else { return Bitboard::EMPTY };
        let (from, Some(mover)) = (ply.from(), self.piece(ply.from())) else { return Bitboard::EMPTY };
        let Some(Outcome { mutated, to, .. }) = self.outcome(from, found) else { return Bitboard::EMPTY };
        let captured = if from == to { Some(mover) } else { self.piece(to) };
        let contents = self.contents(from, to, found, mutated);
        let placed = [(from, found.start), (to, found.target)].into_iter().zip(contents);
        let is_altered = |content: Content, piece: Option<Piece>| match content {
            Content::Mover => piece.is_some_and(|piece| piece != mover),
            Content::Captured => piece.is_some() && piece != captured,
            Content::Nothing => false,
        };
        placed
            .filter(|&((_, Placed { content, .. }), piece)| is_altered(content, piece))
            .map(|((square, _), _)| square)
            .collect()
    }

    pub(crate) fn plies(&self) -> Plies {
        let mut plies = Plies::new_const();
        if self.verdict.is_some() {
            return plies;
        }
        if self.promoting.any() {
            for square in self.own_promoting().squares() {
                for choice in 1..=self.promotions() {
                    let _ = plies.try_push(Ply::new(square, square).choosing(choice));
                }
            }
            return plies;
        }
        for from in self.of(self.to_move).squares() {
            for found in self.moves_of(from) {
                if plies.try_push(Ply::new(from, found.to)).is_err() {
                    return plies;
                }
            }
        }
        plies
    }

    pub(super) fn can_move(&self, color: Color) -> bool {
        self.of(color).squares().any(|from| !self.moves_of(from).is_empty())
    }

    pub(crate) fn after(&self, ply: Ply) -> Option<Self> {
        if self.is_promotion(ply) {
            return Some(self.promoted(ply.from(), ply.choice()));
        }
        let found = self.descriptor(ply)?;
        let mut next = self.moved(ply.from(), found)?;
        next.to_move = !self.to_move;
        next.verdict = next.verdict_after(self);
        Some(next)
    }

    /// The position after a pawn has become a piece with this genome. It keeps its king mark.
    fn promoted(&self, square: Square, genome: u8) -> Self {
        let mut next = *self;
        next.froze = None;
        if let Some(piece) = self.piece(square) {
            next.put(square, Piece { genome, is_pawn: false, ..piece });
        }
        next.verdict = next.verdict_of_kings(self).or_else(|| next.stalemate());
        next
    }

    /// The position after a move of the piece on a square with all random effects. The turn and the end of the game are not looked at.
    pub(super) fn moved(&self, from: Square, found: MoveDescriptor) -> Option<Self> {
        let Outcome { mut next, mutated, to } = self.outcome(from, found)?;
        let contents = self.contents(from, to, found, mutated);
        next.clear(from);
        next.clear(to);
        for (square, piece) in [from, to].into_iter().zip(contents) {
            if let Some(piece) = piece {
                next.put(square, piece);
            }
        }
        let last_ranks = (next.white & Bitboard::rank(Rank::Eighth)) | (next.black & Bitboard::rank(Rank::First));
        let touched = Bitboard::of(from) | to.into();
        next.promoting = if self.fixed > 1 { next.pawns & last_ranks & touched } else { Bitboard::EMPTY };
        Some(next)
    }

    /// What chance makes of a move.
    fn outcome(&self, from: Square, found: MoveDescriptor) -> Option<Outcome> {
        let piece = self.piece(from)?;
        let debuffs = self.debuffs(piece.genome);
        let mut next = *self;
        next.froze = debuffs.has(Debuff::Freeze).then_some(piece.color);
        let mutated = debuffs.has(Debuff::Mutation).then(|| {
            let used =
                |slot: u8| self.occupied().squares().any(|at| self.piece(at).is_some_and(|piece| piece.genome == slot));
            next.genes.mutate(piece.genome, &mut next.chance, self.fixed, used)
        });
        let to = if debuffs.has(Debuff::Deviation) { deviated(found.to, &mut next.chance) } else { found.to };
        Some(Outcome { next, mutated, to })
    }

    /// What the descriptor leaves on the start and the target square. If they are one square, only the last of both that is there counts.
    fn contents(&self, from: Square, to: Square, found: MoveDescriptor, mutated: Option<u8>) -> [Option<Piece>; 2] {
        let Some(mover) = self.piece(from) else { return [None; 2] };
        let mover = Piece { genome: mutated.unwrap_or(mover.genome), ..mover };
        let captured = if from == to { Some(mover) } else { self.piece(to) };
        [found.start, found.target].map(|Placed { content, owner }| {
            let piece = match content {
                Content::Mover => mover,
                Content::Captured => captured?,
                Content::Nothing => return None,
            };
            let color = match owner {
                Owner::Mover => mover.color,
                Owner::Opponent => !mover.color,
            };
            Some(Piece { color, ..piece })
        })
    }

    fn verdict_after(&self, before: &Self) -> Option<Verdict> {
        self.verdict_of_kings(before).or_else(|| if self.promoting.any() { None } else { self.stalemate() })
    }

    /// A side that has lost a king has lost the game. If both sides have, it is a draw.
    fn verdict_of_kings(&self, before: &Self) -> Option<Verdict> {
        let lost = |color: Color| (self.kings & self.of(color)).count() < (before.kings & before.of(color)).count();
        match (lost(Color::White), lost(Color::Black)) {
            (true, true) => Some(Verdict::Drawn(Why::Rules)),
            (true, false) => Some(Verdict::Won { winner: Color::Black, why: Why::Rules }),
            (false, true) => Some(Verdict::Won { winner: Color::White, why: Why::Rules }),
            (false, false) => None,
        }
    }

    /// A draw if the side to move has no move, so that a game without a clock ends.
    fn stalemate(&self) -> Option<Verdict> {
        let is_stuck = self.promoting.is_empty() && !self.can_move(self.to_move);
        is_stuck.then_some(Verdict::Drawn(Why::Stalemate))
    }

    /// How the game ended, if it has.
    pub(crate) const fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The freeze that the last ply has caused.
    pub(crate) fn freeze(&self) -> Option<Freeze> {
        self.froze.map(|mover| Freeze { mover, ms: FREEZE_MS })
    }
}

/// What chance makes of a move.
struct Outcome {
    /// The position before the move with its numbers drawn and its mutation.
    next: Position,
    /// The new genome of the piece that moves.
    mutated: Option<u8>,
    /// Where the move ends.
    to: Square,
}

/// The target shifted by -1 to 1 in both directions. A shift off the board does not happen.
fn deviated(to: Square, chance: &mut Chance) -> Square {
    let (files, ranks) = (chance.shift(), chance.shift());
    let shifted = |index: u8, by: i8| index.checked_add_signed(by).filter(|&index| index < 8);
    match (shifted(to.file().index(), files), shifted(to.rank().index(), ranks)) {
        (Some(file), Some(rank)) => Square::new(File::from_index(file), Rank::from_index(rank)),
        _ => to,
    }
}

/// The moves of the piece that was looked at last, for callers that go through the plies piece by piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct MovesOfPiece {
    from: Option<Square>,
    moves: MoveDescriptors,
}

impl MovesOfPiece {
    /// Calls a function with the moves of the piece on a square of this position. It must be the same position every time.
    pub(crate) fn of<T>(&mut self, position: &Position, from: Square, look: impl FnOnce(&MoveDescriptors) -> T) -> T {
        if self.from != Some(from) {
            self.from = Some(from);
            self.moves = position.moves_of(from);
        }
        look(&self.moves)
    }
}
