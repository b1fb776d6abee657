//! The events that the relay sends.

use chess::Color;
use serde_json::{Value, json};

use crate::room::Code;

/// An event to a client. The first group is the document's table, the second is additional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServerEvent {
    GetGameId(Code),
    StartCountDown,
    EndCountDownDisconnect,
    StartGame {
        fen: String,
    },
    PlayerColor(Color),
    InvalidRoomId,
    RoomFull,
    BoardUpdated {
        fen: String,
    },
    InvalidMove,
    Victory(Color),
    Draw,
    StartPawnPromotion(Color),
    SuccessPawnPromotion,
    ErrorPawnPromotion,
    PlayerDisconnect,
    EndGameDisconnect,

    /// The secret with which the player can return to the seat.
    SeatToken(String),
    /// The player has returned to the seat.
    ReJoinSuccess {
        color: Color,
        fen: String,
    },
    /// A player has entered, or returned.
    PlayerJoined,
    DrawOffered(Color),
    DrawDeclined,
    /// The game was aborted.
    Aborted,
    /// How the game ended: result as in PGN, and the reason.
    GameOver {
        result: &'static str,
        reason: &'static str,
    },
    /// An event of the client that has no effect, and why.
    Refused {
        event: &'static str,
        reason: String,
    },
}

impl ServerEvent {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::GetGameId(_) => "getGameId",
            Self::StartCountDown => "startCountDown",
            Self::EndCountDownDisconnect => "endCountDownDisconnect",
            Self::StartGame { .. } => "startGame",
            Self::PlayerColor(_) => "playerColor",
            Self::InvalidRoomId => "invalidRoomId",
            Self::RoomFull => "roomFull",
            Self::BoardUpdated { .. } => "boardUpdated",
            Self::InvalidMove => "invalidMove",
            Self::Victory(_) => "victory",
            Self::Draw => "draw",
            Self::StartPawnPromotion(_) => "startPawnPromotion",
            Self::SuccessPawnPromotion => "successPawnPromotion",
            Self::ErrorPawnPromotion => "errorPawnPromotion",
            Self::PlayerDisconnect => "playerDisconnect",
            Self::EndGameDisconnect => "endGameDisconnect",
            Self::SeatToken(_) => "seatToken",
            Self::ReJoinSuccess { .. } => "reJoinSuccess",
            Self::PlayerJoined => "playerJoined",
            Self::DrawOffered(_) => "drawOffered",
            Self::DrawDeclined => "drawDeclined",
            Self::Aborted => "aborted",
            Self::GameOver { .. } => "gameOver",
            Self::Refused { .. } => "refused",
        }
    }

    /// The positional arguments. No event has more than two.
    pub(super) fn arguments(&self) -> [Option<Value>; 2] {
        match self {
            Self::GetGameId(code) => [Some(json!(code)), None],
            Self::StartGame { fen } | Self::BoardUpdated { fen } => [Some(json!(fen)), None],
            Self::PlayerColor(color)
            | Self::Victory(color)
            | Self::StartPawnPromotion(color)
            | Self::DrawOffered(color) => [Some(json!(player(*color))), None],
            Self::SeatToken(token) => [Some(json!(token)), None],
            Self::ReJoinSuccess { color, fen } => [Some(json!(player(*color))), Some(json!(fen))],
            Self::GameOver { result, reason } => [Some(json!(result)), Some(json!(reason))],
            Self::Refused { event, reason } => [Some(json!(event)), Some(json!(reason))],
            Self::StartCountDown
            | Self::EndCountDownDisconnect
            | Self::InvalidRoomId
            | Self::RoomFull
            | Self::InvalidMove
            | Self::Draw
            | Self::SuccessPawnPromotion
            | Self::ErrorPawnPromotion
            | Self::PlayerDisconnect
            | Self::EndGameDisconnect
            | Self::PlayerJoined
            | Self::DrawDeclined
            | Self::Aborted => [None, None],
        }
    }
}

/// The document's number of a player.
pub(super) const fn player(color: Color) -> u8 {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}
