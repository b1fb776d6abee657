use chess::Scoresheet;
use rules::{Play, Ply, Start};
use wire::layout::Decoder;
use wire::link::{Snapshot, SnapshotOrigin};
use wire::setup::SetupReader;
use wire::turn::TurnReader;

use super::error::LinkError;
use super::incoming::SnapshotBasis;

/// Receives a snapshot of a game in pieces, directly into the memory of this side's game, which is invalid until the last piece.
#[derive(Debug)]
pub(super) struct SnapshotReceiver {
    decoder: Body,
    /// It replaces all events of the peer up to this number.
    number: u32,
    basis: SnapshotBasis,
}

/// How the plies are written.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is one for each connection, and the lint depends on the width of a pointer"
)]
enum Body {
    /// As the documented game state, or as the moves of one.
    Chess(Decoder),
    /// Two bytes a ply. The first half of a ply may have come with the piece before.
    Plies(Option<u8>),
    /// The setup comes first, and then two bytes a ply.
    Setup(SetupReader),
    /// The turn comes first, and then two bytes a ply.
    Turn(TurnReader),
}

impl SnapshotReceiver {
    /// Starts to read a game into this one.
    pub(super) fn begin(snapshot: &Snapshot, play: &mut Play<impl Scoresheet>) -> Self {
        let decoder = match snapshot.origin {
            SnapshotOrigin::State => Body::Chess(Decoder::new(play.chess_mut())),
            SnapshotOrigin::Setup => Body::Setup(SetupReader::default()),
            SnapshotOrigin::Turn => Body::Turn(TurnReader::default()),
            SnapshotOrigin::Plies(start) => {
                if let Some(&position) = start.chess() {
                    Body::Chess(Decoder::of_moves(play.chess_mut(), position))
                } else {
                    play.restart(&start);
                    Body::Plies(None)
                }
            }
        };
        let basis = SnapshotBasis { received_up_to: snapshot.received_up_to, renewed: snapshot.renewed };
        Self { decoder, number: snapshot.number, basis }
    }

    /// Reads the next piece.
    pub(super) fn feed(&mut self, bytes: &[u8], play: &mut Play<impl Scoresheet>) -> Result<(), LinkError> {
        if let Body::Chess(decoder) = &mut self.decoder {
            return decoder.feed(bytes, play.chess_mut()).map_err(LinkError::State);
        }
        bytes.iter().try_for_each(|&byte| self.feed_byte(byte, play))
    }

    /// Reads the next byte of a game under other rules.
    fn feed_byte(&mut self, byte: u8, play: &mut Play<impl Scoresheet>) -> Result<(), LinkError> {
        match &mut self.decoder {
            Body::Chess(_) => {}
            Body::Plies(half) => match half.take() {
                Some(low) => {
                    let next = Ply::from_bits(u16::from_le_bytes([low, byte]));
                    play.play(next).map_err(LinkError::Ply)?;
                }
                None => *half = Some(byte),
            },
            Body::Setup(reader) => {
                if let Some(setup) = reader.push(byte).map_err(LinkError::Setup)? {
                    play.restart(&Start::Genome(setup));
                    self.decoder = Body::Plies(None);
                }
            }
            Body::Turn(reader) => {
                if let Some(turn) = reader.push(byte).map_err(LinkError::Turn)? {
                    play.restart(&Start::Told(turn));
                    self.decoder = Body::Plies(None);
                }
            }
        }
        Ok(())
    }

    /// The last piece was read. Returns the number of the snapshot, and what it includes.
    pub(super) fn finish(self, play: &mut Play<impl Scoresheet>) -> Result<(u32, SnapshotBasis), LinkError> {
        match self.decoder {
            Body::Chess(decoder) => decoder.finish(play.chess_mut()).map_err(LinkError::State)?,
            Body::Plies(None) => {}
            Body::Plies(Some(_)) | Body::Setup(_) | Body::Turn(_) => return Err(LinkError::UnexpectedMessage),
        }
        Ok((self.number, self.basis))
    }
}
