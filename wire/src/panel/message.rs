use core::error::Error;
use core::fmt;

use chess::Bitboard;

/// Length of the longest payload in bytes: three for each light.
pub(super) const MAX_PAYLOAD: usize = 192;

/// Length of the longest message in bytes: kind and payload.
pub const MAX_PANEL_MESSAGE: usize = 1 + MAX_PAYLOAD;

const OCCUPIED: u8 = 1;
const SETTLED: u8 = 2;
const ASK: u8 = 3;
const LIGHTS: u8 = 4;

/// A message between a board and its panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PanelMessage {
    /// From the panel: the squares whose switches are closed.
    Occupied(Bitboard),
    /// From the board: the reading after it was stable for the longest debounce time.
    Settled(Bitboard),
    /// From the board at its start: requests [`Occupied`](Self::Occupied).
    Ask,
    /// From the board: the colours of the lights, a1 first, as red, green and blue.
    Lights([[u8; 3]; 64]),
}

/// Why bytes are not a valid message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelError {
    /// The input is empty.
    Empty,
    /// The kind is unknown.
    Kind(u8),
    /// The payload has the wrong length.
    Length {
        /// Kind of the message.
        kind: u8,
        /// Required length in bytes.
        wanted: usize,
        /// Actual length in bytes.
        found: usize,
    },
}

impl fmt::Display for PanelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the message is empty"),
            Self::Kind(kind) => write!(f, "byte 0: unknown message kind {kind}"),
            Self::Length { kind, wanted, found } => {
                write!(f, "a message of kind {kind} has a payload of {wanted} bytes, not {found}")
            }
        }
    }
}

impl Error for PanelError {}

impl PanelMessage {
    /// Encodes kind and payload, for transports that preserve message boundaries.
    pub fn write<'b>(&self, buffer: &'b mut [u8; MAX_PANEL_MESSAGE]) -> &'b [u8] {
        let [kind, payload @ ..] = &mut *buffer;
        *kind = self.kind();
        let len = match self {
            Self::Occupied(squares) | Self::Settled(squares) => {
                for (target, byte) in payload.iter_mut().zip(squares.0.to_le_bytes()) {
                    *target = byte;
                }
                8
            }
            Self::Ask => 0,
            Self::Lights(colours) => {
                for (target, byte) in payload.iter_mut().zip(colours.iter().flatten()) {
                    *target = *byte;
                }
                MAX_PAYLOAD
            }
        };
        buffer.get(..=len).unwrap_or_default()
    }

    /// Decodes kind and payload.
    pub fn read(bytes: &[u8]) -> Result<Self, PanelError> {
        let (&kind, payload) = bytes.split_first().ok_or(PanelError::Empty)?;
        let length = |wanted| PanelError::Length { kind, wanted, found: payload.len() };
        let squares = || payload.try_into().map(|bytes| Bitboard(u64::from_le_bytes(bytes))).map_err(|_| length(8));
        match kind {
            OCCUPIED => squares().map(Self::Occupied),
            SETTLED => squares().map(Self::Settled),
            ASK if payload.is_empty() => Ok(Self::Ask),
            ASK => Err(length(0)),
            LIGHTS => {
                let (colours, rest) = payload.as_chunks();
                let colours = colours.try_into().map_err(|_| length(MAX_PAYLOAD))?;
                if rest.is_empty() { Ok(Self::Lights(colours)) } else { Err(length(MAX_PAYLOAD)) }
            }
            _ => Err(PanelError::Kind(kind)),
        }
    }

    const fn kind(&self) -> u8 {
        match self {
            Self::Occupied(_) => OCCUPIED,
            Self::Settled(_) => SETTLED,
            Self::Ask => ASK,
            Self::Lights(_) => LIGHTS,
        }
    }
}
