use core::fmt;

use chess::{Game, Position, Scoresheet};
use wire::layout::Encoder;
use wire::link::{MAX_FEN, Message, Origin, Snapshot, Table};

/// A game that is on its way out.
///
/// What it stands for was fixed when it began. If more has been said or heard since, the game is another one, and has to
/// be sent from the beginning.
#[derive(Clone, Debug)]
pub(super) struct Telling {
    encoder: Encoder,
    number: u32,
    heard: u32,
}

impl Telling {
    /// Begins to send a game. The message comes before its bytes.
    pub(super) fn begin<'a>(
        game: &Game<impl Scoresheet>,
        table: Table<'a>,
        (number, heard, renewed): (u32, u32, u32),
        fen: &'a mut FenText,
    ) -> (Self, Message<'a>) {
        let (encoder, origin) = match Encoder::new(game) {
            Ok(encoder) => (encoder, Origin::State),
            // A game from elsewhere: the state has no place for where it began.
            Err(_) => (Encoder::of_moves(game), Origin::Fen(fen.write(game.start()))),
        };
        let snapshot = Snapshot { number, heard, renewed, table, origin };
        (Self { encoder, number, heard }, Message::Snapshot(snapshot))
    }

    /// Whether it still is the game as it is.
    pub(super) const fn is_current(&self, said: u32, heard: u32) -> bool {
        self.number == said && self.heard == heard
    }

    /// The next bytes, and after the last of them the word that there are no more.
    pub(super) fn next<'a>(&mut self, game: &Game<impl Scoresheet>, piece: &'a mut [u8]) -> Message<'a> {
        let count = self.encoder.write(game, piece);
        match piece.get(..count) {
            Some(bytes @ [_, ..]) => Message::Piece(bytes),
            _ => Message::Complete,
        }
    }
}

/// Room for the text of a position.
pub(super) struct FenText {
    bytes: [u8; MAX_FEN],
    len: usize,
}

impl FenText {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; MAX_FEN], len: 0 }
    }

    /// A position as text.
    fn write(&mut self, position: &Position) -> &str {
        self.len = 0;
        // There is room for the longest.
        let _ = fmt::write(self, format_args!("{}", position.fen()));
        self.bytes.get(..self.len).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

impl fmt::Write for FenText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let rest = self.bytes.get_mut(self.len..).ok_or(fmt::Error)?;
        rest.get_mut(..text.len()).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = self.len.saturating_add(text.len());
        Ok(())
    }
}
