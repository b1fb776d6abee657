//! Caches the encoded frames of an update: each format encodes it once, however many clients receive it.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;

use crate::relay::RoomUpdate;

/// The frames of an update, shared by all clients of one format.
pub(super) struct Frames(Arc<dyn Deref<Target = [Utf8Bytes]> + Send + Sync>);

/// Frames in the format that `F` names. The type is the key of the cache, so formats need not know of each other.
struct Encoded<F> {
    frames: Box<[Utf8Bytes]>,
    format: PhantomData<fn() -> F>,
}

impl<F> Deref for Encoded<F> {
    type Target = [Utf8Bytes];

    fn deref(&self) -> &[Utf8Bytes] {
        &self.frames
    }
}

impl Deref for Frames {
    type Target = [Utf8Bytes];

    fn deref(&self) -> &[Utf8Bytes] {
        &self.0
    }
}

/// The frames of an update in format `F`, encoded if this is the first receiver.
pub(super) fn encoded<F: 'static>(update: &RoomUpdate, encode: impl FnOnce() -> Vec<Utf8Bytes>) -> Frames {
    Frames(update.derive(|| Encoded::<F> { frames: encode().into(), format: PhantomData }))
}
