use chess::{Bitboard, Color, File, Rank, Square};

use super::chance::Chance;
use super::debuff::{Debuff, Debuffs};
use super::effect::{Content, Owner, Placed};
use super::genes::Genes;
use super::grammar;
use super::moves::{self, MoveDescriptor, MoveDescriptors, Surroundings};
use super::setup::Setup;
use super::trace::Trace;
use crate::footprint::Footprint;
use crate::made::Made;
use crate::plies::Plies;
use crate::ply::Ply;
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

    /// The descriptor of a ply that moves a piece, and the edges where the piece goes round the board; nothing if the ply is not legal.
    fn found(&self, ply: Ply) -> Option<(MoveDescriptor, Bitboard)> {
        let may_move = self.verdict.is_none() && self.promoting.is_empty() && ply.choice() == 0;
        let piece = self.piece(ply.from()).filter(|piece| may_move && piece.color == self.to_move)?;
        moves::to_target(self.genes.get(piece.genome), ply.from(), self.around(piece.color), ply.to())
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
        self.found(ply).map(|(found, _)| self.move_footprint(ply, found))
    }

    /// The footprint of a ply that is known to be legal, with its trace if it is a move.
    pub(crate) fn listed_footprint(&self, ply: Ply, trace: Option<Trace>) -> Option<Footprint> {
        match ply.choice() {
            0 => Some(trace?.footprint(ply, self.occupied())),
            _ => Some(self.promotion_footprint(ply)),
        }
    }

    /// No reed switch sees what a pawn becomes.
    const fn promotion_footprint(&self, ply: Ply) -> Footprint {
        let nothing = Bitboard::EMPTY;
        Footprint { ply, lifts: nothing, places: nothing, captured: nothing, after: self.occupied() }
    }

    /// The footprint of a move without its random deviation, which the players see only afterwards.
    fn move_footprint(&self, ply: Ply, found: MoveDescriptor) -> Footprint {
        self.trace(ply, found).footprint(ply, self.occupied())
    }

    fn trace(&self, ply: Ply, found: MoveDescriptor) -> Trace {
        let (from, to) = (ply.from(), ply.to());
        let [_, target] = self.contents(from, to, found, None);
        Trace::of(found, from != to && target != self.piece(to))
    }

    /// What a ply does with what chance makes of it; nothing if it is not legal.
    pub(crate) fn made(&self, ply: Ply) -> Option<Made> {
        if self.is_promotion(ply) {
            return Some(Made::by(ply, self.promotion_footprint(ply)));
        }
        let (found, edges) = self.found(ply)?;
        Some(self.made_by(ply, found, edges, &self.outcome(ply.from(), found)?))
    }

    fn made_by(&self, ply: Ply, found: MoveDescriptor, edges: Bitboard, outcome: &Outcome) -> Made {
        let mut footprint = self.move_footprint(Ply::new(ply.from(), outcome.to), found);
        // Nothing has to be done where a piece stays as it is.
        if footprint.after.has(ply.from()) {
            footprint.lifts = Bitboard::EMPTY;
            footprint.places = footprint.places.without(ply.from().into());
        }
        Made { ply, footprint, edges, altered: self.altered(ply.from(), found, outcome) }
    }

    /// The squares where a move leaves a piece with another owner or with other DNA than it had before.
    fn altered(&self, from: Square, found: MoveDescriptor, &Outcome { mutated, to, .. }: &Outcome) -> Bitboard {
        let Some(mover) = self.piece(from) else { return Bitboard::EMPTY };
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
        self.plies_of(Bitboard::ALL)
    }

    /// The plies of pieces on these squares.
    pub(crate) fn plies_of(&self, squares: Bitboard) -> Plies {
        let mut plies = self.first_plies();
        plies.set_left(plies.left() & squares);
        while !plies.is_complete() {
            self.list_more(&mut plies);
        }
        plies
    }

    /// The pieces one of which makes the next ply; none if that is a promotion.
    pub(crate) fn movers(&self) -> Bitboard {
        if self.verdict.is_none() && self.promoting.is_empty() { self.of(self.to_move) } else { Bitboard::EMPTY }
    }

    /// What pawns can become. If the next ply is a move, nothing so far, and the pieces that are to be looked at.
    pub(crate) fn first_plies(&self) -> Plies {
        if self.verdict.is_some() || self.promoting.is_empty() {
            return Plies::of_pieces(self.movers());
        }
        let choices = 1..=self.promotions();
        let of_pawn = |square: Square| choices.clone().map(move |choice| Ply::new(square, square).choosing(choice));
        self.own_promoting().squares().flat_map(of_pawn).collect()
    }

    /// Lists the plies of the next piece.
    pub(crate) fn list_more(&self, plies: &mut Plies) {
        let Some(from) = plies.left().first() else { return };
        plies.set_left(plies.left().without(from.into()));
        let Some(piece) = self.piece(from) else { return };
        let (moves, work) = moves::measured_moves(self.genes.get(piece.genome), from, self.around(piece.color));
        plies.add_work(work);
        for found in moves {
            let ply = Ply::new(from, found.to);
            if !plies.add(ply, self.trace(ply, found)) {
                // The list is full.
                return plies.set_left(Bitboard::EMPTY);
            }
        }
    }

    pub(super) fn can_move(&self, color: Color) -> bool {
        let mut search = MoverSearch::of(self.of(color));
        loop {
            if let Some(can_move) = self.search_on(&mut search, u32::MAX) {
                return can_move;
            }
        }
    }

    /// Looks whether one of the pieces of a search can move, for as long as the work takes fewer instructions, and at least at one piece. Nothing if
    /// it has to go on.
    fn search_on(&self, search: &mut MoverSearch, instructions: u32) -> Option<bool> {
        let mut done = 0_u32;
        while done < instructions {
            let Some(from) = search.left.first() else {
                if search.is_thorough {
                    return Some(false);
                }
                *search = MoverSearch { left: search.movers, is_thorough: true, ..*search };
                continue;
            };
            search.left = search.left.without(from.into());
            let Some(piece) = self.piece(from) else { continue };
            let blocks = if search.is_thorough { usize::MAX } else { 1 };
            let (can_move, work) =
                moves::can_move(self.genes.get(piece.genome), from, self.around(piece.color), blocks);
            if can_move {
                return Some(true);
            }
            done = done.saturating_add(work);
        }
        None
    }

    pub(crate) fn has_plies(&self) -> bool {
        self.verdict.is_none() && (self.promoting.any() || self.can_move(self.to_move))
    }

    /// The position after a ply.
    pub(crate) fn after(&self, ply: Ply) -> Option<Self> {
        let (mut next, _) = self.played(ply)?;
        if let Some(mut search) = next.search() {
            next.judge(&mut search, u32::MAX);
        }
        Some(next)
    }

    /// The position after a ply, and what the ply does. Whether the next player has any move is not looked for, see [`Position::search`].
    pub(crate) fn played(&self, ply: Ply) -> Option<(Self, Made)> {
        let (mut next, made) = if self.is_promotion(ply) {
            (self.promoted(ply.from(), ply.choice()), Made::by(ply, self.promotion_footprint(ply)))
        } else {
            let (found, edges) = self.found(ply)?;
            return self.moved_to(ply, found, edges);
        };
        next.verdict = next.verdict_of_kings(self);
        Some((next, made))
    }

    /// The same for a move that is known to be legal, with its trace, so that the DNA is not walked again. The edges are not known then.
    pub(crate) fn played_as_listed(&self, ply: Ply, trace: Trace) -> Option<(Self, Made)> {
        self.moved_to(ply, trace.descriptor(ply.to()), Bitboard::EMPTY)
    }

    fn moved_to(&self, ply: Ply, found: MoveDescriptor, edges: Bitboard) -> Option<(Self, Made)> {
        let outcome = self.outcome(ply.from(), found)?;
        let made = self.made_by(ply, found, edges, &outcome);
        let mut next = self.moved_by(ply.from(), found, &outcome);
        next.to_move = !self.to_move;
        next.verdict = next.verdict_of_kings(self);
        Some((next, made))
    }

    /// The search for a move of the side to move, without which the game is drawn. Nothing if no move is needed.
    pub(crate) fn search(&self) -> Option<MoverSearch> {
        let needs_move = self.verdict.is_none() && self.promoting.is_empty();
        needs_move.then(|| MoverSearch::of(self.of(self.to_move)))
    }

    /// Goes on with a search that began in this position, for about as many instructions. Returns whether it is over; the verdict is known then.
    pub(crate) fn judge(&mut self, search: &mut MoverSearch, instructions: u32) -> bool {
        let found = self.search_on(search, instructions);
        if found == Some(false) {
            self.verdict = Some(Verdict::Drawn(Why::Stalemate));
        }
        found.is_some()
    }

    /// The position after a move that is known to be legal, with its trace. The end of the game is only in it if a king was lost: that the other
    /// side has no move is not looked for, because it takes long.
    pub(crate) fn after_listed(&self, ply: Ply, trace: Trace) -> Option<Self> {
        let mut next = self.moved(ply.from(), trace.descriptor(ply.to()))?;
        next.to_move = !self.to_move;
        next.verdict = next.verdict_of_kings(self);
        Some(next)
    }

    /// The position after a pawn has become a piece with this genome. It keeps its king mark.
    fn promoted(&self, square: Square, genome: u8) -> Self {
        let mut next = *self;
        next.froze = None;
        if let Some(piece) = self.piece(square) {
            next.put(square, Piece { genome, is_pawn: false, ..piece });
        }
        next
    }

    /// The position after a move of the piece on a square with all random effects. The turn and the end of the game are not looked at.
    pub(super) fn moved(&self, from: Square, found: MoveDescriptor) -> Option<Self> {
        Some(self.moved_by(from, found, &self.outcome(from, found)?))
    }

    fn moved_by(&self, from: Square, found: MoveDescriptor, outcome: &Outcome) -> Self {
        let Outcome { mut next, mutated, to } = *outcome;
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
        next
    }

    /// What chance makes of a move.
    fn outcome(&self, from: Square, found: MoveDescriptor) -> Option<Outcome> {
        let piece = self.piece(from)?;
        let debuffs = self.debuffs(piece.genome);
        let mut next = *self;
        next.froze = debuffs.has(Debuff::Freeze).then_some(piece.color);
        let mutated = debuffs.has(Debuff::Mutation).then(|| {
            let genome = |at: Square| self.genomes.get(usize::from(at.index())).copied().unwrap_or_default();
            let used = self.occupied().squares().fold(0, |used, at| used | 1_u128.wrapping_shl(genome(at).into()));
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

    /// How the game ended, if it has.
    pub(crate) const fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The freeze that the last ply has caused.
    pub(crate) fn freeze(&self) -> Option<Freeze> {
        self.froze.map(|mover| Freeze { mover, ms: FREEZE_MS })
    }
}

/// How far a search for a piece that can move has come. Where many pieces are blocked it takes longer than a device's millisecond, so it can be
/// continued. The whole DNA of pieces is only walked if no first block leads anywhere. A side without a move is stalemated, so that a game without a
/// clock ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoverSearch {
    movers: Bitboard,
    left: Bitboard,
    is_thorough: bool,
}

impl MoverSearch {
    const fn of(movers: Bitboard) -> Self {
        Self { movers, left: movers, is_thorough: false }
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
