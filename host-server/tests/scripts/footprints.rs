//! What the moves of the bundled scripts do to the reeds of a board, and whether a hand that makes them is read right.

use std::io::Write as _;
use std::process::{Command, Stdio};

use board::{Hand, HandSettings, Instant, Looking, Pace, Reading, Scan, Stance, View};
use chess::{Bitboard, Color, Piece, Square};
use host_server::scripts::{BUNDLED, Bundled};
use rules::told::{Pieces, Position, footprint_between};
use rules::{Footprint, Options, Plies, Ply, Situation};
use serde::Deserialize;

use crate::harness::{Dice, has_python, scripts};

/// Plays a game by a script, and prints every turn with what each of its moves does. The scripts are trusted, so it needs no sandbox. Moves that
/// change more than two squares are preferred, since random games have few of them.
const DRIVER: &str = r#"
import json, random, sys
request = json.load(sys.stdin)
random.seed(request["seed"])
script = {}
exec(request["script"], script)
LETTERS = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q", "king": "k"}

def placement(state):
    board = ["."] * 64
    for piece in state["pieces"]:
        letter = LETTERS[piece["name"]]
        board[8 * piece["y"] + piece["x"]] = letter.upper() if piece["color"] == "white" else letter
    return "".join(board)

state = json.loads(json.dumps(script["get_starting_state"]()))
for number in range(200):
    if state["status"] != "running":
        break
    mover = ["black", "white"][number % 2]
    before = placement(state)
    moves, special = [], []
    for move in state["possible_moves"]:
        copy = json.loads(json.dumps(state))
        after = json.loads(json.dumps(script["make_move"](copy["pieces"], move, mover, copy["additional_data"])))
        board = placement(after)
        moves.append((after, [8 * move["from_y"] + move["from_x"], 8 * move["to_y"] + move["to_x"], board]))
        if sum(one != other for one, other in zip(before, board)) > 2 or board[moves[-1][1][1]] == before[moves[-1][1][1]]:
            special.append(moves[-1])
    print(json.dumps({"pieces": before, "moves": [move for _, move in moves]}))
    state = random.choice(special if special and random.random() < 0.5 else moves)[0]
"#;

/// A turn with its moves: start, target and the pieces after each.
#[derive(Deserialize)]
struct Turn {
    pieces: String,
    moves: Vec<(u8, u8, String)>,
}

fn turns(script: &Bundled, seed: u64) -> Vec<Turn> {
    let mut python = Command::new("python3")
        .args(["-c", DRIVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    let request = serde_json::json!({ "script": script.text, "seed": seed }).to_string();
    python.stdin.take().expect("a pipe").write_all(request.as_bytes()).expect("the driver reads");
    let output = python.wait_with_output().expect("the driver ends");
    assert!(output.status.success(), "{}", script.name);
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn pieces(letters: &str) -> Pieces {
    let mut pieces = [None; 64];
    for (slot, letter) in pieces.iter_mut().zip(letters.chars()) {
        *slot = Piece::from_letter(letter);
    }
    pieces
}

/// One turn of a game, with the footprints that a board receives.
struct TurnCase {
    position: Position,
    /// Each ply with the pieces after it.
    after: Vec<(Ply, Pieces)>,
}

impl TurnCase {
    fn new(number: usize, turn: &Turn) -> Self {
        let before = pieces(&turn.pieces);
        let to_move = if number.is_multiple_of(2) { Color::White } else { Color::Black };
        let mut position = Position::new(0, to_move, &before);
        let mut after = Vec::new();
        for (from, to, letters) in &turn.moves {
            let ply = Ply::new(Square::from_index(*from), Square::from_index(*to));
            position.add(ply).expect("there is room for all plies");
            position
                .add_footprint(&footprint_between(&before, &pieces(letters), ply))
                .expect("there is room for footprints");
            after.push((ply, pieces(letters)));
        }
        Self { position, after }
    }
}

fn occupied(pieces: &Pieces) -> Bitboard {
    Square::all().filter(|square| pieces[usize::from(square.index())].is_some()).collect()
}

/// What happens to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    Lift(Square),
    Place(Square),
}

/// What a hand does for a ply: each piece that moves is lifted and put down, and each that is captured is lifted.
fn strands(before: &Pieces, after: &Pieces, footprint: &Footprint) -> Vec<Vec<Touch>> {
    let at = |pieces: &Pieces, square: Square| pieces[usize::from(square.index())];
    let mut places: Vec<Square> = footprint.places.squares().collect();
    let mut strands = Vec::new();
    let take = |places: &mut Vec<Square>, wanted: &dyn Fn(Square) -> bool| {
        places.iter().position(|&place| wanted(place)).map(|index| places.remove(index))
    };
    // Pieces that stay what they are come first: what is left is the pawn that becomes another piece.
    let mut lifts: Vec<Square> = footprint.lifts.squares().collect();
    lifts.sort_by_key(|&from| !footprint.places.squares().any(|to| at(after, to) == at(before, from)));
    for from in lifts {
        let place = take(&mut places, &|to| at(after, to) == at(before, from)).or_else(|| take(&mut places, &|_| true));
        strands.push([Some(Touch::Lift(from)), place.map(Touch::Place)].into_iter().flatten().collect());
    }
    assert!(places.is_empty(), "every piece comes from somewhere");
    strands.extend(footprint.captured.squares().map(|square| vec![Touch::Lift(square)]));
    strands
}

/// One of the orders in which the strands can be carried out, at random: a square is free before something is placed on it.
fn order(strands: &[Vec<Touch>], mut occupied: Bitboard, dice: &mut Dice) -> Vec<Touch> {
    let mut rest: Vec<&[Touch]> = strands.iter().map(Vec::as_slice).collect();
    let mut order = Vec::new();
    while rest.iter().any(|strand| !strand.is_empty()) {
        let index = dice.below(rest.len());
        let Some((&touch, after)) = rest[index].split_first() else { continue };
        match touch {
            Touch::Lift(square) => occupied = occupied.without(square.into()),
            Touch::Place(square) if occupied.has(square) => continue,
            Touch::Place(square) => occupied |= square.into(),
        }
        order.push(touch);
        rest[index] = after;
    }
    order
}

const SETTINGS: HandSettings =
    HandSettings { pace: Pace::Normal, rest: 300, rook_rest: 1500, kings_rest: 1000, restart_rest: 3000, swap: 100 };

/// A hand over a board, and what is read of it.
struct Table<'a> {
    position: &'a Position,
    plies: Plies,
    hand: Hand,
    now: u64,
    read: Vec<Reading>,
}

impl<'a> Table<'a> {
    fn new(position: &'a Position) -> Self {
        let now = 10_000;
        let mut hand = Hand::new(SETTINGS, occupied(position.pieces()));
        let plies = Situation::Told(position).plies();
        hand.settle(&view(position, &plies), Looking::ForOwnMove, Instant::at(now));
        Self { position, plies, hand, now, read: Vec::new() }
    }

    fn touch(&mut self, touch: Touch) {
        self.scan(&match touch {
            Touch::Lift(square) => Scan { lifted: square.into(), ..Scan::default() },
            Touch::Place(square) => Scan { placed: square.into(), ..Scan::default() },
        });
    }

    fn wait(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += 1;
            self.scan(&Scan::default());
        }
    }

    fn scan(&mut self, scan: &Scan) {
        let reading = self.hand.scan(scan, || view(self.position, &self.plies), Instant::at(self.now));
        self.read.extend(reading.filter(|&reading| reading != Reading::PutBack));
    }

    /// Lifts and puts back what stands on a square, or puts something on it and takes it away.
    fn tap(&mut self, square: Square) {
        let touches = [Touch::Lift(square), Touch::Place(square)];
        let [first, second] = if self.hand.occupied().has(square) { touches } else { [touches[1], touches[0]] };
        self.touch(first);
        self.wait(200);
        self.touch(second);
    }
}

fn view<'a>(position: &'a Position, plies: &'a Plies) -> View<'a> {
    View { here: Options { here: Situation::Told(position), plies }, before: None, made: None }
}

/// Makes a ply by hand, and answers what the lights ask.
fn make(case: &TurnCase, ply: Ply, touches: &[Touch]) -> Result<bool, String> {
    let mut table = Table::new(&case.position);
    for &touch in touches {
        table.touch(touch);
        table.wait(150);
    }
    table.wait(2_000);
    let mut was_asked = false;
    // A capture that may be another one, and then which ply it was.
    for _ in 0..2 {
        if let (Stance::Asking(squares), true) = (table.hand.stance(), table.read.is_empty()) {
            was_asked = true;
            if !squares.has(ply.to()) {
                return Err(format!("asks about {squares:?}"));
            }
            table.tap(ply.to());
            table.wait(2_000);
        }
    }
    match table.read[..] {
        [Reading::Moved(read)] if read == ply => Ok(was_asked),
        _ => Err(format!("read {:?}, stance {:?}", table.read, table.hand.stance())),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_move_of_a_bundled_script_is_read_in_any_order_of_touches() {
    if !has_python(&scripts(1)).await {
        return;
    }
    for script in BUNDLED {
        let mut dice = Dice(11);
        let (mut plies, mut several, mut asked) = (0, 0, 0);
        for seed in 0..6 {
            // Games have different lengths: at least two, and enough moves.
            if seed >= 2 && plies > 500 {
                break;
            }
            for (number, turn) in turns(script, seed).iter().enumerate() {
                let case = TurnCase::new(number, turn);
                let before = case.position.pieces();
                for (ply, after) in &case.after {
                    let what = format!("{} seed {seed}, {ply} of turn {number}, {}", script.name, turn.pieces);
                    let footprint = Situation::Told(&case.position).footprint(*ply).expect("told");
                    let reached = occupied(before).without(footprint.lifts | footprint.captured) | footprint.places;
                    assert_eq!((footprint.after, reached), (occupied(after), occupied(after)), "{what}");
                    plies += 1;
                    let strands = strands(before, after, &footprint);
                    let is_simple = strands.len() == 1 && footprint.places.has(ply.to());
                    several += usize::from(!is_simple);
                    // A hand makes all moves of several pieces, and some of the others.
                    if is_simple && dice.below(20) != 0 {
                        continue;
                    }
                    for _ in 0..if is_simple { 1 } else { 3 } {
                        let touches = order(&strands, occupied(before), &mut dice);
                        match make(&case, *ply, &touches) {
                            Ok(was_asked) => asked += usize::from(was_asked),
                            Err(problem) => panic!("{what}: {problem} after {touches:?}, {footprint:?}"),
                        }
                    }
                }
            }
        }
        println!("{}: {plies} moves, {several} of several pieces, asked {asked} times", script.title);
        assert!(plies > 500 && several > 10, "{}: {plies}, {several}", script.name);
    }
}
