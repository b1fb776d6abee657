//! `tabiya genome` as a process.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn tabiya(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tabiya starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.as_ref().to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("tabiya ends");
    // A command that does not read its input may close it early.
    let _ = writer.join();
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn moves_answers_every_vector() {
    let vectors: Value = serde_json::from_str(include_str!("../../rules/tests/data/genome.json")).unwrap();
    let cases = vectors["moves"].as_array().unwrap();
    let input = cases.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let output = tabiya(&["genome", "moves"], &input);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let answers: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), cases.len());
    for (answer, case) in answers.iter().zip(cases) {
        assert_eq!(answer["moves_in_order"], case["moves_in_order"], "{}", case["name"]);
    }
}

#[test]
fn moves_answers_a_wrong_line_with_its_number_and_the_reason_and_goes_on() {
    let right = r#"{"dna":"","color":"BLACK","pos":[3,3],"others":[[0,0,"WHITE"]]}"#;
    let input = [
        br#"{"dna":"SAS","color":"WHITE","pos":[3,3],"others":[]}"#,
        &b""[..],
        br#"{"dna":"","color":"WHITE","pos":[8,-3],"others":[]}"#,
        br#"{"dna":"","color":"RED","pos":[3,3],"others":[]}"#,
        b"{\"dna\":\"\xff\xfe\"}",
        b" \t",
        right.as_bytes(),
        br#"{"dna":"","color":"BLACK","pos":[3,3]"#,
        b"\xff",
        right.as_bytes(),
    ];
    let output = tabiya(&["genome", "moves"], input.join(&b"\r\n"[..]));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "tabiya: 6 of 8 cases have no answer\n");
    let answers: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        answers,
        [
            json!({"line": 1, "error": "dna: character 1: a block starts with AHH, not with SAS"}),
            json!({"line": 3, "error": "[8, -3] is not a square; x and y go from 0 to 7"}),
            json!({"line": 4, "error": "unknown variant `RED`, expected `WHITE` or `BLACK` at column 23"}),
            json!({"line": 5, "error": "byte 9 of the line is not UTF-8"}),
            json!({"moves_in_order": []}),
            json!({"line": 8, "error": "EOF while parsing an object at column 37"}),
            json!({"line": 9, "error": "byte 1 of the line is not UTF-8"}),
            json!({"moves_in_order": []}),
        ]
    );
}

#[test]
fn moves_refuses_two_pieces_on_one_square() {
    let case = |others: &str| format!(r#"{{"dna":"","color":"WHITE","pos":[3,3],"others":{others}}}"#);
    let input = [
        case(r#"[[3,3,"WHITE"]]"#),
        case(r#"[[1,2,"WHITE"],[1,2,"BLACK"]]"#),
        case(r#"[[1,2,"BLACK"],[1,2,"BLACK"]]"#),
    ];
    let output = tabiya(&["genome", "moves"], input.join("\n"));
    let error = |square: &str| format!("two pieces are on {square}; pos is the square of the piece that moves");
    let answers: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        answers,
        [
            json!({"line": 1, "error": error("[3, 3]")}),
            json!({"line": 2, "error": error("[1, 2]")}),
            json!({"line": 3, "error": error("[1, 2]")}),
        ]
    );
}

#[test]
fn check_explains_valid_dna() {
    let output = tabiya(&["genome", "check", "AHH HSH HAA", "CHACHACHA HHA SAS"], "");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let expected = "\
valid DNA: 8 codons in 1 block
hash: 557037
enciphered: Vcjq8DKKKMTTVccellszzFFX
debuffs: no side wrap

AHH  a block starts
HSH  a piece left on the start square belongs to the opponent
HAA  ";
    let written = text(&output.stdout);
    let rest = written.strip_prefix(expected).expect(written);
    assert!(rest.ends_with("SAS  go 1 square, which the piece may move to; turn\n"), "{rest}");
}

#[test]
fn check_underlines_the_error() {
    let output = tabiya(&["genome", "check", "AHH HSH HAA CHA CHH CHA HHA"], "");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &[][..]));
    assert_eq!(
        text(&output.stderr),
        "tabiya: character 17: CHH is neither HHH nor two of S, A, C around an H\n\
         AHH HSH HAA CHA CHH CHA HHA\n                ^^^\n"
    );
    let output = tabiya(&["genome", "check", ""], "");
    assert!(text(&output.stdout).starts_with("valid DNA: 0 codons in 0 blocks\n"));
}
