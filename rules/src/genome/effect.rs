use super::codon::{Codon, Letter};

/// What stands on a square after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// `A`: the piece that moves.
    Mover,
    /// `S`: the piece that stood on the target square. Nothing if the target square was empty.
    Captured,
    /// `C`: nothing.
    Nothing,
}

impl Content {
    const fn from_letter(letter: Letter) -> Option<Self> {
        match letter {
            Letter::A => Some(Self::Mover),
            Letter::S => Some(Self::Captured),
            Letter::C => Some(Self::Nothing),
            Letter::H => None,
        }
    }

    /// The letter that stands for it.
    #[must_use]
    pub const fn letter(self) -> Letter {
        match self {
            Self::Mover => Letter::A,
            Self::Captured => Letter::S,
            Self::Nothing => Letter::C,
        }
    }
}

/// Whose a piece is after a move, as seen by the player who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Owner {
    Mover,
    Opponent,
}

/// What a move leaves on one square, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the types say it")]
pub struct Placed {
    pub content: Content,
    pub owner: Owner,
}

/// The contents of the start and the target square that a codon such as `CHA` stands for; nothing if it is no such codon.
pub(super) const fn contents(codon: Codon) -> Option<(Content, Content)> {
    let [start, Letter::H, target] = codon.letters() else { return None };
    match (Content::from_letter(start), Content::from_letter(target)) {
        (Some(start), Some(target)) => Some((start, target)),
        _ => None,
    }
}
