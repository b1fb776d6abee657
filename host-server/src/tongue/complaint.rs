use std::borrow::Cow;
use std::fmt;

use axum::extract::ws::Utf8Bytes;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::relay::{CommandError, EnterError};
use crate::room::Refusal;
use crate::server::Wait;
use crate::store::StoreError;

/// Why something is not done, in JSON: the `error` of the players' document, on the line and over HTTP alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "error")]
pub(super) struct Complaint {
    status_code: u16,
    message: Cow<'static, str>,
    #[serde(skip)]
    wait: Option<u64>,
}

impl Complaint {
    pub(super) fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status_code: status.as_u16(), message: message.into(), wait: None }
    }

    /// Something that was sent makes no sense.
    pub(super) fn bad(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message.to_string())
    }

    /// The rules do not allow a move.
    pub(super) fn illegal() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "Illegal move.")
    }

    pub(super) fn too_large(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    pub(super) fn frame(&self) -> Utf8Bytes {
        super::frame(self)
    }
}

impl From<Wait> for Complaint {
    fn from(wait: Wait) -> Self {
        let message = format!("Too much at once: {wait}.");
        Self { wait: Some(wait.seconds()), ..Self::new(StatusCode::TOO_MANY_REQUESTS, message) }
    }
}

impl From<Refusal> for Complaint {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal {
            Refusal::NoSeat => StatusCode::FORBIDDEN,
            // The three that the document's own server had.
            Refusal::NotYourTurn | Refusal::NotYourPiece | Refusal::Illegal(_) | Refusal::NoPromotion(_) => {
                StatusCode::METHOD_NOT_ALLOWED
            }
            Refusal::BadText => StatusCode::BAD_REQUEST,
            Refusal::TooMuchSaid => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Closed
            | Refusal::Taken
            | Refusal::NotBegun
            | Refusal::Over(_)
            | Refusal::NotOver
            | Refusal::Stale
            | Refusal::TooLong
            | Refusal::NoClaim(_)
            | Refusal::OfferedAlready
            | Refusal::NoOffer
            | Refusal::NothingToTakeBack
            | Refusal::TooLateToAbort => StatusCode::CONFLICT,
        };
        match refusal {
            Refusal::Illegal(mv) if mv.from() == mv.to() => Self::new(status, "Start and end positions match."),
            Refusal::Illegal(_) => Self::illegal(),
            _ => Self::new(status, refusal.to_string()),
        }
    }
}

impl From<CommandError> for Complaint {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Refused(refusal) => refusal.into(),
            CommandError::Store(_) | CommandError::Ended => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
            }
        }
    }
}

impl From<StoreError> for Complaint {
    fn from(error: StoreError) -> Self {
        EnterError::Store(error).into()
    }
}

impl From<EnterError> for Complaint {
    fn from(error: EnterError) -> Self {
        let status = match error {
            EnterError::NoRoom => StatusCode::NOT_FOUND,
            EnterError::Closed | EnterError::Taken => StatusCode::CONFLICT,
            EnterError::WrongToken => StatusCode::FORBIDDEN,
            EnterError::Store(_) | EnterError::Stopping => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.to_string())
    }
}

impl IntoResponse for Complaint {
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
    fn it_is_the_documents_error() {
        let complaint = Complaint::from(Refusal::NotYourTurn);
        assert_eq!(
            complaint.frame().as_str(),
            r#"{"type":"error","status_code":405,"message":"It is not your turn."}"#
        );
    }

    #[test]
    fn moves_are_refused_in_the_originals_words() {
        let said = |refusal: Refusal| Complaint::from(refusal).message.into_owned();
        assert_eq!(said(Refusal::NotYourPiece), "This is not your piece.");
        assert_eq!(said(Refusal::Illegal("e2e5".parse().unwrap())), "Illegal move.");
        let same = chess::Move::new(chess::Square::E2, chess::Square::E2);
        assert_eq!(said(Refusal::Illegal(same)), "Start and end positions match.");
    }

    #[test]
    fn who_has_to_wait_is_told_how_long() {
        let response = Complaint::from(Wait(Duration::from_millis(2_500))).into_response();
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(response.headers()[RETRY_AFTER], "3");
    }
}
