//! The board of the laboratory as JSON: pieces with any DNA, their moves, and what a move does. There are no turns, and no game ends.
//!
//! The relay keeps nothing of it: a request contains the whole board, and the response the board after it.

use std::str::FromStr;

use chess::{Color, Square};
use rules::genome::{Content, Dna, GenesFull, Laboratory, MoveDescriptor, Owner, Piece, Placed};
use serde::{Deserialize, Serialize};

use super::explain::{Codes, Explained, Said, content_code, explain, fault};
use super::hash::Hash;

/// The most genomes of a request: the one that is being edited, and one for each square.
const MAX_GENOMES: usize = 65;

/// A board to look at. With `from` the moves of the piece there are wanted; with `to` it moves there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LaboratoryRequest {
    /// The DNA of all pieces. The first one is being edited: it may be invalid, and is explained.
    genomes: Vec<String>,
    #[serde(default)]
    pieces: Vec<PieceJson>,
    #[serde(default)]
    from: Option<String>,
    #[serde(default)]
    to: Option<String>,
    /// 16 hexadecimal digits that determine the random effects.
    #[serde(default)]
    seed: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceJson {
    square: String,
    color: ColorJson,
    /// The number of its genome.
    genome: usize,
    #[serde(default)]
    king: bool,
    #[serde(default)]
    pawn: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ColorJson {
    White,
    Black,
}

/// What there is to see.
#[derive(Debug, Serialize)]
pub(crate) struct Seen {
    /// The codons of the first genome, up to its first error.
    codons: Vec<Explained>,
    error: Option<FaultJson>,
    /// The hash of the first genome, if it is valid.
    hash: Option<String>,
    moves: Vec<MoveJson>,
    genomes: Vec<String>,
    pieces: Vec<PieceJson>,
    seed: String,
}

#[derive(Debug, Serialize)]
struct FaultJson {
    at: usize,
    len: usize,
    #[serde(flatten)]
    said: Said,
    message: String,
}

#[derive(Debug, Serialize)]
struct MoveJson {
    to: String,
    #[serde(flatten)]
    said: Said,
    words: String,
}

/// Why a board cannot be looked at.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LookError {
    #[error("there is no genome to explain")]
    NoGenome,
    #[error("there are at most {MAX_GENOMES} genomes")]
    TooMany,
    #[error("{0:?} is not a square")]
    Square(String),
    #[error("there is no genome {0}")]
    Genome(usize),
    #[error("genome {0}: {1}")]
    Dna(usize, rules::genome::DnaError),
    #[error(transparent)]
    Full(#[from] GenesFull),
    #[error("the seed has 16 hexadecimal digits")]
    Seed,
    #[error("the piece on {0} cannot move to {1}")]
    Illegal(String, String),
}

impl LaboratoryRequest {
    pub(crate) fn seen(self) -> Result<Seen, LookError> {
        let edited = self.genomes.first().ok_or(LookError::NoGenome)?.clone();
        let (codons, error) = explain(&edited);
        let mut laboratory = self.laboratory()?;
        let from = self.from.as_deref().map(square).transpose()?;
        let to = self.to.as_deref().map(square).transpose()?;
        if let (Some(from), Some(to)) = (from, to)
            && !laboratory.play(from, to)
        {
            return Err(LookError::Illegal(from.to_string(), to.to_string()));
        }
        // After a move, the moves of the piece on its new square are wanted.
        let looked_at = to.or(from);
        let moves = looked_at.map(|from| laboratory.moves_of(from)).into_iter().flatten();
        let genomes = Genomes::on(&laboratory, edited.clone());
        Ok(Seen {
            hash: edited.parse::<Dna>().ok().map(|dna| Hash::of(&dna.to_string()).to_string()),
            error: error.map(|error| FaultJson {
                at: error.at,
                len: error.len,
                said: fault(error.reason),
                message: error.reason.to_string(),
            }),
            codons,
            moves: moves
                .map(|found| MoveJson { to: found.to.to_string(), said: said(found), words: words(found) })
                .collect(),
            pieces: pieces(&laboratory, &genomes),
            genomes: genomes.texts,
            seed: format!("{:016x}", laboratory.seed()),
        })
    }

    fn laboratory(&self) -> Result<Laboratory, LookError> {
        let seed = self.seed.as_deref().unwrap_or("0000000000000001");
        let is_seed = seed.len() == 16 && seed.bytes().all(|byte| byte.is_ascii_hexdigit());
        let seed = u64::from_str_radix(seed, 16).ok().filter(|_| is_seed).ok_or(LookError::Seed)?;
        if self.genomes.len() > MAX_GENOMES {
            return Err(LookError::TooMany);
        }
        let mut laboratory = Laboratory::new(seed);
        let mut numbers = Vec::new();
        for (number, text) in self.genomes.iter().enumerate() {
            let dna = match Dna::from_str(text) {
                Ok(dna) => dna,
                // While the DNA is being edited, its pieces stand still.
                Err(_) if number == 0 => Dna::default(),
                Err(error) => return Err(LookError::Dna(number, error)),
            };
            numbers.push(laboratory.add(&dna)?);
        }
        for piece in &self.pieces {
            let at = square(&piece.square)?;
            let genome = *numbers.get(piece.genome).ok_or(LookError::Genome(piece.genome))?;
            let color = if piece.color == ColorJson::White { Color::White } else { Color::Black };
            laboratory.put(at, Piece { color, genome, is_pawn: piece.pawn, is_king: piece.king });
        }
        Ok(laboratory)
    }
}

fn square(text: &str) -> Result<Square, LookError> {
    text.parse().map_err(|_| LookError::Square(text.to_owned()))
}

/// The genomes with which a board goes on: the first one as the user has written it, and those that pieces have, renumbered. Without this a board on
/// which pieces mutate would have one genome more after every move, until there is no room.
struct Genomes {
    texts: Vec<String>,
    /// The old number of each.
    numbers: Vec<u8>,
}

impl Genomes {
    fn on(laboratory: &Laboratory, edited: String) -> Self {
        let used = Square::all().filter_map(|square| laboratory.piece(square)).map(|piece| piece.genome);
        let mut numbers: Vec<u8> = std::iter::once(0).chain(used).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let genes = laboratory.position().genes();
        let text = |&slot: &u8| genes.get(slot).iter().map(ToString::to_string).collect();
        let texts = std::iter::once(edited).chain(numbers.iter().skip(1).map(text)).collect();
        Self { texts, numbers }
    }

    fn number(&self, old: u8) -> usize {
        // Every genome of a piece is listed.
        self.numbers.binary_search(&old).unwrap_or_default()
    }
}

fn pieces(laboratory: &Laboratory, genomes: &Genomes) -> Vec<PieceJson> {
    let piece = |square: Square| {
        let Piece { color, genome, is_pawn, is_king } = laboratory.piece(square)?;
        let color = if color == Color::White { ColorJson::White } else { ColorJson::Black };
        let genome = genomes.number(genome);
        Some(PieceJson { square: square.to_string(), color, genome, king: is_king, pawn: is_pawn })
    };
    Square::all().filter_map(piece).collect()
}

/// Whether the piece goes to the target square, and that is all.
fn is_usual(found: MoveDescriptor) -> bool {
    let usual = Placed { content: Content::Mover, owner: Owner::Mover };
    found.start.content == Content::Nothing && found.target == usual
}

/// What a move does, for the page.
fn said(found: MoveDescriptor) -> Said {
    if is_usual(found) {
        return Said::of("goes");
    }
    let left = |Placed { content, owner }: Placed| match (content, owner) {
        (Content::Mover, Owner::Opponent) => "mover_given",
        (Content::Captured, Owner::Opponent) => "captured_given",
        (content, _) => content_code(content),
    };
    let codes = Codes { start: Some(left(found.start)), target: Some(left(found.target)), ..Codes::default() };
    Said::with("does", codes)
}

/// What is said of every kind of move.
#[cfg(test)]
pub(super) fn everything_said() -> Vec<Said> {
    let contents = [Content::Mover, Content::Captured, Content::Nothing];
    let placed = contents.map(|content| [Owner::Mover, Owner::Opponent].map(|owner| Placed { content, owner }));
    let placed = placed.as_flattened();
    let descriptor = |start, target| MoveDescriptor { to: Square::A1, start, target };
    placed.iter().flat_map(|&start| placed.iter().map(move |&target| said(descriptor(start, target)))).collect()
}

/// What a move does, in words.
fn words(found: MoveDescriptor) -> String {
    if is_usual(found) {
        return "the piece goes there".to_owned();
    }
    let left = |Placed { content, owner }: Placed| {
        let what = match content {
            Content::Mover => "the moving piece",
            Content::Captured => "the piece that stood there",
            Content::Nothing => return "nothing".to_owned(),
        };
        let whose = if owner == Owner::Opponent { ", which is the opponent's then" } else { "" };
        format!("{what}{whose}")
    };
    format!("leaves {} on its square, and {} there", left(found.start), left(found.target))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn look(request: Value) -> Result<Value, String> {
        let look: LaboratoryRequest = serde_json::from_value(request).map_err(|error| error.to_string())?;
        let seen = look.seen().map_err(|error| error.to_string())?;
        Ok(serde_json::to_value(seen).unwrap())
    }

    const ROOK: &str = "AHH HSH HAA CHA CHA CHA HHA SAS AAA AAA AAA";
    const SWAPPER: &str = "AHH HAA HSS SHA SHA CHA HHA SAS AAA AAA AAA";

    #[test]
    fn shows_the_moves_of_a_piece_among_others() {
        let seen = look(json!({
            "genomes": [ROOK, ""],
            "pieces": [
                {"square": "a1", "color": "white", "genome": 0},
                {"square": "a3", "color": "black", "genome": 1, "king": true},
            ],
            "from": "a1",
        }));
        let seen = seen.unwrap();
        let to: Vec<&str> = seen["moves"].as_array().unwrap().iter().filter_map(|found| found["to"].as_str()).collect();
        assert_eq!(to, ["a2", "a3", "b1", "c1", "d1", "e1", "f1", "g1", "h1"]);
        assert_eq!(seen["codons"].as_array().unwrap().len(), 11);
        assert_eq!((seen["error"].is_null(), seen["hash"].as_str().unwrap().len()), (true, 6));
        assert_eq!(
            seen["pieces"][1],
            json!({"square": "a3", "color": "black", "genome": 1, "king": true, "pawn": false})
        );
    }

    #[test]
    fn plays_a_move_with_its_effects_and_without_turns() {
        let mut board = json!({
            "genomes": [SWAPPER, ROOK],
            "pieces": [
                {"square": "d4", "color": "white", "genome": 0},
                {"square": "d5", "color": "black", "genome": 1},
            ],
            "from": "d4",
            "to": "d5",
        });
        let seen = look(board.clone()).unwrap();
        let on = |seen: &Value, square: &str| {
            let pieces = seen["pieces"].as_array().unwrap();
            pieces.iter().find(|piece| piece["square"] == square).map(|piece| piece["genome"].clone())
        };
        assert_eq!((on(&seen, "d4"), on(&seen, "d5")), (Some(json!(1)), Some(json!(0))));
        // The same side moves again.
        board["pieces"] = seen["pieces"].clone();
        (board["from"], board["to"]) = (json!("d5"), json!("e5"));
        assert_eq!(on(&look(board.clone()).unwrap(), "e5"), Some(json!(0)));
        board["to"] = json!("h8");
        assert_eq!(look(board).unwrap_err(), "the piece on d5 cannot move to h8");
    }

    #[test]
    fn explains_dna_that_is_being_edited_and_leaves_its_pieces_standing() {
        let seen = look(json!({
            "genomes": ["AHH HSX", ROOK],
            "pieces": [
                {"square": "a2", "color": "white", "genome": 0},
                {"square": "a1", "color": "black", "genome": 1},
            ],
            "from": "a1",
        }));
        let seen = seen.unwrap();
        assert_eq!(seen["error"]["at"], 6);
        assert_eq!((&seen["hash"], &seen["genomes"][0]), (&Value::Null, &json!("AHH HSX")));
        assert_eq!(seen["moves"][0]["to"], "a2");
    }

    #[test]
    fn a_mutation_gives_the_piece_a_genome_of_its_own() {
        let mutating = "AHHHACHCCHHHCHACHAHHACACSASAACACA";
        let seen = look(json!({
            "genomes": [mutating],
            "pieces": [{"square": "d4", "color": "white", "genome": 0}],
            "from": "d4",
            "to": "e6",
            "seed": "0000000000000007",
        }));
        let seen = seen.unwrap();
        assert_eq!((&seen["genomes"][0], &seen["pieces"][0]["genome"]), (&json!(mutating), &json!(1)));
        assert_ne!(seen["genomes"][1], json!(mutating));
        assert_ne!(seen["seed"], "0000000000000007");
    }

    #[test]
    fn pieces_with_the_dna_that_is_being_edited_keep_theirs() {
        for edited in [ROOK, "", "AHH HSX"] {
            let other = if edited == ROOK { ROOK } else { "" };
            let pieces = json!([
                {"square": "d4", "color": "white", "genome": 0, "king": false, "pawn": false},
                {"square": "d5", "color": "black", "genome": 1, "king": false, "pawn": false},
            ]);
            let seen = look(json!({"genomes": [edited, other], "pieces": pieces})).unwrap();
            assert_eq!(seen["pieces"], pieces, "{edited}");
            assert_eq!(seen["genomes"], json!([edited, other.replace(' ', "")]));
        }
    }

    #[test]
    fn genomes_that_no_piece_has_are_left_out() {
        let seen = look(json!({
            "genomes": [SWAPPER, "", ROOK, SWAPPER],
            "pieces": [{"square": "d4", "color": "white", "genome": 2}, {"square": "a1", "color": "white", "genome": 3}],
        }));
        let seen = seen.unwrap();
        assert_eq!(seen["genomes"], json!([SWAPPER, ROOK.replace(' ', ""), SWAPPER.replace(' ', "")]));
        assert_eq!((&seen["pieces"][0]["genome"], &seen["pieces"][1]["genome"]), (&json!(2), &json!(1)));
    }

    #[test]
    fn a_mutating_piece_moves_two_hundred_times() {
        let walker = "AHHHACHCCCHACHACHAHHASASASSASCSAS";
        let mut board = json!({
            "genomes": [walker],
            "pieces": [{"square": "d4", "color": "white", "genome": 0}],
            "from": "d4",
            "seed": "0000000000000003",
        });
        let mut mutations = 0;
        for step in 0..200 {
            let seen = look(board.clone()).unwrap();
            let moves = seen["moves"].as_array().unwrap();
            if moves.is_empty() {
                // The DNA has lost all moves: the piece gets its first DNA again.
                board["genomes"] = json!([walker]);
                board["pieces"][0]["genome"] = json!(0);
                continue;
            }
            board["to"] = moves[step % moves.len()]["to"].clone();
            let after = look(board).unwrap();
            let pieces = after["pieces"].as_array().unwrap();
            assert!(after["genomes"].as_array().unwrap().len() <= pieces.len() + 1, "{after}");
            mutations += usize::from(after["genomes"] != seen["genomes"]);
            // Effects and debuffs mutate as well, so that there may be two pieces or none, and no further mutation.
            let dna = |piece: &Value| after["genomes"][piece["genome"].as_u64().unwrap() as usize].to_string();
            let mutating = pieces.iter().find(|piece| dna(piece).contains("HCC"));
            let piece = mutating.cloned().unwrap_or(json!({"square": "d4", "color": "white", "genome": 0}));
            let from = piece["square"].clone();
            board = json!({"genomes": after["genomes"], "pieces": [piece], "seed": after["seed"], "from": from});
        }
        assert!(mutations > 100, "{mutations} mutations");
    }

    #[test]
    fn an_error_names_what_is_wrong() {
        let piece = |square: &str, genome: usize| json!([{"square": square, "color": "white", "genome": genome}]);
        for (request, error) in [
            (json!({"genomes": []}), "there is no genome to explain"),
            (json!({"genomes": vec![""; 66]}), "there are at most 65 genomes"),
            (json!({"genomes": ["", "AH"]}), "genome 1: character 1: the last codon has 2 of its 3 letters"),
            (json!({"genomes": [""], "pieces": piece("i9", 0)}), "\"i9\" is not a square"),
            (json!({"genomes": [""], "pieces": piece("a1", 1)}), "there is no genome 1"),
            (json!({"genomes": [""], "seed": "7"}), "the seed has 16 hexadecimal digits"),
            (json!({"genomes": [""], "from": "a1", "to": "a2"}), "the piece on a1 cannot move to a2"),
        ] {
            assert_eq!(look(request).unwrap_err(), error);
        }
    }
}
