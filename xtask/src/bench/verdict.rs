//! A figure beside what it should be.

#[derive(Clone, Copy)]
pub(crate) enum Comparison {
    AtMost,
    AtLeast,
}

/// One line about a figure. The figure is printed either way: it is what it is.
pub(crate) fn verdict(what: &str, figure: f64, comparison: Comparison, wanted: f64) -> String {
    let (reached, words) = match comparison {
        Comparison::AtMost => (figure <= wanted, "at most"),
        Comparison::AtLeast => (figure >= wanted, "at least"),
    };
    let reached = if reached { "reached" } else { "MISSED" };
    format!("{reached:7} {what}: {figure:.2}, wanted {words} {wanted}\n")
}
