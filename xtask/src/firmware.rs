//! The table of boards in firmware/Cargo.toml, and how the image of a board is built and checked.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use serde::Deserialize;

use crate::image::Image;
use crate::{metadata, process};

/// The profile that images are built with.
pub(crate) const PROFILE: &str = "firmware";

/// An entry of `[[package.metadata.boards]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Board {
    /// The bin of the image, and the feature that it is built with.
    pub(crate) name: String,
    /// The Rust target of its processor.
    pub(crate) target: String,
    /// The chip, as probe-rs calls it. An emulated board has none.
    pub(crate) chip: Option<String>,
    /// Whether tests/chip has a model of the chip.
    #[serde(default)]
    pub(crate) chip_model: bool,
    /// The QEMU machine. A real board has none.
    pub(crate) machine: Option<String>,
    pub(crate) memory: Memory,
    pub(crate) budget: Budget,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Memory {
    pub(crate) flash: Region,
    pub(crate) stack: Region,
    pub(crate) ram: Region,
    /// RAM that DMA reaches.
    pub(crate) dma: Region,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Region {
    origin: u64,
    length: u64,
}

/// What an image may take, in bytes.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Budget {
    pub(crate) flash: u64,
    /// Statics only; the stack has a region of its own.
    pub(crate) ram: u64,
}

impl Region {
    pub(crate) const fn addresses(self) -> Range<u64> {
        self.origin..self.origin + self.length
    }

    /// Whether all of these addresses are in this region.
    pub(crate) const fn contains(self, addresses: Range<u64>) -> bool {
        self.origin <= addresses.start && addresses.end <= self.origin + self.length
    }
}

/// All boards, in the order of the table. The first is the default.
pub(crate) fn boards() -> Result<Vec<Board>> {
    let boards: Vec<Board> = metadata::package_metadata("firmware", "boards")?;
    ensure!(!boards.is_empty(), "firmware/Cargo.toml has no [[package.metadata.boards]]");
    for board in &boards {
        board.validate().with_context(|| format!("firmware/Cargo.toml, board {}", board.name))?;
    }
    Ok(boards)
}

/// The board of this name, or the first of the table.
pub(crate) fn board(name: Option<&str>) -> Result<Board> {
    let boards = boards()?;
    let names = boards.iter().map(|board| board.name.as_str()).collect::<Vec<_>>().join(", ");
    boards
        .into_iter()
        .find(|board| name.is_none_or(|name| board.name == name))
        .ok_or_else(|| anyhow!("there is no board {}; firmware/Cargo.toml has {names}", name.unwrap_or_default()))
}

/// The board that QEMU emulates.
pub(crate) fn emulated_board() -> Result<Board> {
    boards()?.into_iter().find(Board::is_emulated).context("no board in firmware/Cargo.toml has a QEMU machine")
}

/// The images of all boards.
pub(crate) struct Images(pub(crate) Vec<(Board, PathBuf, Image)>);

impl Images {
    /// Builds and checks the images. They are built one at a time: cargo unifies the features of one build, and the
    /// features of two boards exclude each other.
    pub(crate) fn build() -> Result<Self> {
        let build = |board: Board| board.build().map(|(path, image)| (board, path, image));
        boards()?.into_iter().map(build).collect::<Result<_>>().map(Self)
    }

    /// The path of the image for QEMU.
    pub(crate) fn emulated(&self) -> Result<&Path> {
        let emulated = self.0.iter().find(|(board, ..)| board.is_emulated());
        emulated.map(|(_, path, _)| path.as_path()).context("no image is for QEMU")
    }
}

impl Board {
    /// Checks what the type cannot express.
    fn validate(&self) -> Result<()> {
        let Memory { flash, stack, ram, dma } = self.memory;
        ensure!(self.chip.is_some() != self.machine.is_some(), "needs either a chip or a QEMU machine");
        ensure!(self.budget.flash <= flash.length && self.budget.ram <= ram.length, "the budget exceeds the memory");
        let is_apart = stack.addresses().end <= ram.origin || ram.addresses().end <= stack.origin;
        ensure!(is_apart, "stack and RAM overlap");
        ensure!(dma.contains(ram.addresses()), "statics would be in RAM that DMA does not reach");
        Ok(())
    }

    pub(crate) const fn is_emulated(&self) -> bool {
        self.machine.is_some()
    }

    /// The arguments that make cargo build this image and nothing else.
    pub(crate) fn selection(&self) -> [&str; 11] {
        let Self { name, target, .. } = self;
        ["--package", "firmware", "--lib", "--bin", name, "--features", name, "--target", target, "--profile", PROFILE]
    }

    /// Builds the image, and checks it.
    pub(crate) fn build(&self) -> Result<(PathBuf, Image)> {
        let target_dir = process::target_dir();
        let mut build = process::cargo(&["build", "--locked", "--target-dir"]);
        process::run(build.arg(&target_dir).args(self.selection()))?;

        let path = target_dir.join(&self.target).join(PROFILE).join(&self.name);
        let elf = fs::read(&path).with_context(|| format!("cannot read the image for {}", self.name))?;
        let image = Image::parse(&elf).with_context(|| format!("cannot parse the image for {}", self.name))?;
        image.check(self).with_context(|| format!("the image for {} would not run", self.name))?;
        Ok((path, image))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_an_invalid_board() {
        let good = board(None).expect("the table is valid");
        let refusal = |board: Board| board.validate().expect_err("the board is invalid").to_string();
        let machine = Some("mps2-an386".to_owned());
        assert_eq!(refusal(Board { machine, ..good.clone() }), "needs either a chip or a QEMU machine");
        assert_eq!(refusal(Board { chip: None, ..good.clone() }), "needs either a chip or a QEMU machine");
        let budget = Budget { flash: good.memory.flash.length + 1, ..good.budget };
        assert_eq!(refusal(Board { budget, ..good.clone() }), "the budget exceeds the memory");
        let memory = Memory { stack: good.memory.ram, ..good.memory };
        assert_eq!(refusal(Board { memory, ..good.clone() }), "stack and RAM overlap");
        let memory = Memory { dma: good.memory.stack, ..good.memory };
        assert_eq!(refusal(Board { memory, ..good }), "statics would be in RAM that DMA does not reach");
    }

    /// Cargo cannot take an alias from the table.
    #[test]
    fn the_alias_qemu_builds_the_emulated_board_of_the_table() {
        let config = fs::read_to_string(process::root().join(".cargo/config.toml")).expect("the aliases of cargo");
        let Board { name, target, .. } = emulated_board().expect("an emulated board");
        let alias = format!(
            "qemu = \"run --package firmware --bin {name} --features {name} --target {target} --profile {PROFILE}\""
        );
        assert!(config.lines().any(|line| line == alias), ".cargo/config.toml should have:\n{alias}");
    }

    #[test]
    fn an_unknown_board_is_an_error_that_lists_the_known_ones() {
        assert_eq!(board(None).expect("a default").name, boards().expect("boards")[0].name);
        assert_eq!(board(Some("mps2")).expect("a board").name, "mps2");
        let error = board(Some("toaster")).expect_err("no such board").to_string();
        assert!(error.starts_with("there is no board toaster; firmware/Cargo.toml has nucleo, "), "{error}");
    }
}
