/// A text in lines of so many columns, broken between words, and within one only if it is too long for a line.
///
/// Every character that the panel has to show takes one column.
pub(super) fn wrap(text: &str, width: u16) -> Vec<String> {
    let width = usize::from(width).max(1);
    let mut lines: Vec<String> = Vec::new();
    // What is left of the last line.
    let mut room = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if let Some(line) = lines.last_mut().filter(|_| length < room) {
            line.push(' ');
            line.push_str(word);
            room -= length + 1;
            continue;
        }
        let letters: Vec<char> = word.chars().collect();
        lines.extend(letters.chunks(width).map(String::from_iter));
        room = (width - length % width) % width;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_where_they_can() {
        assert_eq!(wrap("", 10), Vec::<String>::new());
        assert_eq!(wrap("Nothing belongs on e4.", 10), ["Nothing", "belongs on", "e4."]);
        assert_eq!(wrap("Box: ♟♟♟♟♟♟♟ ♞", 5), ["Box:", "♟♟♟♟♟", "♟♟ ♞"]);
        assert_eq!(wrap("abcde fghij", 5), ["abcde", "fghij"]);
    }
}
