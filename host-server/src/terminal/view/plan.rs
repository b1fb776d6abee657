use chess::{File, Rank, Square};
use ratatui::layout::{Position, Rect};

/// Where on the screen everything is: the board, as big as there is room for, and the panel beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::terminal) struct Plan {
    /// The 64 squares, without the labels.
    squares: Rect,
    /// How high a square is. It is twice as wide and one more, so that it looks square and has a middle.
    height: u16,
    pub(super) panel: Rect,
    turned: bool,
}

/// Room for the numbers of the ranks, and for the letters of the files.
const LABELS: (u16, u16) = (2, 1);
const GAP: u16 = 2;
const PANEL: u16 = 30;
const HEIGHTS: std::ops::RangeInclusive<u16> = 2..=6;

impl Plan {
    /// A screen must have so many columns and lines.
    pub(super) const LEAST: (u16, u16) = (LABELS.0 + 8 * width(*HEIGHTS.start()) + GAP + PANEL, 20);

    /// The plan for this much room; none if it is too little.
    pub(in crate::terminal) fn of(area: Rect, turned: bool) -> Option<Self> {
        if area.width < Self::LEAST.0 || area.height < Self::LEAST.1 {
            return None;
        }
        let fits = |height: &u16| {
            LABELS.0 + 8 * width(*height) + GAP + PANEL <= area.width && 8 * height + LABELS.1 <= area.height
        };
        let height = HEIGHTS.rev().find(fits)?;
        let squares = Rect::new(area.x + LABELS.0, area.y, 8 * width(height), 8 * height);
        let left = squares.right() + GAP;
        let panel = Rect::new(left, area.y, area.right() - left, area.height);
        Some(Self { squares, height, panel, turned })
    }

    /// Where a square is.
    pub(super) fn place(&self, square: Square) -> Rect {
        let (file, rank) = (u16::from(square.file().index()), u16::from(square.rank().index()));
        let (column, line) = if self.turned { (7 - file, rank) } else { (file, 7 - rank) };
        let width = width(self.height);
        Rect::new(self.squares.x + column * width, self.squares.y + line * self.height, width, self.height)
    }

    /// Which square is there.
    pub(in crate::terminal) fn square(&self, column: u16, line: u16) -> Option<Square> {
        Square::all().find(|&square| self.place(square).contains(Position::new(column, line)))
    }

    /// Where the letter of a file is.
    pub(super) fn file_label(&self, file: File) -> Position {
        let place = self.place(Square::new(file, Rank::First));
        Position::new(place.x + place.width / 2, self.squares.bottom())
    }

    /// Where the number of a rank is.
    pub(super) fn rank_label(&self, rank: Rank) -> Position {
        let place = self.place(Square::new(File::A, rank));
        Position::new(self.squares.x - LABELS.0, middle(place))
    }
}

/// The line of a square that its piece is on.
pub(super) const fn middle(place: Rect) -> u16 {
    place.y + (place.height - 1) / 2
}

const fn width(height: u16) -> u16 {
    2 * height + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_as_big_as_there_is_room_for() {
        let height = |width, height| Plan::of(Rect::new(0, 0, width, height), false).map(|plan| plan.height);
        assert_eq!(height(80, 24), Some(2));
        assert_eq!(height(100, 30), Some(3));
        assert_eq!(height(200, 30), Some(3));
        assert_eq!(height(300, 100), Some(6));
        assert_eq!(height(Plan::LEAST.0, Plan::LEAST.1), Some(2));
        assert_eq!(height(Plan::LEAST.0 - 1, 50), None);
        assert_eq!(height(200, Plan::LEAST.1 - 1), None);
    }

    #[test]
    fn every_square_is_found_where_it_is() {
        for turned in [false, true] {
            let plan = Plan::of(Rect::new(0, 0, 90, 30), turned).unwrap();
            for square in Square::all() {
                let place = plan.place(square);
                assert_eq!(plan.square(place.x, place.y), Some(square));
                assert_eq!(plan.square(place.right() - 1, place.bottom() - 1), Some(square));
            }
            assert_eq!(plan.square(0, 0), None);
            let near_left = if turned { Square::H8 } else { Square::A1 };
            assert_eq!(plan.square(2, 23), Some(near_left));
        }
    }
}
