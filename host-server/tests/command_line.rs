//! The `tabiya` program as a process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn tabiya<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tabiya")).args(arguments).output().expect("tabiya starts")
}

/// Standard output of a successful command.
#[track_caller]
fn stdout<'a>(arguments: impl IntoIterator<Item = &'a str>) -> String {
    let output = tabiya(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.as_str()), (Some(0), ""));
    String::from_utf8(output.stdout).unwrap()
}

/// The error of a failing command: one line on standard error, and no output.
#[track_caller]
fn error<'a>(arguments: impl IntoIterator<Item = &'a str>) -> String {
    let output = tabiya(arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &[][..]), "{stderr}");
    let line = stderr.strip_prefix("tabiya: ").expect(&stderr);
    let line = line.strip_suffix('\n').expect(&stderr);
    assert!(!line.is_empty() && !line.contains(char::is_control), "{stderr:?}");
    line.to_owned()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

const START: &str = "0002000f04030205060203040101010101010101\
    0000000000000000000000000000000000000000000000000000000000000000\
    0d0d0d0d0d0d0d0d100f0e11120e0f1000";

#[test]
fn encodes_and_decodes_every_test_vector() {
    let vectors: Value = serde_json::from_str(include_str!("../../wire/tests/data/layout.json")).unwrap();
    for vector in vectors.as_array().unwrap() {
        let hex = vector["hex"].as_str().unwrap();
        let moves: Vec<&str> = vector["uci"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let written = stdout(["layout", "encode"].into_iter().chain(moves));
        assert_eq!(written, format!("{hex}\n"), "{}", vector["name"]);

        let read = stdout(["layout", "decode", hex]);
        assert_eq!(read.lines().count(), 1);
        let read: Value = serde_json::from_str(&read).unwrap();
        assert_eq!(read["fen"], vector["fen"], "{}", vector["name"]);
        assert_eq!(read["history"], vector["uci"], "{}", vector["name"]);
    }
}

#[test]
fn decode_prints_the_whole_state() {
    let capture = stdout(words("layout encode e2e4 d7d5 e4d5 d8d5 b1c3 d5a2 a1a2"));
    let read: Value = serde_json::from_str(&stdout(["layout", "decode", capture.trim()])).unwrap();
    let expected = json!({
        "fen": "rnb1kbnr/ppp1pppp/8/8/8/2N5/RPPP1PPP/2BQKBNR b Kkq - 0 4",
        "turn": "black",
        "checked": null,
        "mate": false,
        "rights": "Kkq",
        "captured": ["p", "P", "P", "q"],
        "history": ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a2", "a1a2"],
    });
    assert_eq!(read, expected);

    let mate = stdout(words("layout encode f2f3 e7e5 g2g4 d8h4")).to_uppercase();
    let read: Value = serde_json::from_str(&stdout(["layout", "decode", mate.trim()])).unwrap();
    assert_eq!((&read["checked"], &read["mate"]), (&json!("white"), &json!(true)));
    assert_eq!(stdout(words("layout encode")), format!("{START}\n"));
}

#[test]
fn an_invalid_state_is_rejected_with_the_byte_offset() {
    let decode = |hex: &str| error(["layout", "decode", hex]);
    assert_eq!(decode(""), "byte 0: the state ends here, but its board goes on to byte 67");
    assert_eq!(decode(&START[2..]), "byte 0: the player to move is 0 or 1, not 2");
    assert_eq!(decode(&format!("{START}0c")), "byte 70: the state ends here, in the middle of a move");
    assert_eq!(decode(&format!("{START}0c24")), "byte 69: e2e5 is not a legal move here");
    assert_eq!(decode(&format!("{START}0c1c")), "byte 0: the player to move is 0, but the game makes it 1");
}

#[test]
fn invalid_hex_is_rejected_with_the_character() {
    let decode = |hex: &str| error(["layout", "decode", hex]);
    assert_eq!(decode("0002000f0g"), "hex: unexpected 'g' at character 10");
    assert_eq!(decode("00\n02"), r"hex: unexpected '\n' at character 3");
    assert_eq!(decode("00020"), "hex: odd number of digits, 5; a byte has two");
}

#[test]
fn an_illegal_move_is_rejected_with_its_ply() {
    for command in ["layout encode", "pgn"] {
        let with = |moves: &str| error(words(command).chain(words(moves)));
        assert_eq!(with("e2e4 e7e4"), r#"ply 2, "e7e4": e7e4 is not a legal move here"#);
        assert!(with("e2e4 e7e5 g1").starts_with(r#"ply 3, "g1": not a move in UCI notation, "#));
        assert_eq!(with("f2f3 e7e5 g2g4 d8h4 a2a3"), r#"ply 5, "a2a3": the game is over: black wins by checkmate"#);
        error(words(command).chain(["e2\ne4"]));
    }
}

#[test]
fn perft_counts_leaf_nodes() {
    assert_eq!(stdout(words("perft 0")), "1\n");
    assert_eq!(stdout(words("perft 3")), "8902\n");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(stdout(["perft", "2", "--fen", kiwipete]), "2039\n");
    let divided = stdout(["perft", "2", "--divide"]);
    let lines: Vec<&str> = divided.lines().collect();
    assert_eq!(lines.first(), Some(&"a2a3: 20"));
    assert_eq!(lines[18..], ["h2h3: 20", "h2h4: 20", "", "400"]);
    assert!(lines[..20].is_sorted());
    assert_eq!(stdout(words("perft 0 --divide")), "1\n");

    assert_eq!(error(["perft", "2", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"]), "fen: black has no king");
    assert_eq!(error(["perft", "2", "--fen", "rnbqkbnr/x"]), "fen: unexpected 'x' at character 10, in the board field");
}

#[test]
fn prints_a_game_as_pgn() {
    let opera = "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 \
        c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8";
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8.
Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14.
Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"#;
    assert_eq!(stdout(["pgn"].into_iter().chain(words(opera))), expected);
    assert!(stdout(["pgn"]).ends_with("[Result \"*\"]\n\n*\n"));
}

/// The arguments are checked before a socket is bound or a journal is created.
#[test]
fn a_virtual_board_needs_a_name_and_a_key_with_a_relay_or_a_journal() {
    let board = |arguments: &str| error(words("board").chain(words(arguments)));
    assert!(board("--relay ws://localhost:1").contains("--name"));
    let missing =
        "pairing key: missing: give --key-file or TABIYA_BOARD_KEY, or --journal to be paired over the network";
    assert_eq!(board("--name a"), missing);
    assert_eq!(board(&format!("--name a --key {}", "00".repeat(32))), "pairing key: a board with a key needs --relay");
    let wss = "--relay: the link is encrypted with its own key and uses ws://, not wss://";
    assert_eq!(board("--relay wss://localhost --name a --key 00"), wss);
    let named = "--relay ws://localhost:1 --name a";
    assert_eq!(board(named), missing);
    assert_eq!(board(&format!("{named} --key 0g")), "pairing key: unexpected 'g' at character 2");
    assert_eq!(board(&format!("{named} --key 00ff")), "pairing key: must have 32 bytes, has 2");
    assert!(board(&format!("{named} --key-file /nowhere/key")).starts_with("pairing key: /nowhere/key: "));
    let journal = format!("{named} --key {} --journal /nowhere/journal", "00".repeat(32));
    assert!(board(&journal).starts_with("/nowhere/journal: "));
}

#[test]
fn help_is_not_an_error() {
    for arguments in ["--help", "-h", "help", "layout --help", "help perft", "pgn -h", "board --help"] {
        assert!(stdout(words(arguments)).contains("Usage: tabiya"), "{arguments}");
    }
    let help = stdout(["--help"]);
    assert!(help.starts_with("Tabiya: relay and tools for an open smart chessboard"), "{help}");
    assert!(help.contains("Without a command, tabiya runs `serve`"), "{help}");
    let help = stdout(words("serve --help"));
    assert!(help.contains("Days to keep finished games, and games without a clock"), "{help}");
    assert!(help.contains("[env: TABIYA_KEEP_GAMES] [default: 30]"), "{help}");
    // The words of an engineer, and not of a story.
    let commands =
        ["", "serve", "boards", "boards add", "boards play", "board", "store", "genome", "livechess", "engine"];
    for command in commands {
        let help = stdout(words(command).chain(["--help"]));
        for unclear in ["so long", "so many", "Say it", "Listen here", "omebody", "hoever", "belongs into"] {
            assert!(!help.contains(unclear), "{command}: {unclear}: {help}");
        }
    }
    assert_eq!(stdout(["--version"]), concat!("tabiya ", env!("CARGO_PKG_VERSION"), "\n"));
}

/// A conversation with the engine as a graphical user interface has it, with a mistake in it.
#[test]
fn the_engine_speaks_uci() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .arg("engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("tabiya starts");
    let mut input = engine.stdin.take().unwrap();
    let mut output = BufReader::new(engine.stdout.take().unwrap()).lines();
    let mut talk = |commands: &str, last: &str| -> Vec<String> {
        writeln!(input, "{commands}").unwrap();
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| line.starts_with(last)) {
            lines.push(output.next().expect("the engine answers").unwrap());
        }
        lines
    };
    assert!(talk("uci", "uciok").iter().any(|line| line.starts_with("option name Level ")));
    assert_eq!(talk("setoption name Hash value 1\nsetoption name Level value 6\nisready", "readyok").len(), 1);
    let refused = talk("position startpos moves e2e5\nisready", "readyok");
    assert_eq!(refused[0], "info string error: position: e2e5 is not a legal move here");
    let answer = talk("position startpos moves f2f3 e7e5 g2g4\ngo movetime 200", "bestmove");
    assert_eq!(answer.last().map(String::as_str), Some("bestmove d8h4"));
    assert!(talk("go infinite\nstop", "bestmove").len() > 1);
    writeln!(input, "quit").unwrap();
    assert!(engine.wait().unwrap().success());
}

#[test]
fn an_invalid_command_line_is_an_error_of_one_line() {
    for (arguments, named) in [
        ("castle", "'castle'"),
        ("--castle", "'--castle'"),
        ("layout", "encode, decode"),
        ("layout castle", "'castle'"),
        ("layout decode", "<HEX>"),
        ("layout decode 00 00", "'00'"),
        ("perft", "<DEPTH>"),
        ("perft deep", "'deep'"),
        ("perft -1", "'-1'"),
        ("perft 4294967296", "'4294967296'"),
        ("perft 1 --fen", "--fen"),
        ("perft 1 --fem x", "'--fem'"),
        ("boards play kitchen hall --clock five+3", "'five+3'"),
        ("board e2e4", "'e2e4'"),
    ] {
        let line = error(words(arguments));
        assert!(line.contains(named) && !line.contains("Usage"), "{line}");
    }
    assert_eq!(error(["bad\n\nname\u{1b}"]), r"unrecognized subcommand 'bad  name\u{1b}'");
}

#[test]
fn a_misspelt_command_or_flag_gets_a_suggestion() {
    assert_eq!(error(["serv"]), "unrecognized subcommand 'serv'; did you mean 'serve'?");
    assert_eq!(error(words("serve --listn x")), "unexpected argument '--listn' found; did you mean '--listen'?");
}

/// Flags without a command belong to `serve`.
#[test]
fn without_a_command_serve_is_meant() {
    let printed = stdout(words("--print-config --grace 7 --environment none"));
    assert!(printed.contains("TABIYA_GRACE=7  # --grace\n"), "{printed}");
    assert_eq!(printed, stdout(words("serve --print-config --grace 7 --environment none")));
    assert!(error(words("--grace never")).starts_with("invalid value 'never' for '--grace <SECONDS>'"));
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf8_is_an_error_of_one_line() {
    use std::os::unix::ffi::OsStrExt;
    let output = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .arg("pgn")
        .arg(std::ffi::OsStr::from_bytes(b"e2\xff"))
        .output()
        .expect("tabiya starts");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
}

/// As with `tabiya perft 3 --divide | head -1`, but the reader is closed before the first line.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(words("perft 3 --divide"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tabiya starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &[][..]));
}

/// A store that is made by mistake, in the wrong directory, would hand out keys that no relay accepts.
#[test]
fn boards_are_not_paired_where_no_relay_has_its_store() {
    let directory = std::env::temp_dir().join(format!("tabiya-no-relay-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for arguments in ["boards add kitchen", "boards list", "boards play kitchen hall"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        let output =
            command.args(words(arguments)).current_dir(&directory).env_clear().output().expect("tabiya starts");
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{arguments}: {line}");
        assert!(line.contains("no relay runs in") && line.contains("--data"), "{line}");
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0, "nothing is made");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    let named = command.args(words("boards list --data store")).current_dir(&directory).env_clear().output().unwrap();
    assert_eq!(String::from_utf8(named.stdout).unwrap(), "No board is paired.\n");
    std::fs::remove_dir_all(directory).unwrap();
}

/// `.env.example` says that it can be copied as it is.
#[test]
fn a_relay_starts_with_a_copy_of_the_example_settings_and_the_embedded_store() {
    let directory = std::env::temp_dir().join(format!("tabiya-example-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../.env.example"), directory.join(".env.dev")).unwrap();
    let mut relay = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(words("serve --listen 127.0.0.1:0 --virtual-board off"))
        .current_dir(&directory)
        .env_clear()
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tabiya starts");
    let lines = BufReader::new(relay.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut log = Vec::new();
    for line in lines {
        let is_listening = line.contains(" listening address=");
        log.push(line);
        if is_listening {
            break;
        }
    }
    relay.kill().unwrap();
    relay.wait().unwrap();
    assert!(log.last().is_some_and(|line| line.contains(" listening address=")), "{log:?}");
    assert!(directory.join("tabiya-data").is_dir(), "the games are in the embedded store");
    std::fs::remove_dir_all(directory).unwrap();
}
