//! Removes comments from scripts and style sheets before they are sent: types and reasons are for readers of the source.

/// The text without comments that have lines of their own. Their lines stay, empty, so that line numbers are those of the source.
pub(super) fn without_comments(text: &str) -> String {
    let mut shorter = String::with_capacity(text.len());
    let mut is_inside = false;
    for line in text.split_inclusive('\n') {
        let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
        let words = content.trim();
        let is_comment = if is_inside {
            is_inside = !words.ends_with("*/");
            true
        } else if words.starts_with("/*") {
            // A comment with code behind it stays.
            let ends = words.find("*/").map(|at| at + 2);
            is_inside = ends.is_none();
            ends.is_none_or(|end| end == words.len())
        } else {
            words.starts_with("//")
        };
        if !is_comment {
            shorter.push_str(content);
        }
        shorter.push_str(end);
    }
    shorter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_on_lines_of_their_own_are_removed() {
        let text = "// top\nimport x;\n/**\n * @type {T}\n */\nlet a = 1; // one\n  /* b */\n/** @type {U} */ #field = 2;\nlet c = `\n`;\n";
        assert_eq!(
            without_comments(text),
            "\nimport x;\n\n\n\nlet a = 1; // one\n\n/** @type {U} */ #field = 2;\nlet c = `\n`;\n"
        );
        assert_eq!(without_comments("a { b: c }"), "a { b: c }");
    }
}
