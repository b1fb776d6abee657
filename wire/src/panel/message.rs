use core::error::Error;
use core::fmt;

use chess::Bitboard;

/// The longest payload: three bytes for each light.
pub(super) const MAX_PAYLOAD: usize = 192;

/// The longest message: its kind, and a payload.
pub const MAX_PANEL_MESSAGE: usize = 1 + MAX_PAYLOAD;

const OCCUPIED: u8 = 1;
const SETTLED: u8 = 2;
const ASK: u8 = 3;
const LIGHTS: u8 = 4;

/// What is said between a board and its panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PanelMessage {
    /// From the panel: the squares whose switches are closed.
    Occupied(Bitboard),
    /// From the board: this is what it has read for long enough to believe it.
    Settled(Bitboard),
    /// From the board, when it starts: it wants to know what is occupied.
    Ask,
    /// From the board: what the lights show, a1 first, as red, green and blue.
    Lights([[u8; 3]; 64]),
}

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelNonsense {
    /// There are none.
    Empty,
    /// Nothing of this kind is known.
    Kind(u8),
    /// A message of this kind has so many bytes of payload, and not that many.
    Length {
        /// The kind.
        kind: u8,
        /// How many bytes there should be.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
}

impl fmt::Display for PanelNonsense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the message is empty"),
            Self::Kind(kind) => write!(f, "byte 0: there is no message of the kind {kind}"),
            Self::Length { kind, wanted, found } => {
                write!(f, "a message of the kind {kind} has {wanted} bytes after it, not {found}")
            }
        }
    }
}

impl Error for PanelNonsense {}

impl PanelMessage {
    /// The kind and the payload behind it, as they are where something else takes care that messages come whole.
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

    /// What such bytes say.
    pub fn read(bytes: &[u8]) -> Result<Self, PanelNonsense> {
        let (&kind, payload) = bytes.split_first().ok_or(PanelNonsense::Empty)?;
        let length = |wanted| PanelNonsense::Length { kind, wanted, found: payload.len() };
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
            _ => Err(PanelNonsense::Kind(kind)),
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
