//! Removes comments and indentation from scripts and style sheets before they are sent: types, reasons and form are for readers of the source.

/// The text without comments at the beginning of lines, and without indentation. The lines stay, also empty ones, so that line numbers are
/// those of the source. No string of the page goes on in another line.
pub(super) fn shortened(text: &str) -> String {
    let mut shorter = String::with_capacity(text.len());
    let mut is_inside = false;
    for line in text.split_inclusive('\n') {
        let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
        let words = content.trim();
        let code = if is_inside {
            is_inside = !words.ends_with("*/");
            ""
        } else if words.starts_with("/*") {
            let behind = words.split_once("*/").map(|(_, behind)| behind.trim_start());
            is_inside = behind.is_none();
            behind.unwrap_or_default()
        } else if words.starts_with("//") {
            ""
        } else {
            words
        };
        shorter.push_str(code);
        shorter.push_str(end);
    }
    shorter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_at_the_beginning_of_lines_and_indentation_are_removed() {
        let text = "// top\nimport x;\n/**\n * @type {T}\n */\nlet a = 1; // one\n  /* b */\n/** @type {U} */ #field = 2;\nlet c = \"/* d */\";\n";
        assert_eq!(shortened(text), "\nimport x;\n\n\n\nlet a = 1; // one\n\n#field = 2;\nlet c = \"/* d */\";\n");
        assert_eq!(shortened("a {\n  b: c;\n}"), "a {\nb: c;\n}");
    }
}
