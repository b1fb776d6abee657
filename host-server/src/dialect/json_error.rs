use std::borrow::Cow;
use std::fmt;

use axum::extract::ws::Utf8Bytes;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::boards::BoardAway;
use crate::relay::{ActError, EnterError, RulingError};
use crate::room::Refusal;
use crate::server::RetryAfter;
use crate::store::StoreError;

/// The `error` message of the Chessata document: a WebSocket frame or the body of an HTTP response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "error")]
pub(super) struct JsonError {
    status_code: u16,
    message: Cow<'static, str>,
    /// Seconds, for the `Retry-After` header.
    #[serde(skip)]
    wait: Option<u64>,
}

impl JsonError {
    pub(super) fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status_code: status.as_u16(), message: message.into(), wait: None }
    }

    /// 400: the request is malformed.
    pub(super) fn bad(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message.to_string())
    }

    /// 405: the move is illegal.
    pub(super) fn illegal() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "Illegal move.")
    }

    pub(super) fn too_large(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    /// The error of a script that no game is played by yet.
    pub(super) fn of_new_script(error: &RulingError) -> Self {
        Self::new(status_of(error), error.reason())
    }

    #[cfg(test)]
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn frame(&self) -> Utf8Bytes {
        super::frame(self)
    }
}

impl From<RetryAfter> for JsonError {
    fn from(wait: RetryAfter) -> Self {
        let message = format!("Too many requests: {wait}.");
        Self { wait: Some(wait.seconds()), ..Self::new(StatusCode::TOO_MANY_REQUESTS, message) }
    }
}

impl From<Refusal> for JsonError {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal {
            Refusal::NoSeat => StatusCode::FORBIDDEN,
            // The document's own server used this status.
            Refusal::NotYourTurn
            | Refusal::NotYourPiece
            | Refusal::NoPiece
            | Refusal::Illegal(_)
            | Refusal::NoPromotion(_) => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::BadText => StatusCode::BAD_REQUEST,
            Refusal::ChatFull => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Closed
            | Refusal::Taken
            | Refusal::NotBegun
            | Refusal::Over(_)
            | Refusal::NotOver
            | Refusal::Stale
            | Refusal::TooLong
            | Refusal::TooManyTakebacks
            | Refusal::Frozen
            | Refusal::NoClaim(_)
            | Refusal::OfferedAlready
            | Refusal::NoOffer
            | Refusal::NothingToTakeBack
            | Refusal::TooLateToAbort
            | Refusal::NoClaimWithoutClock
            | Refusal::OpponentIsHere
            | Refusal::TooEarlyToClaim => StatusCode::CONFLICT,
        };
        match refusal {
            Refusal::Illegal(mv) if mv.from() == mv.to() => Self::new(status, "Start and end positions match."),
            Refusal::Illegal(_) => Self::illegal(),
            _ => Self::new(status, refusal.to_string()),
        }
    }
}

impl From<ActError> for JsonError {
    fn from(error: ActError) -> Self {
        match error {
            ActError::Refused(refusal) => refusal.into(),
            ActError::Store(ref cause) => {
                tracing::warn!(error = %cause, "storing the act of a client failed");
                Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
            }
            ActError::Script(error) => (*error).into(),
            ActError::Ended => Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
        }
    }
}

impl From<RulingError> for JsonError {
    fn from(error: RulingError) -> Self {
        Self::new(status_of(&error), error.to_string())
    }
}

const fn status_of(error: &RulingError) -> StatusCode {
    match error {
        _ if error.is_of_script() => StatusCode::UNPROCESSABLE_ENTITY,
        RulingError::Unknown(_) => StatusCode::NOT_FOUND,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl From<StoreError> for JsonError {
    fn from(error: StoreError) -> Self {
        EnterError::Store(error).into()
    }
}

impl From<BoardAway> for JsonError {
    fn from(away: BoardAway) -> Self {
        let status = match away {
            // The client may try again: the board opens its room when it is back.
            BoardAway::Offline(_) | BoardAway::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            BoardAway::Refuses(_) => StatusCode::CONFLICT,
        };
        Self::new(status, away.to_string())
    }
}

impl From<EnterError> for JsonError {
    fn from(error: EnterError) -> Self {
        if let EnterError::Store(cause) = &error {
            tracing::warn!(error = %cause, "a client could not enter, because the store failed");
        }
        let status = match error {
            EnterError::NoRoom => StatusCode::NOT_FOUND,
            EnterError::Closed | EnterError::Taken => StatusCode::CONFLICT,
            EnterError::WrongToken => StatusCode::FORBIDDEN,
            EnterError::Store(_) | EnterError::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            EnterError::TooManyRooms(wait) => return RetryAfter(wait).into(),
        };
        Self::new(status, error.to_string())
    }
}

impl IntoResponse for JsonError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status_code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = super::json(&self);
        let mut response = (status, [(CONTENT_TYPE, "application/json")], body).into_response();
        if let Some(seconds) = self.wait {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn has_the_form_of_the_document() {
        let error = JsonError::from(Refusal::NotYourTurn);
        assert_eq!(error.frame().as_str(), r#"{"type":"error","status_code":405,"message":"It is not your turn."}"#);
    }

    #[test]
    fn refused_moves_have_the_texts_of_the_original() {
        let message = |refusal: Refusal| JsonError::from(refusal).message.into_owned();
        assert_eq!(message(Refusal::NotYourPiece), "This is not your piece.");
        assert_eq!(message(Refusal::Illegal("e2e5".parse().unwrap())), "Illegal move.");
        let same = rules::Ply::new(chess::Square::E2, chess::Square::E2);
        assert_eq!(message(Refusal::Illegal(same)), "Start and end positions match.");
    }

    #[test]
    fn errors_of_the_store_are_not_shown_to_clients() {
        let secret = || "tabiya:{aa17}:log: os error 111, f1d2d2f9".to_owned();
        for error in [
            StoreError::Unavailable(secret()),
            StoreError::Unclear(secret()),
            StoreError::Full(secret()),
            StoreError::Corrupt(secret()),
        ] {
            for error in [JsonError::from(error.clone()), JsonError::from(ActError::Store(error.clone()))] {
                let frame = error.frame();
                assert!(frame.contains("503") && !frame.contains("aa17") && !frame.contains("os error"), "{frame}");
            }
            assert!(error.to_string().contains("os error 111"), "the log has it");
        }
    }

    #[test]
    fn rate_limit_errors_have_retry_after() {
        let response = JsonError::from(RetryAfter(Duration::from_millis(2_500))).into_response();
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(response.headers()[RETRY_AFTER], "3");
    }
}
