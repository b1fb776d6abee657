//! `tabiya genome` as a process.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn tabiya(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tabiya starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
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
fn moves_answers_a_wrong_case_with_the_reason_and_goes_on() {
    let input = [
        r#"{"dna":"SAS","color":"WHITE","pos":[3,3],"others":[]}"#,
        r#"{"dna":"","color":"WHITE","pos":[8,3],"others":[]}"#,
        r#"{"dna":"","color":"RED","pos":[3,3],"others":[]}"#,
        r#"{"dna":"","color":"BLACK","pos":[3,3],"others":[[0,0,"WHITE"]]}"#,
    ];
    let output = tabiya(&["genome", "moves"], &input.join("\n"));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "tabiya: 3 of 4 cases have no answer\n");
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(lines[0], r#"{"error":"dna: character 1: a block starts with AHH, not with SAS"}"#);
    assert_eq!(lines[1], r#"{"error":"[8, 3] is not a square; x and y go from 0 to 7"}"#);
    assert!(lines[2].contains("RED"), "{}", lines[2]);
    assert_eq!(lines[3], r#"{"moves_in_order":[]}"#);
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
