use rules::genome::{Dna, MAX_CODONS, PIECES, Setup};
use rules::{Play, Start};
use wire::setup::{SetupReader, write_setup};

/// Reads the bytes up to the first 0 as DNA, and the others as choices in a game that is played with it.
pub fn genome(data: &[u8]) {
    setup_bytes(data);
    let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (text, choices) = data.split_at(end);
    let Ok(text) = str::from_utf8(text) else { return };
    let dna = match text.parse::<Dna>() {
        Ok(dna) => dna,
        Err(error) => {
            assert!(error.at + error.len <= text.chars().count(), "{error}");
            return;
        }
    };
    assert!(dna.codons().len() <= MAX_CODONS);
    assert_eq!(dna.to_string().parse::<Dna>().expect("what was written can be read"), dna);
    play(&dna, choices);
}

/// Reads the bytes as the setup of a game, as a board does. What is read is written in the same bytes.
fn setup_bytes(data: &[u8]) {
    let mut reader = SetupReader::default();
    for (at, &byte) in data.iter().enumerate() {
        match reader.push(byte) {
            Ok(None) => {}
            Ok(Some(setup)) => return assert_eq!(write_setup(&setup).as_slice(), &data[..=at]),
            Err(_) => return,
        }
    }
}

/// A game in which all pieces but kings have the DNA. Every listed ply must be playable, and a replay must give the same game.
fn play(dna: &Dna, choices: &[u8]) {
    let king =
        PIECES.iter().find(|piece| piece.piece == "king").and_then(rules::genome::BuiltIn::parse).expect("built in");
    let mut setup = Setup::new(dna, choices.len() as u64).expect("room for one genome");
    let (piece, king) = (setup.add(dna).expect("room"), setup.add(&king).expect("room"));
    for file in chess::File::ALL {
        let is_king = file == chess::File::E;
        setup.place(file, if is_king { king } else { piece }, is_king);
    }
    if setup.check().is_err() {
        return;
    }
    setup_bytes(&write_setup(&setup));
    let start = Start::Genome(setup);
    let details = start.details().map(|details| details.to_string());
    assert_eq!(Start::read(start.name(), details.as_deref()), Ok(start));
    let mut game = Box::new(Play::new());
    game.restart(&start);
    for &choice in choices {
        let plies = game.situation().plies();
        let Some(&ply) = plies.get(usize::from(choice) % plies.len().max(1)) else { break };
        assert!(game.situation().footprint(ply).is_some(), "{ply}");
        let made = game.situation().made_footprint(ply).expect("a listed ply is legal");
        game.play(ply).expect("a listed ply is legal");
        assert_eq!(made.after, game.situation().occupied(), "{ply}");
    }
    assert_eq!(game.verdict().is_some(), game.situation().plies().is_empty());
    let mut again = Box::new(Play::new());
    again.restart(&start);
    game.plies_from(0).for_each(|ply| again.play(ply).expect("it was legal before"));
    assert!(again == game);
}
