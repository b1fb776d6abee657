//! The laboratory of GMO chess for its page at `/lab`: explains DNA, shows and plays moves on a board without turns, and stores genomes and
//! presets as plain text. docs/genome.md describes it.

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use rules::genome::{Dna, PIECES};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Services;
use super::json_error::JsonError;
use crate::genome::laboratory::LaboratoryRequest;
use crate::genome::{Hash, Kind, Library, Preset, Put};
use crate::server::ClientContext;

/// The longest request in bytes: a board full of pieces, and the genomes of a game.
const MAX_BODY: usize = 16 * 1024;

pub(super) fn routes(services: &Services) -> Router {
    Router::new()
        .route("/lab/look", post(look))
        .route("/lab/genomes", get(built_in))
        .route("/lab/genome", post(store_genome))
        .route("/lab/genome/{name}", get(load_genome))
        .route("/lab/preset", post(store_preset))
        .route("/lab/preset/{name}", get(load_preset))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(Library::new(services.relay.store().clone()))
}

/// Decodes the body of a request.
fn read<T: for<'de> Deserialize<'de>>(body: Result<Bytes, BytesRejection>) -> Result<T, JsonError> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => JsonError::too_large(format!("A request has at most {MAX_BODY} bytes.")),
        status => JsonError::new(status, rejection.body_text()),
    })?;
    serde_json::from_slice(&body).map_err(|error| JsonError::bad(format_args!("The body cannot be read: {error}.")))
}

fn unprocessable(reason: impl std::fmt::Display) -> JsonError {
    JsonError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("Refused: {reason}."))
}

async fn look(body: Result<Bytes, BytesRejection>) -> Result<Response, JsonError> {
    let seen = read::<LaboratoryRequest>(body)?.seen().map_err(unprocessable)?;
    Ok(Json(seen).into_response())
}

/// The pieces of the original game.
async fn built_in() -> Response {
    let genomes = PIECES.map(|piece| described(piece.dna));
    ([(CACHE_CONTROL, "public, max-age=3600")], Json(json!({ "genomes": genomes }))).into_response()
}

fn described(dna: &str) -> Value {
    let name = PIECES.iter().find(|piece| piece.dna == dna).map(|piece| piece.piece);
    json!({ "hash": Hash::of(dna).to_string(), "dna": dna, "name": name })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GenomeOrder {
    dna: String,
}

async fn store_genome(
    State(library): State<Library>,
    client: ClientContext,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, JsonError> {
    let GenomeOrder { dna } = read(body)?;
    let dna: Dna = dna.parse().map_err(unprocessable)?;
    store(Kind::Genome, &library, &client, &dna.to_string()).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetOrder {
    /// Hashes or names of genomes, from the a-file on.
    pieces: Vec<String>,
}

async fn store_preset(
    State(library): State<Library>,
    client: ClientContext,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, JsonError> {
    let PresetOrder { pieces } = read(body)?;
    let mut hashes = Vec::new();
    for name in &pieces {
        let text = library.get(Kind::Genome, name).await?;
        let text = text.ok_or_else(|| unprocessable(format_args!("there is no genome {name:?}")))?;
        hashes.push(Hash::of(&text));
    }
    let preset: Preset =
        hashes.iter().map(ToString::to_string).collect::<Vec<_>>().join("-").parse().map_err(unprocessable)?;
    store(Kind::Preset, &library, &client, &preset.to_string()).await
}

async fn store(kind: Kind, library: &Library, client: &ClientContext, text: &str) -> Result<Response, JsonError> {
    let hash = Hash::of(text);
    if library.compare(kind, text).await?.is_none() {
        // Only a new text counts against the limits.
        client.try_save(text.len())?;
    }
    let status = match library.put(kind, text).await? {
        Put::Stored => StatusCode::CREATED,
        Put::Known => StatusCode::OK,
        Put::Taken => {
            let reason = format!("Another {} with the hash {hash} was stored first.", kind.name());
            return Err(JsonError::new(StatusCode::CONFLICT, reason));
        }
        Put::Full => {
            let reason = format!("This relay stores no more {}s.", kind.name());
            return Err(JsonError::new(StatusCode::INSUFFICIENT_STORAGE, reason));
        }
    };
    Ok((status, Json(json!({ "hash": hash.to_string() }))).into_response())
}

/// The text with a hash or a name.
async fn load(kind: Kind, library: &Library, path: Result<Path<String>, PathRejection>) -> Result<String, JsonError> {
    let unknown = || JsonError::new(StatusCode::NOT_FOUND, format!("There is no {} with this hash.", kind.name()));
    let Path(name) = path.map_err(|_| unknown())?;
    library.get(kind, &name).await?.ok_or_else(unknown)
}

async fn load_genome(
    State(library): State<Library>,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, JsonError> {
    let dna = load(Kind::Genome, &library, path).await?;
    Ok(Json(described(&dna)).into_response())
}

async fn load_preset(
    State(library): State<Library>,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, JsonError> {
    let text = load(Kind::Preset, &library, path).await?;
    let preset: Preset = text.parse().map_err(unprocessable)?;
    let mut pieces = Vec::new();
    for hash in preset.hashes() {
        // A preset may be older than the genomes that it names.
        let dna = library.get(Kind::Genome, &hash.to_string()).await?;
        pieces.push(
            dna.map_or_else(|| json!({ "hash": hash.to_string(), "dna": null, "name": null }), |dna| described(&dna)),
        );
    }
    Ok(Json(json!({ "hash": Hash::of(&text).to_string(), "pieces": pieces })).into_response())
}
