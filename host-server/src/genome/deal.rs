//! Makes the setup of a game from a preset in the library.

use chess::File;
use rules::genome::{Dna, PAWN, PIECES, Setup, SetupError};

use super::hash::Hash;
use super::library::{Kind, Library};
use super::preset::Preset;
use crate::store::StoreError;

/// The pieces that a client wants to play with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deal {
    /// The hash or the name of a preset; the default one if it is missing.
    pub(crate) preset: Option<String>,
    /// The files of the kings, such as `d` or `ah`. If it is missing, all pieces with the genome of the built-in king are kings.
    pub(crate) kings: Option<String>,
    /// Hashes or names of further genomes that a pawn can become.
    pub(crate) promotions: Vec<String>,
}

/// Why a game cannot be set up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DealError {
    #[error("there is no {kind} {name:?}", kind = .0.name(), name = .1)]
    Unknown(Kind, String),
    #[error("{0:?} is not a file of the back row that has a piece")]
    King(char),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Deal {
    /// Looks up all genomes. The seed determines the random effects of the game.
    pub(crate) async fn setup(&self, library: &Library, seed: u64) -> Result<Setup, DealError> {
        let name = self.preset.as_deref().unwrap_or("default");
        let text = library.get(Kind::Preset, name).await?;
        let unknown = || DealError::Unknown(Kind::Preset, name.to_owned());
        let preset: Preset = text.and_then(|text| text.parse().ok()).ok_or_else(unknown)?;
        let no_pawn = || DealError::Unknown(Kind::Genome, "pesiak".to_owned());
        let pawn = PIECES.get(PAWN).and_then(rules::genome::BuiltIn::parse).ok_or_else(no_pawn)?;
        let mut setup = Setup::new(&pawn, seed).ok_or_else(no_pawn)?;
        for (file, hash) in File::ALL.into_iter().zip(preset.hashes()) {
            let genome = setup.add(&genome(library, &hash.to_string()).await?)?;
            let is_king = match &self.kings {
                Some(kings) => kings.contains(file.letter()),
                None => PIECES.iter().any(|piece| piece.piece == "king" && Hash::of(piece.dna) == *hash),
            };
            setup.place(file, genome, is_king);
        }
        let has_piece = |letter| File::from_letter(letter).is_some_and(|file| setup.back(file).is_some());
        if let Some(wrong) = self.kings.iter().flat_map(|kings| kings.chars()).find(|&letter| !has_piece(letter)) {
            return Err(DealError::King(wrong));
        }
        for name in &self.promotions {
            setup.add(&genome(library, name).await?)?;
        }
        setup.check()?;
        Ok(setup)
    }
}

async fn genome(library: &Library, name: &str) -> Result<Dna, DealError> {
    let text = library.get(Kind::Genome, name).await?;
    text.and_then(|text| text.parse().ok()).ok_or_else(|| DealError::Unknown(Kind::Genome, name.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::genome::Put;
    use crate::store::memory::Memory;

    fn library() -> Library {
        Library::new(Arc::new(Memory::default()))
    }

    #[tokio::test]
    async fn the_default_preset_is_that_of_the_rules() {
        let setup = Deal::default().setup(&library(), 7).await.unwrap();
        assert_eq!(setup, Setup::default_preset(7).unwrap());
    }

    #[tokio::test]
    async fn a_stored_preset_has_the_kings_and_promotions_that_are_asked_for() {
        let library = library();
        let dna = "AHHHSHHSHCHACHACHAHHASAS";
        assert_eq!(library.put(Kind::Genome, dna).await.unwrap(), Put::Stored);
        let preset = format!("{0}-{0}", Hash::of(dna));
        library.put(Kind::Preset, &preset).await.unwrap();
        let deal = |kings: Option<&str>, promotions: &[&str]| Deal {
            preset: Some(Hash::of(&preset).to_string()),
            kings: kings.map(str::to_owned),
            promotions: promotions.iter().map(|&name| name.to_owned()).collect(),
        };
        let setup = deal(Some("ab"), &["veza"]).setup(&library, 1).await.unwrap();
        assert_eq!((setup.back(File::A), setup.back(File::B)), (Some((1, true)), Some((1, true))));
        assert_eq!((setup.back(File::C), setup.genomes()), (None, 3));
        let error = async |deal: Deal| deal.setup(&library, 1).await.unwrap_err().to_string();
        assert_eq!(error(deal(None, &[])).await, "at least one piece of the back row has to be a king");
        assert_eq!(error(deal(Some("c"), &[])).await, "'c' is not a file of the back row that has a piece");
        assert_eq!(error(deal(Some("a"), &["000000"])).await, "there is no genome \"000000\"");
        let unknown = Deal { preset: Some("000000".to_owned()), ..Deal::default() };
        assert_eq!(error(unknown).await, "there is no preset \"000000\"");
    }
}
