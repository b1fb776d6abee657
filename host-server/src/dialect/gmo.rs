//! The store of genomes and presets of GMO chess: `GET` and `POST` of `/genome/{hash}` and `/preset/{hash}`.
//!
//! Texts are enciphered on the network. The first text that is written under a hash stays.

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::Services;
use super::json_error::JsonError;
use crate::genome::{Hash, Kind, Library, Put, cipher};
use crate::server::ClientContext;

/// The longest enciphered text in bytes.
const MAX_TEXT: usize = 500;

const TEXT: &str = "text/plain; charset=utf-8";

pub(super) fn routes(services: &Services) -> Router {
    routes_of(Library::new(services.relay.store().clone()))
}

fn routes_of(library: Library) -> Router {
    let path = |kind: Kind| format!("/{}/{{hash}}", kind.name());
    [Kind::Genome, Kind::Preset]
        .into_iter()
        .fold(Router::new(), |routes, kind| {
            let read = move |State(library): State<Library>, path| async move { read(kind, library, path).await };
            let write = move |State(library): State<Library>, path, client, body| async move {
                write(kind, library, path, client, body).await
            };
            routes.route(&path(kind), get(read).post(write))
        })
        // One byte more, so that a text that is too long gets this dialect's own answer.
        .layer(DefaultBodyLimit::max(MAX_TEXT + 1))
        .with_state(library)
}

async fn read(kind: Kind, library: Library, path: Result<Path<String>, PathRejection>) -> Result<Response, JsonError> {
    let unknown = || JsonError::new(StatusCode::NOT_FOUND, format!("There is no {} with this hash.", kind.name()));
    let Path(name) = path.map_err(|_| unknown())?;
    let text = library.get(kind, &name).await?.ok_or_else(unknown)?;
    // Stored texts were checked, so that they consist of letters of the alphabet.
    let body = cipher::encipher(&text).map_err(JsonError::bad)?;
    // The first text under a hash stays.
    Ok(([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, "public, max-age=86400")], body).into_response())
}

async fn write(
    kind: Kind,
    library: Library,
    path: Result<Path<String>, PathRejection>,
    client: ClientContext,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, JsonError> {
    let too_long = || JsonError::too_large(format!("A {} has at most {MAX_TEXT} letters.", kind.name()));
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_long(),
        status => JsonError::new(status, rejection.body_text()),
    })?;
    if body.len() > MAX_TEXT {
        return Err(too_long());
    }
    let Path(name) = path.map_err(JsonError::bad)?;
    let hash: Hash = name.parse().map_err(|error| JsonError::bad(format_args!("In the path, {error}.")))?;
    let text = str::from_utf8(&body).map_err(|_| JsonError::bad("The body is not text."))?;
    let text = cipher::decipher(text.trim_end())
        .map_err(|error| JsonError::bad(format_args!("The body cannot be deciphered: {error}.")))?;
    let found = Hash::of(&text);
    if found != hash {
        let reason = format!("The body deciphers to a text with the hash {found}, not {hash}.");
        return Err(JsonError::new(StatusCode::UNPROCESSABLE_ENTITY, reason));
    }
    kind.check(&text)
        .map_err(|error| JsonError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("Refused: {error}.")))?;
    if library.compare(kind, &text).await?.is_none() {
        // Only a new text counts against the limits.
        client.try_save(text.len())?;
    }
    match library.put(kind, &text).await? {
        Put::Stored => Ok(answer(StatusCode::CREATED, hash)),
        Put::Known => Ok(answer(StatusCode::OK, hash)),
        Put::Taken => {
            let reason = format!("Another {} with the hash {hash} was stored first.", kind.name());
            Err(JsonError::new(StatusCode::CONFLICT, reason))
        }
        Put::Full => {
            let reason = format!("This relay stores no more {}s.", kind.name());
            Err(JsonError::new(StatusCode::INSUFFICIENT_STORAGE, reason))
        }
    }
}

fn answer(status: StatusCode, hash: Hash) -> Response {
    (status, [(CONTENT_TYPE, TEXT)], format!("{hash}\n")).into_response()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::Extension;
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tower::ServiceExt;

    use super::*;
    use crate::store::memory::Memory;

    #[tokio::test]
    async fn a_full_store_takes_no_new_texts_and_keeps_the_others() {
        let library = Library::limited(Arc::new(Memory::default()), 2);
        let server = routes_of(library).layer(Extension(ClientContext::for_tests()));
        let post = async |step: &str| {
            let dna = format!("AHHHSHHSHCHACHACHAHHA{step}");
            let request = Request::post(format!("/genome/{}", Hash::of(&dna)));
            let request = request.body(Body::from(cipher::encipher(&dna).unwrap())).unwrap();
            let response = server.clone().oneshot(request).await.unwrap();
            let status = response.status();
            (status, to_bytes(response.into_body(), usize::MAX).await.unwrap())
        };
        assert_eq!(post("SAS").await.0, StatusCode::CREATED);
        assert_eq!(post("SAC").await.0, StatusCode::CREATED);
        let (status, body) = post("CAS").await;
        assert_eq!(status, StatusCode::INSUFFICIENT_STORAGE);
        assert!(String::from_utf8_lossy(&body).contains("This relay stores no more genomes."), "{body:?}");
        assert_eq!(post("SAS").await.0, StatusCode::OK);
    }
}
