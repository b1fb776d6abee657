use chess::{Game, Scoresheet};

use super::decode_error::DecodeError;
use super::decoder::Decoder;
use super::state_view::StateView;

/// Decodes a game state into `game` and returns a view of its bytes.
///
/// The input is untrusted. A state with moves is accepted only if playing its moves from the start position gives
/// exactly these bytes. A state without moves may also be a set-up position from which a game can begin, if its check,
/// mate, castling rights and moved flags agree with its board.
///
/// The checks run in this order and the first failure is returned: each header byte by itself; then the moves in order,
/// or the set-up board and the captured pieces; then the header against the header that the game would be encoded with.
///
/// `game` is overwritten in any case, and is a new game from the start position after an error: a device has no memory
/// for a second game.
pub fn decode<'a>(bytes: &'a [u8], game: &mut Game<impl Scoresheet>) -> Result<StateView<'a>, DecodeError> {
    let mut decoder = Decoder::new(game);
    decoder.feed(bytes, game)?;
    decoder.finish(game)?;
    StateView::read(bytes)
}
