//! UCI engine on standard input and output: the protocol that chess programs start engines with.

mod command;
mod options;
mod session;

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use engine::{Engine, Memory, Slot};

use self::session::{End, UciSession};

/// Bytes of a line that are read. The longest game possible has 107 KB.
const MAX_LINE: u64 = 256 * 1024;
/// Lines that may wait while a search runs.
const WAITING_LINES: usize = 16;

/// Answers commands until `quit` or the end of the input. Wrong input is answered with `info string error: ..` and changes nothing.
pub(crate) fn run(input: impl BufRead + Send + 'static, output: &mut impl Write) -> io::Result<()> {
    let (sender, lines) = sync_channel(WAITING_LINES);
    // A blocking read cannot be interrupted, so the thread ends with the input or with the process.
    thread::spawn(move || {
        let mut input = input;
        while let Ok(Some(line)) = read_line(&mut input) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    answer(&lines, output)
}

fn answer(lines: &Receiver<String>, output: &mut impl Write) -> io::Result<()> {
    let mut session = UciSession::new();
    loop {
        // The engine borrows its memory, so a new size of the table needs a new engine.
        let mut memory = Box::<Memory>::default();
        let mut table = vec![Slot::EMPTY; session.settings.slots()];
        let mut engine = Engine::new(&mut memory, &mut table);
        match session.run(&mut engine, lines, output)? {
            End::Quit => return Ok(()),
            End::Resize => {}
        }
    }
}

/// The next line, without its end; none at the end of the input. A line that is too long is cut off, and then refused by its words.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if Read::take(&mut *input, MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// What the engine answers to these lines.
    fn talk(lines: &str) -> String {
        let mut output = Vec::new();
        run(Cursor::new(lines.to_owned()), &mut output).expect("a vector can be written");
        String::from_utf8(output).expect("UCI is text")
    }

    fn last_line(output: &str) -> &str {
        output.lines().last().unwrap_or_default()
    }

    #[test]
    fn names_itself_and_its_options() {
        let output = talk("uci\nisready\nquit\n");
        assert!(output.starts_with("id name Tabiya "), "{output}");
        for option in
            ["Hash type spin", "Level type spin default 10 min 1 max 10", "OwnBook type check", "Seed type string"]
        {
            assert!(output.contains(&format!("option name {option}")), "{option} in {output}");
        }
        assert!(output.contains("\nuciok\nreadyok\n"), "{output}");
    }

    #[test]
    fn finds_a_mate_and_reports_its_line() {
        let output = talk("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\ngo depth 4\n");
        assert!(output.contains("score mate 1 "), "{output}");
        assert!(output.contains(" pv a1a8"), "{output}");
        assert!(last_line(&output).starts_with("bestmove a1a8"), "{output}");
    }

    #[test]
    fn plays_on_from_moves() {
        let output = talk("ucinewgame\nposition startpos moves f2f3 e7e5 g2g4\ngo nodes 2000\n");
        assert_eq!(last_line(&output), "bestmove d8h4");
    }

    #[test]
    fn the_same_seed_gives_the_same_opening() {
        let opening = |seed: u32| {
            let options = format!(
                "setoption name Hash value 1\nsetoption name OwnBook value true\nsetoption name Seed value {seed}"
            );
            talk(&format!("{options}\nucinewgame\nposition startpos\ngo depth 1\n"))
        };
        assert_eq!(opening(7), opening(7));
        assert!((0..12).map(opening).collect::<std::collections::BTreeSet<_>>().len() > 1);
    }

    #[test]
    fn stop_ends_an_infinite_search() {
        let output = talk("position startpos\ngo infinite\nstop\nquit\n");
        assert!(last_line(&output).starts_with("bestmove "), "{output}");
    }

    /// The answers until a line that begins with this word.
    fn until(word: &str, answers: &mut impl BufRead) -> String {
        let mut all = String::new();
        loop {
            let mut line = String::new();
            assert!(answers.read_line(&mut line).expect("a pipe can be read") > 0, "no {word} after {all}");
            all += &line;
            if line.starts_with(word) {
                return all;
            }
        }
    }

    /// A session whose input stays open.
    fn open_session() -> (io::PipeWriter, io::BufReader<io::PipeReader>) {
        let (input, commands) = io::pipe().expect("a pipe");
        let (answers, mut output) = io::pipe().expect("a pipe");
        thread::spawn(move || run(io::BufReader::new(input), &mut output));
        (commands, io::BufReader::new(answers))
    }

    #[test]
    fn an_infinite_search_that_has_nothing_left_answers_only_after_stop() {
        let (mut commands, mut answers) = open_session();
        // A mate ends a search with limits; here, everything after it waits for `stop`.
        commands.write_all(b"position startpos moves f2f3 e7e5 g2g4\ngo infinite\n").expect("the session reads");
        let before = until("info depth", &mut answers);
        commands.write_all(b"isready\n").expect("the session reads");
        let before = before + &until("readyok", &mut answers);
        assert!(!before.contains("bestmove"), "{before}");
        commands.write_all(b"isready\nstop\n").expect("the session reads");
        let after = until("bestmove", &mut answers);
        assert!(after.contains("readyok\n") && after.ends_with("bestmove d8h4\n"), "{after}");
    }

    #[test]
    fn stop_and_isready_are_read_behind_another_command() {
        let (mut commands, mut answers) = open_session();
        // 200 plies are out of reach, so that only `stop` ends the search.
        commands.write_all(b"position startpos\ngo depth 200\nucinewgame\nisready\n").expect("the session reads");
        assert!(!until("readyok", &mut answers).contains("bestmove"));
        commands.write_all(b"stop\n").expect("the session reads");
        until("bestmove", &mut answers);
    }

    #[test]
    fn only_the_moves_that_were_asked_for_are_searched() {
        let output = talk("position startpos moves f2f3 e7e5 g2g4\ngo depth 4 searchmoves a7a6 h7h6\n");
        assert!(["bestmove a7a6", "bestmove h7h6"].iter().any(|best| last_line(&output).starts_with(best)), "{output}");
        // A weak level overlooks most moves.
        for mv in ["a2a3", "h2h4", "b1a3", "d2d4"] {
            let output = talk(&format!("setoption name Level value 1\nposition startpos\ngo searchmoves {mv}\n"));
            assert!(last_line(&output).starts_with(&format!("bestmove {mv}")), "{output}");
        }
        let output = talk("position startpos\ngo searchmoves e2e5 depth 4\n");
        assert_eq!(output, "info string error: go: searchmoves: e2e5 is not a legal move here\n");
    }

    #[test]
    fn a_search_for_a_mate_ends_with_the_mate() {
        let output = talk("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1\ngo mate 2\n");
        assert!(output.contains("score mate 2 ") && last_line(&output).starts_with("bestmove "), "{output}");
        // No mate in one: the search ends nevertheless.
        let output = talk("position fen 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\ngo mate 1\n");
        assert!(last_line(&output).starts_with("bestmove "), "{output}");
    }

    #[test]
    fn the_end_of_the_input_ends_an_infinite_search() {
        let output = talk("position startpos\ngo infinite\n");
        assert!(last_line(&output).starts_with("bestmove "), "{output}");
    }

    #[test]
    fn a_position_without_a_move_has_no_best_move() {
        let output = talk("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3\n");
        assert!(output.contains("info string error: there is no legal move"), "{output}");
        assert_eq!(last_line(&output), "bestmove (none)");
    }

    #[test]
    fn wrong_input_is_named_and_changes_nothing() {
        for (wrong, error) in [
            ("position fen 8/8 w - - 0 1", "position: "),
            ("position startpos moves e2e5", "position: e2e5 is not a legal move"),
            ("position startpos moves e2", "position: e2: "),
            ("position", "position: needs startpos or fen"),
            ("go depth", "go: depth needs a number"),
            ("go depth x", "go: depth needs a number, not x"),
            ("go wtime -x", "go: wtime needs a number, not -x"),
            ("setoption name Hash value many", "setoption: Hash needs a number from 1 to 1024, not many"),
            ("setoption name Hash value 0", "setoption: Hash needs a number from 1 to 1024, not 0"),
            ("setoption name Level value 11", "setoption: Level needs a number from 1 to 10, not 11"),
            ("setoption name Nothing value 1", "setoption: no option Nothing"),
            ("setoption value 1", "setoption: needs name"),
            ("make me a sandwich", "unknown command make"),
            ("\u{0}\u{7f}", "unknown command"),
        ] {
            let output = talk(&format!("position startpos moves f2f3 e7e5 g2g4\n{wrong}\ngo depth 2\n"));
            assert!(output.contains(&format!("info string error: {error}")), "{wrong}: {output}");
            // A wrong `go` searches nothing; after every other line the position is the one before.
            assert_eq!(last_line(&output), "bestmove d8h4", "{wrong}");
        }
    }

    #[test]
    fn a_line_without_end_is_cut_off() {
        let long = "x".repeat(MAX_LINE as usize * 2);
        let output = talk(&format!("{long}\nisready\n"));
        assert_eq!(output.matches("info string error").count(), 1, "{}", output.len());
        assert!(output.ends_with("readyok\n"));
    }

    #[test]
    fn a_clock_ends_a_search() {
        let output = talk("position startpos\ngo wtime 400 btime 400 winc 0 binc 0\n");
        assert!(last_line(&output).starts_with("bestmove "), "{output}");
    }

    #[test]
    fn a_new_size_of_the_table_keeps_the_position() {
        let output = talk("position startpos moves f2f3 e7e5 g2g4\nsetoption name Hash value 2\ngo depth 3\n");
        assert_eq!(last_line(&output), "bestmove d8h4");
    }
}
