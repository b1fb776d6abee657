use chess::{Game, Position, Scoresheet};
use wire::layout::Decoder;
use wire::link::{Origin, Snapshot};

use super::broken::Broken;
use super::news::Basis;

/// A game that is on its way into this side's, which is none until it is there.
#[derive(Debug)]
pub(super) struct Loading {
    decoder: Decoder,
    /// Up to which number it says everything that the other side has to say.
    number: u32,
    basis: Basis,
}

impl Loading {
    /// Begins to read a game into this one.
    pub(super) fn begin(snapshot: &Snapshot<'_>, game: &mut Game<impl Scoresheet>) -> Result<Self, Broken> {
        let decoder = match snapshot.origin {
            Origin::State => Decoder::new(game),
            Origin::Fen(fen) => {
                let start: Position = fen.parse().map_err(Broken::Fen)?;
                Decoder::of_moves(game, start)
            }
        };
        let basis = Basis { heard: snapshot.heard, renewed: snapshot.renewed };
        Ok(Self { decoder, number: snapshot.number, basis })
    }

    /// Reads the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8], game: &mut Game<impl Scoresheet>) -> Result<(), Broken> {
        self.decoder.feed(bytes, game).map_err(Broken::State)
    }

    /// There are no more bytes. Returns the number of the game, and what is in it.
    pub(super) fn finish(self, game: &mut Game<impl Scoresheet>) -> Result<(u32, Basis), Broken> {
        self.decoder.finish(game).map_err(Broken::State)?;
        Ok((self.number, self.basis))
    }
}
