use chess::Scoresheet;
use rules::{Play, Start};
use wire::layout::Encoder;
use wire::link::{GameInfo, Message, Snapshot, SnapshotOrigin};
use wire::setup::write_setup;
use wire::turn::write_turn;

/// Sends a snapshot of a game in pieces.
///
/// The sequence numbers that it stands for are fixed when it starts. If an event is queued or received meanwhile, the snapshot is out of
/// date and starts again.
#[derive(Clone, Debug)]
pub(super) struct SnapshotSender {
    encoder: Body,
    number: u32,
    received_up_to: u32,
}

/// How the plies are written.
#[derive(Clone, Debug)]
enum Body {
    /// As the documented game state, or as the moves of one.
    Chess(Encoder),
    /// Two bytes a ply; this is the next one.
    Plies(usize),
    /// The setup of GMO chess or the turn of a told game comes first; this is its next byte.
    Start(usize),
}

impl SnapshotSender {
    /// Starts to send a game. The message comes before its bytes.
    pub(super) fn begin(
        play: &Play<impl Scoresheet>,
        info: GameInfo,
        (number, received_up_to, renewed): (u32, u32, u32),
    ) -> (Self, Message<'static>) {
        let (encoder, origin) = match play.chess() {
            Some(game) => match Encoder::new(game) {
                Ok(encoder) => (Body::Chess(encoder), SnapshotOrigin::State),
                // The documented state has no place for another start position.
                Err(_) => (Body::Chess(Encoder::of_moves(game)), SnapshotOrigin::Plies(Start::Chess(*game.start()))),
            },
            None => match SnapshotOrigin::of(&play.start()) {
                origin @ (SnapshotOrigin::Setup | SnapshotOrigin::Turn) => (Body::Start(0), origin),
                origin => (Body::Plies(0), origin),
            },
        };
        let snapshot = Snapshot { number, received_up_to, renewed, info, origin };
        (Self { encoder, number, received_up_to }, Message::Snapshot(snapshot))
    }

    /// Whether no event was queued or received since it started.
    pub(super) const fn is_current(&self, last: u32, received_up_to: u32) -> bool {
        self.number == last && self.received_up_to == received_up_to
    }

    /// The next piece, and after the last of them the completion.
    pub(super) fn next<'a>(&mut self, play: &Play<impl Scoresheet>, piece: &'a mut [u8]) -> Message<'a> {
        let mut count = match &mut self.encoder {
            Body::Chess(encoder) => play.chess().map_or(0, |game| encoder.write(game, piece)),
            Body::Plies(next) => write_plies(play, next, piece),
            Body::Start(next) => write_start_part(&play.start(), next, piece),
        };
        if count == 0 && matches!(self.encoder, Body::Start(_)) {
            let mut next = 0;
            count = write_plies(play, &mut next, piece);
            self.encoder = Body::Plies(next);
        }
        match piece.get(..count) {
            Some(bytes @ [_, ..]) => Message::Piece(bytes),
            _ => Message::Complete,
        }
    }
}

/// Writes as many plies as there is room for, and returns the number of bytes.
fn write_plies(play: &Play<impl Scoresheet>, next: &mut usize, piece: &mut [u8]) -> usize {
    let mut count = 0_usize;
    let (slots, _) = piece.as_chunks_mut();
    for (slot, ply) in slots.iter_mut().zip(play.plies_from(*next)) {
        *slot = ply.bits().to_le_bytes();
        *next = next.saturating_add(1);
        count = count.saturating_add(slot.len());
    }
    count
}

/// Writes as much of the setup or the turn as there is room for, and returns the number of bytes.
fn write_start_part(start: &Start, next: &mut usize, piece: &mut [u8]) -> usize {
    let count = match (start.setup(), start.told()) {
        (Some(setup), _) => copy_from(&write_setup(setup), *next, piece),
        (None, Some(turn)) => copy_from(&write_turn(turn), *next, piece),
        (None, None) => 0,
    };
    *next = next.saturating_add(count);
    count
}

/// Copies the bytes from this one on, as many as there is room for.
fn copy_from(bytes: &[u8], at: usize, piece: &mut [u8]) -> usize {
    let mut count = 0_usize;
    for (slot, &byte) in piece.iter_mut().zip(bytes.get(at..).unwrap_or_default()) {
        *slot = byte;
        count = count.saturating_add(1);
    }
    count
}
