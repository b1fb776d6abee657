use chess::{Color, Role};

/// A piece as people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look<'a> {
    /// The side that it belongs to.
    pub color: Color,
    /// The letter that stands for it in a placement, different for every kind of piece and for both sides.
    pub letter: char,
    /// Its name, without its side.
    pub name: &'a str,
    /// The piece of chess that it is drawn as, if one resembles it.
    pub drawing: Option<Role>,
}

/// What a [choice](crate::Ply::choice) stands for, as people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// The letter that stands for it in JSON.
    pub letter: char,
    #[expect(missing_docs, reason = "see `Look`")]
    pub name: &'a str,
    /// The piece of chess that it is drawn as, if one resembles it.
    pub drawing: Option<Role>,
}
