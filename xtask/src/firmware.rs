//! The firmware's images: how each is built, where it must lie in memory, and how much of it it may take.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::image::Image;
use crate::process;

/// The target of every board.
pub(crate) const TARGET: &str = "thumbv7em-none-eabihf";

/// The profile that images are built with.
pub(crate) const PROFILE: &str = "firmware";

/// A board, and what its image must be like.
pub(crate) struct Board {
    /// The name of the bin and of its feature.
    pub(crate) name: &'static str,
    /// What probe-rs calls its chip, if there is one to be flashed.
    pub(crate) chip: Option<&'static str>,
    /// The addresses of its flash that code may lie in, as in memory.x.
    pub(crate) flash: Range<u64>,
    /// How many bytes of flash the image may take. Raise it in the change that needs it, and say there what for.
    pub(crate) flash_budget: u64,
    /// How many bytes of RAM its statics may take; the stack has its own place.
    pub(crate) ram_budget: u64,
}

/// The board that people build.
pub(crate) const NUCLEO: Board = Board {
    name: "nucleo",
    chip: Some("STM32F767ZITx"),
    flash: 0x0800_0000..0x0818_0000,
    flash_budget: 256 * 1024,
    ram_budget: 128 * 1024,
};

/// The same board with another chip: it shows that a board is one file, and that little memory is enough.
const NUCLEO_F429: Board = Board { name: "nucleo-f429", chip: Some("STM32F429ZITx"), ..NUCLEO };

/// The board in the emulator.
pub(crate) const MPS2: Board = Board {
    name: "mps2",
    chip: None,
    flash: 0x0000_0000..0x0018_0000,
    flash_budget: 256 * 1024,
    ram_budget: 128 * 1024,
};

pub(crate) const BOARDS: [Board; 3] = [NUCLEO, NUCLEO_F429, MPS2];

impl Board {
    /// The arguments that make cargo build this image, and nothing else. Images are built one at a time: in one build the
    /// features of all boards would meet.
    pub(crate) fn selection(&self) -> [&'static str; 11] {
        let name = self.name;
        ["--package", "firmware", "--lib", "--bin", name, "--features", name, "--target", TARGET, "--profile", PROFILE]
    }

    /// Builds the image, and reads and checks it.
    pub(crate) fn build(&self) -> Result<(PathBuf, Image)> {
        let target_dir = process::target_dir();
        let mut build = process::cargo(&["build", "--locked", "--target-dir"]);
        process::run(build.arg(&target_dir).args(self.selection()))?;

        let path = target_dir.join(TARGET).join(PROFILE).join(self.name);
        let elf = fs::read(&path).with_context(|| format!("cannot read the image for {}", self.name))?;
        let image = Image::parse(&elf).with_context(|| format!("cannot understand the image for {}", self.name))?;
        image.check(self).with_context(|| format!("the image for {} would not run", self.name))?;
        Ok((path, image))
    }
}
