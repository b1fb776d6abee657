//! Paints a picture on the screen.

mod colour;
mod panel;
mod plan;
mod squares;
mod wrap;

use ratatui::Frame;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::picture::Picture;

pub(super) use colour::Palette;
pub(super) use plan::Plan;

/// Paints all of it.
pub(super) fn paint(frame: &mut Frame<'_>, picture: &Picture, palette: Palette) {
    let area = frame.area();
    let Some(plan) = Plan::of(area, picture.turned) else {
        let (columns, lines) = Plan::LEAST;
        let needed = format!(
            "The board needs {columns} columns and {lines} lines, and the terminal has {} and {}. Make it bigger, or \
             press q to quit.",
            area.width, area.height
        );
        let lines: Vec<Line<'_>> = wrap::wrap(&needed, area.width).into_iter().map(Line::raw).collect();
        return frame.render_widget(Paragraph::new(lines), area);
    };
    squares::paint(frame.buffer_mut(), &plan, picture, palette);
    panel::paint(frame.buffer_mut(), plan.panel, picture);
}

#[cfg(test)]
mod tests;
