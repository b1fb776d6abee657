//! Prints how much memory the images take, for people or for programs.

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use crate::firmware::{BOARDS, Board};
use crate::image::Image;

#[derive(Args)]
pub(crate) struct Options {
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let mut images = Vec::new();
    for board in &BOARDS {
        images.push((board, board.build()?.1));
    }
    if options.json {
        println!("{:#}", json(&images));
    } else {
        println!("{}", table(&images));
    }
    Ok(())
}

/// One line for each image.
pub(crate) fn table(images: &[(&Board, Image)]) -> String {
    let mut rows = vec![format!("{:11} {:>10} {:>10} {:>10} {:>10}", "image", "flash", "of", "RAM", "of")];
    rows.extend(images.iter().map(|(board, image)| {
        let Image { flash, ram, .. } = image;
        format!("{:11} {flash:>10} {:>10} {ram:>10} {:>10}", board.name, board.flash_budget, board.ram_budget)
    }));
    rows.join("\n")
}

pub(crate) fn json(images: &[(&Board, Image)]) -> Value {
    let member = |(board, image): &(&Board, Image)| {
        let sizes = json!({
            "flash": image.flash,
            "flash_budget": board.flash_budget,
            "ram": image.ram,
            "ram_budget": board.ram_budget,
        });
        (board.name, sizes)
    };
    images.iter().map(member).collect()
}
