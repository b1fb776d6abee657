//! What is to be read beside the board.

use chess::{Color, File, Piece, Rank, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::squares::symbol;
use super::wrap::wrap;
use crate::terminal::keys::HELP;
use crate::terminal::picture::{Clocks, Page, Picture};
use crate::words;

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().add_modifier(Modifier::DIM);

/// Most sentences fit into so many lines, and what is below them stays where it is.
const SENTENCE: usize = 4;

pub(super) fn paint(buffer: &mut Buffer, area: Rect, picture: &Picture) {
    if picture.page == Page::Help {
        return help(buffer, area);
    }
    let mut lines = above(picture, area.width);
    let below = below(picture, area.width);
    let room = usize::from(area.height).saturating_sub(lines.len() + below.len());
    let hidden = picture.score.len().saturating_sub(room);
    let score = picture.score.iter().skip(hidden).map(|line| Line::raw(line.as_str()));
    lines.extend(score);
    Paragraph::new(lines).render(area, buffer);
    // What is below stands on the last line, and what there is no room for is above it.
    let hidden = below.len().saturating_sub(usize::from(area.height)) as u16;
    let height = below.len() as u16 - hidden;
    let place = Rect { y: area.bottom() - height, height, ..area };
    Paragraph::new(below).scroll((hidden, 0)).render(place, buffer);
}

/// Whose turn it is, the clocks, and what the board says.
fn above(picture: &Picture, width: u16) -> Vec<Line<'_>> {
    let styled = |text, style| wrap(text, width).into_iter().map(move |line| Line::styled(line, style));
    let mut lines: Vec<Line<'_>> = styled(&picture.headline, BOLD).collect();
    lines.extend(picture.clocks.as_ref().map(clocks));
    lines.push(Line::default());
    let first = lines.len();
    lines.extend(styled(&picture.sentence, Style::new()));
    lines.resize(lines.len().max(first + SENTENCE) + 1, Line::default());
    lines
}

fn clocks(clocks: &Clocks) -> Line<'_> {
    let style = |color| if clocks.running == Some(color) { BOLD } else { DIM };
    Line::from(vec![
        Span::styled(format!("White {}", clocks.white), style(Color::White)),
        Span::raw("   "),
        Span::styled(format!("Black {}", clocks.black), style(Color::Black)),
    ])
}

/// Everything that is not always there, and the way to the help.
fn below(picture: &Picture, width: u16) -> Vec<Line<'static>> {
    let mut texts = Vec::new();
    texts.extend(picture.note.clone());
    if picture.weak.any() {
        texts.push(format!("Weak magnets: {}", words::list(picture.weak, "and")));
    }
    texts.extend(picture.reeds.into_iter().flat_map(|reeds| {
        Rank::ALL.into_iter().rev().map(move |rank| {
            let bit = |file| if reeds.has(Square::new(file, rank)) { "1 " } else { "0 " };
            File::ALL.into_iter().map(bit).collect::<String>()
        })
    }));
    let row = |name: &str, pieces: &[Piece]| {
        let symbols: String = pieces.iter().map(|&piece| symbol(piece, picture.letters)).collect();
        (!pieces.is_empty()).then(|| format!("{name}: {symbols}"))
    };
    texts.extend(row("Hand", &picture.hand));
    texts.extend(row("Box", &picture.aside));
    let mut lines: Vec<Line<'_>> = texts.iter().flat_map(|text| wrap(text, width)).map(Line::raw).collect();
    lines.push(match picture.page {
        Page::Asking => Line::styled("Which? QRBNPK or qrbnpk", BOLD),
        _ if picture.pushing => Line::styled("pushing: s carry  ? keys", DIM),
        _ => Line::styled("space lift, put  ? keys  q quit", DIM),
    });
    lines
}

fn help(buffer: &mut Buffer, area: Rect) {
    let key = |(keys, does): (&'static str, &'static str)| {
        Line::from(vec![Span::styled(format!("{keys:<12}"), BOLD), Span::raw(does)])
    };
    Paragraph::new(HELP.map(key).to_vec()).render(area, buffer);
}
