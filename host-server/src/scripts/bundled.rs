//! The scripts that every relay has. Variants of chess are the script of chess with a part that replaces some of its functions.

/// A script that every relay has.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Bundled {
    /// Names it in URLs.
    pub name: &'static str,
    pub title: &'static str,
    pub text: &'static str,
}

macro_rules! bundled {
    ($($name:literal $title:literal [$($file:literal)+])*) => {
        /// All of them.
        pub const BUNDLED: &[Bundled] = &[$(Bundled {
            name: $name,
            title: $title,
            text: concat!($(include_str!(concat!("../../scripts/", $file))),+),
        }),*];
    };
}

bundled! {
    "chess" "Chess" ["chess.py"]
    "chess960" "Chess960" ["chess.py" "chess960.py"]
    "three-check" "Three-check" ["chess.py" "three_check.py"]
    "king-of-the-hill" "King of the hill" ["chess.py" "king_of_the_hill.py"]
    "antichess" "Antichess" ["chess.py" "antichess.py"]
    "horde" "Horde" ["chess.py" "horde.py"]
    "breakthrough" "Breakthrough" ["breakthrough.py"]
    "checkers" "Checkers" ["checkers.py"]
}
