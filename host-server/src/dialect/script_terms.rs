//! The rules of a game by a script, for the dialects that open one.

use std::sync::Arc;

use axum::http::StatusCode;

use super::json_error::JsonError;
use crate::relay::{PutError, Relay};
use crate::room::{ScriptId, ScriptTerms};
use crate::scripts::{BUNDLED, Bundled};

pub(super) fn unknown() -> JsonError {
    JsonError::new(StatusCode::NOT_FOUND, "There is no script with this name.")
}

pub(super) fn bundled(name: &str) -> Option<&'static Bundled> {
    BUNDLED.iter().find(|script| script.name == name)
}

impl From<PutError> for JsonError {
    fn from(error: PutError) -> Self {
        let status = match error {
            PutError::Store(error) => return error.into(),
            PutError::TooLarge(_) => return Self::too_large(error.to_string()),
            PutError::Full => StatusCode::INSUFFICIENT_STORAGE,
            PutError::Taken => StatusCode::CONFLICT,
        };
        Self::new(status, error.to_string())
    }
}

/// The rules of the script with a name: a bundled one, or a stored one by its id. The script is asked for the start.
pub(super) async fn script_terms(relay: &Relay, name: &str, title: Option<String>) -> Result<ScriptTerms, JsonError> {
    let (text, id, known_title): (Arc<str>, _, _) = if let Some(script) = bundled(name) {
        // A game needs the text after the next release, too, so it is stored like any other.
        let id = relay.script_library().put(script.text, |_| Ok::<_, PutError>(())).await?;
        (script.text.into(), id, script.title)
    } else {
        let id: ScriptId = name.parse().map_err(|_| unknown())?;
        (relay.script_library().get(id).await?.ok_or_else(unknown)?, id, "Script")
    };
    let start = relay.try_script(&text).await?;
    let name = title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| known_title.to_owned());
    Ok(ScriptTerms { id, name, start })
}
