//! Compares a figure with its target.

#[derive(Clone, Copy)]
pub(crate) enum Comparison {
    AtMost,
    AtLeast,
}

/// One line: the figure, its target, and whether it was reached.
pub(crate) fn verdict(what: &str, figure: f64, comparison: Comparison, wanted: f64) -> String {
    let (reached, words) = match comparison {
        Comparison::AtMost => (figure <= wanted, "at most"),
        Comparison::AtLeast => (figure >= wanted, "at least"),
    };
    let reached = if reached { "reached" } else { "MISSED" };
    format!("{reached:7} {what}: {figure:.2}, wanted {words} {wanted}\n")
}
