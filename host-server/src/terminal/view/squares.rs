//! The board itself: wood, light, pieces and the cursor.

use board::Rgb;
use chess::{Color, File, Piece, Rank, Role, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::colour::{self, Palette};
use super::plan::{Plan, middle};
use crate::terminal::picture::Picture;

/// A piece covers so many columns of its square, and so much of the light.
const FOOT: u16 = 3;

pub(super) fn paint(buffer: &mut Buffer, plan: &Plan, picture: &Picture, palette: Palette) {
    for file in File::ALL {
        buffer.set_string(plan.file_label(file).x, plan.file_label(file).y, file.letter().to_string(), Style::new());
    }
    for rank in Rank::ALL {
        buffer.set_string(plan.rank_label(rank).x, plan.rank_label(rank).y, rank.letter().to_string(), Style::new());
    }
    for square in Square::all() {
        let place = plan.place(square);
        let wood = if square.is_light() { colour::LIGHT_WOOD } else { colour::DARK_WOOD };
        let shine = colour::shine(wood, picture.light.at(square));
        buffer.set_style(place, Style::new().bg(palette.colour(shine)));
        if let Some(piece) = picture.standing[usize::from(square.index())] {
            paint_piece(buffer, place, middle(place), piece, picture.letters, palette);
        }
        if square == picture.cursor {
            paint_cursor(buffer, place, shine, picture, palette);
        }
    }
}

/// A piece in the middle of this line. Light does not shine through it, and its wood tells whose it is.
fn paint_piece(buffer: &mut Buffer, place: Rect, line: u16, piece: Piece, letters: bool, palette: Palette) {
    let (front, back) = match piece.color() {
        Color::White => (colour::EBONY, colour::MAPLE),
        Color::Black => (colour::MAPLE, colour::EBONY),
    };
    let style = Style::new().fg(palette.colour(front)).bg(palette.colour(back)).add_modifier(Modifier::BOLD);
    let symbol = symbol(piece, letters);
    buffer.set_string(place.x + (place.width - FOOT) / 2, line, format!(" {symbol} "), style);
}

/// The corners of the square, and between the lower ones the piece that would go down here.
fn paint_cursor(buffer: &mut Buffer, place: Rect, shine: Rgb, picture: &Picture, palette: Palette) {
    let corners = if picture.pushing { ["╔", "╗", "╚", "╝"] } else { ["┌", "┐", "└", "┘"] };
    let ink = if colour::is_bright(shine) { colour::EBONY } else { colour::MAPLE };
    let style = Style::new().fg(palette.colour(ink)).add_modifier(Modifier::BOLD);
    let (left, right, top, bottom) = (place.x, place.right() - 1, place.y, place.bottom() - 1);
    for (symbol, (x, y)) in corners.into_iter().zip([(left, top), (right, top), (left, bottom), (right, bottom)]) {
        buffer.set_string(x, y, symbol, style);
    }
    if let Some(piece) = picture.in_the_air {
        paint_piece(buffer, place, bottom, piece, picture.letters, palette);
    }
}

/// How a piece is shown. Each side has symbols of its own, so that they are told apart without colours, too.
pub(super) fn symbol(piece: Piece, letters: bool) -> char {
    if letters {
        return piece.letter();
    }
    match (piece.color(), piece.role()) {
        (Color::White, Role::King) => '♔',
        (Color::White, Role::Queen) => '♕',
        (Color::White, Role::Rook) => '♖',
        (Color::White, Role::Bishop) => '♗',
        (Color::White, Role::Knight) => '♘',
        (Color::White, Role::Pawn) => '♙',
        (Color::Black, Role::King) => '♚',
        (Color::Black, Role::Queen) => '♛',
        (Color::Black, Role::Rook) => '♜',
        (Color::Black, Role::Bishop) => '♝',
        (Color::Black, Role::Knight) => '♞',
        (Color::Black, Role::Pawn) => '♟',
    }
}
