//! The moves and errors of the original program.

use chess::{Bitboard, Color, File, Rank, Square};
use rules::genome::moves::{Surroundings, moves};
use rules::genome::{Dna, Owner, Placed};
use serde_json::{Value, json};

fn vectors() -> Value {
    serde_json::from_str(include_str!("../data/genome.json")).expect("vectors")
}

fn at(value: &Value) -> Square {
    let number = |index: usize| u8::try_from(value[index].as_u64().expect("a number")).expect("0 to 7");
    Square::new(File::from_index(number(0)), Rank::from_index(number(1)))
}

fn color(value: &Value) -> Color {
    if value == "WHITE" { Color::White } else { Color::Black }
}

fn placed(Placed { content, owner }: Placed) -> Value {
    json!([content.letter().to_char().to_string(), if owner == Owner::Mover { "ME" } else { "OPPONENT" }])
}

#[test]
fn generates_the_moves_of_the_vectors_in_order() {
    let vectors = vectors();
    let cases = vectors["moves"].as_array().expect("cases");
    assert_eq!(cases.len(), 112);
    for case in cases {
        let dna: Dna = case["dna"].as_str().expect("DNA").parse().expect("valid");
        let (mover, from) = (color(&case["color"]), at(&case["pos"]));
        let mut around = Surroundings { color: mover, own: Bitboard::of(from), enemy: Bitboard::EMPTY };
        for other in case["others"].as_array().expect("pieces") {
            let set = if color(&other[2]) == mover { &mut around.own } else { &mut around.enemy };
            *set |= at(other).into();
        }
        let found: Vec<Value> = moves(dna.codons(), from, around)
            .iter()
            .map(|found| {
                json!({
                    "to": [found.to.file().index(), found.to.rank().index()],
                    "from_square": placed(found.start),
                    "to_square": placed(found.target),
                })
            })
            .collect();
        assert_eq!(Value::Array(found), case["moves_in_order"], "{}", case["name"]);
    }
}

#[test]
fn accepts_and_refuses_the_dna_of_the_vectors() {
    let vectors = vectors();
    for case in vectors["validity"].as_array().expect("cases") {
        let parsed = case["dna"].as_str().expect("DNA").parse::<Dna>();
        assert_eq!(parsed.is_ok(), case["valid"] == true, "{}", case["why"]);
        let Ok(dna) = parsed else { continue };
        let parts: Vec<usize> = dna.blocks().map(|block| block.steps.len()).collect();
        assert_eq!(json!(parts), case["parts"], "{}", case["why"]);
        let around = Surroundings { color: Color::White, own: Bitboard::of(Square::D4), enemy: Bitboard::EMPTY };
        assert_eq!(json!(moves(dna.codons(), Square::D4, around).len()), case["moves_from_3_3"], "{}", case["why"]);
    }
}
