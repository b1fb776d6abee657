use wire::link::MAX_NAME;

/// The name of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    bytes: [u8; MAX_NAME],
    len: usize,
}

impl Name {
    pub(crate) const NONE: Self = Self { bytes: [0; MAX_NAME], len: 0 };

    /// A name that is not too long; or none.
    pub(crate) fn new(name: &str) -> Self {
        let mut bytes = [0; MAX_NAME];
        match bytes.get_mut(..name.len()) {
            Some(target) => {
                target.copy_from_slice(name.as_bytes());
                Self { bytes, len: name.len() }
            }
            None => Self::NONE,
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}
