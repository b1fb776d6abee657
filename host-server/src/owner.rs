//! The pages of the relay's owner: `/owner` pairs boards, `/owner/boards/NAME` is for one of them (`boards.rs`). Their data is for clients on the relay's own machine, and for those with the
//! owner's password.

mod boards;

use axum::Router;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::json;
use subtle::ConstantTimeEq;

use crate::boards::BoardError;
use crate::config::Secret;
use crate::dialect::board::BoardServer;
use crate::page;
use crate::pairing::{AnswerError, PairingRequests};
use crate::server::ClientContext;

/// What the owner can do.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pairing: PairingRequests,
    boards: BoardServer,
    /// The password of clients elsewhere; without one there is no access for them.
    token: Option<Secret>,
}

impl Owner {
    pub(crate) const fn new(pairing: PairingRequests, boards: BoardServer, token: Option<Secret>) -> Self {
        Self { pairing, boards, token }
    }
}

/// The page and its data.
pub(crate) fn routes(owner: Owner) -> Router {
    Router::new()
        .route("/owner", get(show))
        .route("/owner/pairings", get(list))
        .route("/owner/pairings/{id}", post(answer))
        .merge(boards::routes())
        .with_state(owner)
}

/// The page itself has nothing that only the owner may see.
async fn show(headers: HeaderMap) -> Response {
    page::document("owner.html", &headers)
}

/// The owner of the relay, as a condition of a request.
struct Authorized;

impl FromRequestParts<Owner> for Authorized {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, owner: &Owner) -> Result<Self, Response> {
        let client = parts.extensions.get::<ClientContext>();
        if client.is_some_and(ClientContext::is_local) {
            return Ok(Self);
        }
        let Some(token) = &owner.token else {
            let message =
                "This page is for the computer of the relay. Set TABIYA_OWNER_TOKEN to use it from elsewhere.";
            return Err(failed(StatusCode::FORBIDDEN, message));
        };
        let given = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.split_once(' '));
        let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, given)| given);
        if given.is_some_and(|given| bool::from(given.as_bytes().ct_eq(token.reveal().as_bytes()))) {
            return Ok(Self);
        }
        // Passwords must not be found by trying.
        if given.is_some()
            && let Some(client) = client
            && let Err(wait) = client.try_code()
        {
            return Err(failed(StatusCode::TOO_MANY_REQUESTS, &format!("Too many requests: {wait}.")));
        }
        Err(failed(StatusCode::UNAUTHORIZED, "The password of the owner is needed."))
    }
}

async fn list(_: Authorized, State(owner): State<Owner>) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(json!({ "pairings": owner.pairing.list() }))).into_response()
}

/// The owner's answer to a request.
#[derive(Deserialize)]
#[serde(tag = "answer", rename_all = "lowercase", deny_unknown_fields)]
enum PairingAnswer {
    Accept { name: String },
    Decline,
}

async fn answer(
    _: Authorized,
    State(owner): State<Owner>,
    Path(id): Path<String>,
    Json(answer): Json<PairingAnswer>,
) -> Response {
    let answered = match answer {
        PairingAnswer::Accept { name } => owner.pairing.accept(&id, &name).await.map(|name| json!({ "paired": name })),
        PairingAnswer::Decline => owner.pairing.decline(&id).map(|()| json!({ "declined": true })),
    };
    match answered {
        Ok(body) => Json(body).into_response(),
        Err(error) => {
            let status = match &error {
                AnswerError::Gone => StatusCode::NOT_FOUND,
                AnswerError::Board(BoardError::Exists(_)) => StatusCode::CONFLICT,
                AnswerError::Board(BoardError::Store(_)) => StatusCode::SERVICE_UNAVAILABLE,
                AnswerError::Board(_) => StatusCode::BAD_REQUEST,
            };
            failed(status, &error.to_string())
        }
    }
}

fn failed(status: StatusCode, message: &str) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], Json(json!({ "error": message }))).into_response()
}
