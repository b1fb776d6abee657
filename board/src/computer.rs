use chess::Color;
use engine::{Level, Random};

/// The computer opponent, as its owner has chosen it. It plays local games of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computer {
    /// Whether it plays. If not, the rest is what was chosen last.
    pub is_on: bool,
    /// The side that it plays.
    pub color: Color,
    /// How strong it is.
    pub level: Level,
    /// Decides among openings and nearly equal moves. It differs in every game.
    pub seed: u64,
}

/// Length of the stored form in bytes.
const BYTES: usize = 10;

const ON: u8 = 1;
const WHITE: u8 = 2;

impl Computer {
    /// The choice on a new board: it does not play; if it is switched on, it plays black on level 3.
    pub const DEFAULT: Self = Self { is_on: false, color: Color::Black, level: DEFAULT_LEVEL, seed: 0 };

    /// The side that it plays, if it plays.
    #[must_use]
    pub const fn side(&self) -> Option<Color> {
        if self.is_on { Some(self.color) } else { None }
    }

    /// The same for the next game, with another seed.
    #[must_use]
    pub(crate) const fn for_next_game(self) -> Self {
        Self { seed: Random::new(self.seed).next(), ..self }
    }

    /// The bytes of the journal: flags, level, and the seed with its lowest byte first.
    pub(crate) fn encode(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let [flags, level, seed @ ..] = &mut bytes;
        *flags = if self.is_on { ON } else { 0 } | if self.color == Color::White { WHITE } else { 0 };
        *level = self.level.number();
        *seed = self.seed.to_le_bytes();
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let &[flags, level, ref seed @ ..] = bytes else { return None };
        let seed = u64::from_le_bytes(seed.try_into().ok()?);
        let color = if flags & WHITE != 0 { Color::White } else { Color::Black };
        (flags & !(ON | WHITE) == 0).then_some(())?;
        Some(Self { is_on: flags & ON != 0, color, level: Level::new(level)?, seed })
    }
}

/// A player who knows little more than the rules has a chance against it.
const DEFAULT_LEVEL: Level = match Level::new(3) {
    Some(level) => level,
    None => Level::WEAKEST,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_choices_are_read_back_and_others_are_rejected() {
        for level in Level::all() {
            for color in Color::ALL {
                for is_on in [false, true] {
                    let computer = Computer { is_on, color, level, seed: 0x0102_0304_0506_0708 };
                    assert_eq!(Computer::decode(&computer.encode()), Some(computer));
                }
            }
        }
        let good = Computer::DEFAULT.encode();
        assert_eq!(Computer::decode(&good[..9]), None);
        for (index, byte) in [(0, 4), (1, 0), (1, 11)] {
            let mut bytes = good;
            bytes[index] = byte;
            assert_eq!(Computer::decode(&bytes), None, "{bytes:?}");
        }
    }
}
