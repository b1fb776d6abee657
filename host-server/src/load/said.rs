use std::borrow::Cow;

use serde::Deserialize;

/// Anything that a relay can say to a player, with the fields that matter here.
#[derive(Debug, Deserialize)]
pub(super) struct Said<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) user_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) token: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) player_turn_id: Option<Cow<'a, str>>,
    pub(super) board: Option<Vec<i8>>,
    pub(super) allow_en_passant: Option<Vec<bool>>,
    pub(super) has_king_moved: Option<Kings>,
    pub(super) has_rook_moved: Option<Rooks>,
    pub(super) ply: Option<usize>,
    #[serde(borrow)]
    pub(super) result: Option<Cow<'a, str>>,
    pub(super) status_code: Option<u16>,
    #[serde(borrow)]
    pub(super) message: Option<Cow<'a, str>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Kings {
    pub(super) white: bool,
    pub(super) black: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the document has them")]
pub(super) struct Rooks {
    pub(super) a1: bool,
    pub(super) h1: bool,
    pub(super) a8: bool,
    pub(super) h8: bool,
}
