//! The messages of a relay to a JSON client, with the fields that the load generator uses.

use std::borrow::Cow;

use serde::Deserialize;

/// Any message of a relay.
#[derive(Debug, Deserialize)]
pub(crate) struct RelayMessage<'a> {
    #[serde(rename = "type", borrow)]
    pub(crate) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) user_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) token: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) player_turn_id: Option<Cow<'a, str>>,
    pub(crate) board: Option<Vec<i8>>,
    pub(crate) allow_en_passant: Option<Vec<bool>>,
    pub(crate) has_king_moved: Option<KingsMoved>,
    pub(crate) has_rook_moved: Option<RooksMoved>,
    pub(crate) ply: Option<usize>,
    #[serde(borrow)]
    pub(crate) result: Option<Cow<'a, str>>,
    pub(crate) status_code: Option<u16>,
    #[serde(borrow)]
    pub(crate) message: Option<Cow<'a, str>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct KingsMoved {
    pub(crate) white: bool,
    pub(crate) black: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the documented message has one for each corner")]
pub(crate) struct RooksMoved {
    pub(crate) a1: bool,
    pub(crate) h1: bool,
    pub(crate) a8: bool,
    pub(crate) h8: bool,
}
