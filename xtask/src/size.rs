//! Prints the flash and RAM that the images take, and their budgets.

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use crate::firmware::Images;

#[derive(Args)]
pub(crate) struct Options {
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let images = Images::build()?;
    if options.json {
        println!("{:#}", images.json());
    } else {
        println!("{}", images.table());
    }
    Ok(())
}

impl Images {
    pub(crate) fn table(&self) -> String {
        let mut rows = vec![format!("{:11} {:>10} {:>10} {:>10} {:>10}", "image", "flash", "of", "RAM", "of")];
        rows.extend(self.0.iter().map(|(board, _, image)| {
            let (name, budget) = (&board.name, board.budget);
            format!("{name:11} {:>10} {:>10} {:>10} {:>10}", image.flash, budget.flash, image.ram, budget.ram)
        }));
        rows.join("\n")
    }

    pub(crate) fn json(&self) -> Value {
        let sizes = self.0.iter().map(|(board, _, image)| {
            let sizes = json!({
                "flash": image.flash,
                "flash_budget": board.budget.flash,
                "ram": image.ram,
                "ram_budget": board.budget.ram,
            });
            (board.name.clone(), sizes)
        });
        sizes.collect()
    }
}
