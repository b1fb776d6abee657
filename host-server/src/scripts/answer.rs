//! Checks what a script returned. Nothing is trusted: a script may write any bytes as its reply.

use chess::Color;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::data::{MAX_DEPTH, depth};
use super::state::{color_from_name, color_name, role_from_name, square};
use super::{AdditionalData, InvalidData, ScriptAnswer, ScriptError, ScriptMove, ScriptPiece, Status};

/// Largest reply of a script, in bytes.
pub(super) const MAX_REPLY: usize = 512 << 10;
/// Longest text of an error that is shown, in characters.
const MAX_TEXT: usize = 300;
/// Values in messages are cut to this many characters.
const MAX_SHOWN: usize = 40;

/// What is wrong with the answer of a script. Each message names the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum InvalidAnswer {
    #[error("it is larger than {} KB as JSON", MAX_REPLY >> 10)]
    Size,
    #[error("it is nested deeper than {MAX_DEPTH} levels")]
    Depth,
    #[error("it is not JSON")]
    Syntax,
    #[error("it must be a dictionary, and is {0}")]
    NotDictionary(String),
    #[error("the key '{0}' is missing")]
    Missing(&'static str),
    #[error("{place} must be {expected}, and is {found}")]
    Value { place: String, expected: &'static str, found: String },
    #[error("{place} has the unknown key {key}; facts that are not in the format belong into 'additional_data'")]
    UnknownKey { place: String, key: String },
    #[error("{place} is missing")]
    MissingKey { place: String },
    #[error("pieces[{first}] and pieces[{second}] are both on {square}")]
    SquareTaken { first: usize, second: usize, square: String },
    #[error("{place} starts on {square}, where {side} has no piece")]
    NoPiece { place: String, square: String, side: &'static str },
    #[error("{place} ends on the square where it starts")]
    SameSquare { place: String },
    #[error("the status is 'running', but there are no possible moves")]
    NoMoves,
    #[error("additional_data {0}")]
    Data(InvalidData),
}

/// The reply of a process.
#[derive(Deserialize)]
struct ReplyForm<'a> {
    #[serde(borrow)]
    answer: Option<&'a RawValue>,
    error: Option<ErrorForm>,
}

#[derive(Deserialize)]
struct ErrorForm {
    kind: String,
    text: String,
    line: Option<u32>,
}

/// A key with the value `null` is not a missing key: the message says which of them is the mistake.
#[derive(Deserialize)]
struct AnswerForm<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    pieces: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    possible_moves: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    possible_positions: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    additional_data: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    status: Option<&'a RawValue>,
}

fn present<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Reads the reply of a process to a call of `function`, after which `turn` is to move.
pub fn read_reply(reply: &[u8], function: &'static str, turn: Color) -> Result<ScriptAnswer, ScriptError> {
    let invalid = |reason| ScriptError::Invalid { function, reason };
    if reply.len() > MAX_REPLY {
        return Err(invalid(InvalidAnswer::Size));
    }
    // The data of the script is in the answer, which is in the reply: a level each.
    if depth(reply) > MAX_DEPTH + 2 {
        return Err(invalid(InvalidAnswer::Depth));
    }
    let reply: ReplyForm<'_> = serde_json::from_slice(reply).map_err(|_| invalid(InvalidAnswer::Syntax))?;
    match reply {
        ReplyForm { error: Some(error), .. } => Err(error.into_error(function)),
        ReplyForm { answer: Some(answer), .. } => read_answer(answer, turn).map_err(invalid),
        // Python's `None`.
        ReplyForm { .. } => Err(invalid(InvalidAnswer::NotDictionary("null".to_owned()))),
    }
}

/// Whether a reply is that of a call that has failed. What is not a reply at all is none.
pub(super) fn is_error(reply: &[u8]) -> bool {
    reply.len() <= MAX_REPLY && serde_json::from_slice::<ReplyForm<'_>>(reply).is_ok_and(|reply| reply.error.is_some())
}

impl ErrorForm {
    fn into_error(self, function: &'static str) -> ScriptError {
        let Self { kind, text, line } = self;
        let line = line.filter(|line| *line > 0);
        let text = one_line(&text, MAX_TEXT);
        match kind.as_str() {
            "syntax" => ScriptError::Syntax { text, line },
            // The text comes from the script's process, and names the function that is missing.
            "function" if text == "make_move" => ScriptError::NoFunction("make_move"),
            "function" => ScriptError::NoFunction(function),
            "timeout" => ScriptError::Timeout { line },
            "memory" => ScriptError::Memory { line },
            _ => ScriptError::Exception { text, line },
        }
    }
}

/// Checks the value that a function returned.
fn read_answer(answer: &RawValue, turn: Color) -> Result<ScriptAnswer, InvalidAnswer> {
    if !answer.get().starts_with('{') {
        return Err(InvalidAnswer::NotDictionary(shown_text(answer.get())));
    }
    let form: AnswerForm<'_> = serde_json::from_str(answer.get()).map_err(|_| InvalidAnswer::Syntax)?;
    let pieces = read_pieces(form.pieces.ok_or(InvalidAnswer::Missing("pieces"))?)?;
    let status = read_status(form.status.ok_or(InvalidAnswer::Missing("status"))?)?;
    let (key, moves) = match (form.possible_moves, form.possible_positions) {
        (Some(moves), _) => ("possible_moves", moves),
        (None, Some(moves)) => ("possible_positions", moves),
        (None, None) => return Err(InvalidAnswer::Missing("possible_moves")),
    };
    let mut possible_moves = read_moves(key, moves, &pieces, (status == Status::Running).then_some(turn))?;
    match status {
        Status::Running if possible_moves.is_empty() => return Err(InvalidAnswer::NoMoves),
        Status::Running => {}
        // A finished game has no moves.
        _ => possible_moves.clear(),
    }
    let additional_data = match form.additional_data {
        None => AdditionalData::default(),
        Some(data) => AdditionalData::parse(data.get()).map_err(InvalidAnswer::Data)?,
    };
    Ok(ScriptAnswer { pieces, possible_moves, additional_data, status })
}

fn read_pieces(json: &RawValue) -> Result<Vec<ScriptPiece>, InvalidAnswer> {
    let mut pieces: Vec<ScriptPiece> = Vec::new();
    let mut on_square = [None; 64];
    for (index, value) in list("pieces", json)?.iter().enumerate() {
        let place = format!("pieces[{index}]");
        let fields = fields(&place, value, ["color", "name", "x", "y"])?;
        let [color, name, x, y] = fields;
        let color = named(&place, "color", color, "'white' or 'black'", color_from_name)?;
        let role =
            named(&place, "name", name, "'pawn', 'knight', 'bishop', 'rook', 'queen' or 'king'", role_from_name)?;
        let square = read_square(&place, ("x", x), ("y", y))?;
        if let Some(first) = on_square[usize::from(square.index())].replace(index) {
            return Err(InvalidAnswer::SquareTaken { first, second: index, square: square.to_string() });
        }
        pieces.push(ScriptPiece { color, role, square });
    }
    Ok(pieces)
}

/// The moves, each once. They must start at pieces of `turn`, if a side is to move.
fn read_moves(
    key: &str,
    json: &RawValue,
    pieces: &[ScriptPiece],
    turn: Option<Color>,
) -> Result<Vec<ScriptMove>, InvalidAnswer> {
    let mut owners = [None; 64];
    for piece in pieces {
        owners[usize::from(piece.square.index())] = Some(piece.color);
    }
    let mut moves = Vec::new();
    let mut is_listed = [0_u64; 64];
    for (index, value) in list(key, json)?.iter().enumerate() {
        let place = format!("{key}[{index}]");
        let [from_x, from_y, to_x, to_y] = fields(&place, value, ["from_x", "from_y", "to_x", "to_y"])?;
        let from = read_square(&place, ("from_x", from_x), ("from_y", from_y))?;
        let to = read_square(&place, ("to_x", to_x), ("to_y", to_y))?;
        if from == to {
            return Err(InvalidAnswer::SameSquare { place });
        }
        if let Some(turn) = turn
            && owners[usize::from(from.index())] != Some(turn)
        {
            return Err(InvalidAnswer::NoPiece { place, square: from.to_string(), side: color_name(turn) });
        }
        let targets = &mut is_listed[usize::from(from.index())];
        let bit = 1_u64 << to.index();
        if *targets & bit == 0 {
            *targets |= bit;
            moves.push(ScriptMove { from, to });
        }
    }
    Ok(moves)
}

fn read_status(json: &RawValue) -> Result<Status, InvalidAnswer> {
    let value = decoded(json)?;
    value.as_str().and_then(Status::from_text).ok_or_else(|| InvalidAnswer::Value {
        place: "status".to_owned(),
        expected: "'running', 'white won', 'black won' or 'draw'",
        found: shown(&value),
    })
}

fn read_square(
    place: &str,
    (x_key, x): (&str, &Value),
    (y_key, y): (&str, &Value),
) -> Result<chess::Square, InvalidAnswer> {
    let coordinate = |key: &str, value: &Value| {
        value.as_u64().filter(|value| *value < 8).ok_or_else(|| InvalidAnswer::Value {
            place: format!("{place}['{key}']"),
            expected: "a whole number from 0 to 7",
            found: shown(value),
        })
    };
    let (x, y) = (coordinate(x_key, x)?, coordinate(y_key, y)?);
    square(x, y).ok_or_else(|| InvalidAnswer::MissingKey { place: place.to_owned() })
}

fn named<T>(
    place: &str,
    key: &str,
    value: &Value,
    expected: &'static str,
    from_name: impl Fn(&str) -> Option<T>,
) -> Result<T, InvalidAnswer> {
    value.as_str().and_then(from_name).ok_or_else(|| InvalidAnswer::Value {
        place: format!("{place}['{key}']"),
        expected,
        found: shown(value),
    })
}

fn list(key: &str, json: &RawValue) -> Result<Vec<Value>, InvalidAnswer> {
    match decoded(json)? {
        Value::Array(values) => Ok(values),
        other => Err(InvalidAnswer::Value { place: key.to_owned(), expected: "a list", found: shown(&other) }),
    }
}

/// The values of exactly these keys.
fn fields<'a, const N: usize>(
    place: &str,
    value: &'a Value,
    keys: [&'static str; N],
) -> Result<[&'a Value; N], InvalidAnswer> {
    let Value::Object(object) = value else {
        let expected = "a dictionary";
        return Err(InvalidAnswer::Value { place: place.to_owned(), expected, found: shown(value) });
    };
    if let Some(key) = object.keys().find(|key| !keys.contains(&key.as_str())) {
        return Err(InvalidAnswer::UnknownKey { place: place.to_owned(), key: shown_text(&format!("'{key}'")) });
    }
    let mut found = [value; N];
    for (slot, key) in found.iter_mut().zip(keys) {
        *slot = object.get(key).ok_or_else(|| InvalidAnswer::MissingKey { place: format!("{place}['{key}']") })?;
    }
    Ok(found)
}

fn decoded(json: &RawValue) -> Result<Value, InvalidAnswer> {
    serde_json::from_str(json.get()).map_err(|_| InvalidAnswer::Syntax)
}

fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a dictionary".to_owned(),
        Value::String(text) => shown_text(&format!("'{text}'")),
        other => shown_text(&other.to_string()),
    }
}

fn shown_text(text: &str) -> String {
    match text.as_bytes().first() {
        Some(b'[') => "a list".to_owned(),
        _ => one_line(text, MAX_SHOWN),
    }
}

/// The first characters of a text, without line breaks and other control characters.
fn one_line(text: &str, characters: usize) -> String {
    let visible = |character: char| if character.is_control() { ' ' } else { character };
    let mut line: String = text.chars().take(characters).map(visible).collect();
    if text.chars().nth(characters).is_some() {
        line.push_str("..");
    }
    line
}

#[cfg(test)]
mod tests {
    use chess::{Role, Square};

    use super::*;

    const KING: &str = r#"{"color":"white","name":"king","x":4,"y":0}"#;
    const MOVE: &str = r#"{"from_x":4,"from_y":0,"to_x":4,"to_y":1}"#;

    fn read(reply: &str) -> Result<ScriptAnswer, ScriptError> {
        read_reply(reply.as_bytes(), "make_move", Color::White)
    }

    fn state(pieces: &str, key: &str, moves: &str, rest: &str) -> String {
        format!(r#"{{"answer":{{"pieces":[{pieces}],"{key}":[{moves}],{rest}}}}}"#)
    }

    #[test]
    fn reads_both_names_of_the_moves() {
        for key in ["possible_moves", "possible_positions"] {
            let answer =
                read(&state(KING, key, MOVE, r#""status":"running","additional_data":{"b":1.0,"a":2}"#)).unwrap();
            assert_eq!(answer.pieces, [ScriptPiece { color: Color::White, role: Role::King, square: Square::E1 }]);
            assert_eq!(answer.possible_moves, [ScriptMove { from: Square::E1, to: Square::E2 }]);
            assert_eq!(answer.additional_data.json(), r#"{"b":1.0,"a":2}"#);
            assert_eq!(answer.status, Status::Running);
        }
    }

    #[test]
    fn a_move_that_is_listed_twice_counts_once() {
        let answer = read(&state(KING, "possible_moves", &format!("{MOVE},{MOVE}"), r#""status":"running""#)).unwrap();
        assert_eq!(answer.possible_moves.len(), 1);
        assert_eq!(answer.additional_data, AdditionalData::default());
    }

    #[test]
    fn a_finished_game_has_no_moves() {
        for status in ["white won", "black won", "draw"] {
            let answer = read(&state("", "possible_moves", MOVE, &format!(r#""status":"{status}""#))).unwrap();
            assert_eq!(answer.status.text(), status);
            assert!(answer.possible_moves.is_empty());
        }
    }

    #[test]
    fn every_field_is_checked() {
        let running = r#""status":"running""#;
        let king = |change: &str, with: &str| state(&KING.replace(change, with), "possible_moves", MOVE, running);
        let moved = |change: &str, with: &str| state(KING, "possible_moves", &MOVE.replace(change, with), running);
        for (reply, message) in [
            (String::new(), "it is not JSON"),
            ("{}".to_owned(), "it must be a dictionary, and is null"),
            (r#"{"answer":[1]}"#.to_owned(), "it must be a dictionary, and is a list"),
            (r#"{"answer":{}}"#.to_owned(), "the key 'pieces' is missing"),
            (r#"{"answer":{"pieces":5}}"#.to_owned(), "pieces must be a list, and is 5"),
            (r#"{"answer":{"pieces":null}}"#.to_owned(), "pieces must be a list, and is null"),
            (r#"{"answer":{"pieces":[],"status":null}}"#.to_owned(), "status must be 'running'"),
            (r#"{"answer":{"pieces":[]}}"#.to_owned(), "the key 'status' is missing"),
            (r#"{"answer":{"pieces":[],"status":"draw"}}"#.to_owned(), "the key 'possible_moves' is missing"),
            (king(r#""x":4"#, r#""x":8"#), "pieces[0]['x'] must be a whole number from 0 to 7, and is 8"),
            (king(r#""x":4"#, r#""x":4.0"#), "pieces[0]['x'] must be a whole number from 0 to 7, and is 4.0"),
            (king(r#""y":0"#, r#""y":-1"#), "pieces[0]['y'] must be a whole number from 0 to 7, and is -1"),
            (king(r#","y":0"#, ""), "pieces[0]['y'] is missing"),
            (king("king", "dragon"), "must be 'pawn', 'knight', 'bishop', 'rook', 'queen' or 'king', and is 'dragon'"),
            (king("white", "red"), "pieces[0]['color'] must be 'white' or 'black', and is 'red'"),
            (king("white", "black"), "possible_moves[0] starts on e1, where white has no piece"),
            (king(r#""y":0"#, r#""y":0,"moved":true"#), "pieces[0] has the unknown key 'moved'"),
            (
                state(&format!("{KING},{KING}"), "possible_moves", MOVE, running),
                "pieces[0] and pieces[1] are both on e1",
            ),
            (moved(r#""from_x":4"#, r#""from_x":3"#), "possible_moves[0] starts on d1, where white has no piece"),
            (moved(r#""to_y":1"#, r#""to_y":0"#), "possible_moves[0] ends on the square where it starts"),
            (
                moved(r#""to_y":1"#, r#""to_y":"1""#),
                "possible_moves[0]['to_y'] must be a whole number from 0 to 7, and is '1'",
            ),
            (state(KING, "possible_moves", "5", running), "possible_moves[0] must be a dictionary, and is 5"),
            (state(KING, "possible_moves", "", running), "the status is 'running', but there are no possible moves"),
            (state(KING, "possible_moves", MOVE, r#""status":"won""#), "status must be 'running', 'white won'"),
            (format!(r#"{{"answer":{}}}"#, "[".repeat(100)), "it is nested deeper than 64 levels"),
            (" ".repeat(MAX_REPLY + 1), "it is larger than 512 KB as JSON"),
        ] {
            let error = read(&reply).unwrap_err().to_string();
            assert!(
                error.starts_with("make_move returned a wrong answer: ") && error.contains(message),
                "{reply}: {error}"
            );
        }
    }

    #[test]
    fn data_may_be_as_deep_as_documented() {
        let nested = |levels: usize| {
            format!(r#""status":"draw","additional_data":{}{}"#, "[".repeat(levels), "]".repeat(levels))
        };
        let answer = read(&state("", "possible_moves", "", &nested(MAX_DEPTH))).unwrap();
        assert_eq!(depth(answer.additional_data.json().as_bytes()), MAX_DEPTH);
        let error = read(&state("", "possible_moves", "", &nested(MAX_DEPTH + 1))).unwrap_err();
        assert!(error.to_string().contains("nested deeper than 64 levels"), "{error}");
    }

    #[test]
    fn only_a_failed_call_has_an_error() {
        assert!(is_error(br#"{"error":{"kind":"timeout","text":"","line":3}}"#));
        // A script that writes its reply itself could add the key.
        for reply in [r#"{"error":null,"answer":{}}"#, r#"{"answer":{}}"#, "{", ""] {
            assert!(!is_error(reply.as_bytes()), "{reply}");
        }
    }

    #[test]
    fn errors_of_the_script_name_the_line() {
        let error = |kind: &str, line: &str| {
            read(&format!(r#"{{"error":{{"kind":"{kind}","text":"KeyError:\n\u0007 'x'","line":{line}}}}}"#))
                .unwrap_err()
        };
        assert_eq!(error("exception", "12").to_string(), "line 12: KeyError:   'x'");
        assert_eq!(error("syntax", "1").line(), Some(1));
        assert_eq!(error("timeout", "7").to_string(), "line 7: the script ran for longer than 0.1 seconds");
        assert_eq!(error("memory", "null"), ScriptError::Memory { line: None });
        assert_eq!(error("function", "null"), ScriptError::NoFunction("make_move"));
        assert_eq!(error("anything", "0").line(), None);
    }

    #[test]
    fn long_texts_are_cut() {
        let reply = format!(r#"{{"error":{{"kind":"exception","text":"{}","line":null}}}}"#, "x".repeat(10_000));
        assert_eq!(read(&reply).unwrap_err().to_string().chars().count(), MAX_TEXT + 2);
    }
}
