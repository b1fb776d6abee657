// Reviewing and exporting a game.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { play } from "../harness/play.js";
import { Player, playOut } from "../harness/player.js";

const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

play("every position can be reviewed and exported, during the game and after it", async (env) => {
  const anna = new Player(await env.window({ permissions: ["clipboard-read", "clipboard-write"] }));
  const ben = new Player(await env.window());
  await ben.join(await anna.create());
  await playOut(anna, ben, "e4 e5 Qh5 Nc6");
  await anna.mayMove();
  const { page } = anna;
  const review = page.getByRole("group", { name: "Review" });

  await anna.move("e4, pawn e4").click();
  await anna.sees("Reviewing 1. e4");
  await anna.seesOn("e4", "white pawn, last move");
  await anna.seesOn("e7", "black pawn");
  await anna.seesOn("d1", "white queen");
  await anna.button("Copy FEN").click();
  await anna.button("Copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), AFTER_E4);

  await review.getByRole("button", { name: "First position" }).click();
  await anna.seesOn("e2", "white pawn");
  await review.getByRole("button", { name: "Next position" }).click();
  await review.getByRole("button", { name: "Next position" }).click();
  await anna.seesOn("e5", "black pawn, last move");
  await anna.seesOn("h5", "empty");
  // The current position is where moves are made.
  await review.getByRole("button", { name: "Current position" }).click();
  await anna.sees("Your move");
  await anna.seesOn("h5", "white queen");

  await anna.click("h5", "f7");
  await ben.sees("Check! Your move");
  await ben.type("Kxf7");
  await anna.mayMove();
  await anna.button("Resign").click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await anna.sees("You lost by resignation.");

  // The arrow keys review as well.
  await anna.status.click();
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
  await anna.seesOn("h5", "white queen, last move");
  await page.keyboard.press("Home");
  await anna.seesOn("d1", "white queen");
  await page.keyboard.press("End");
  await anna.seesOn("f7", "black king, last move");

  await anna.button("Copy PGN").click();
  // The button fetches it from the relay first.
  let pgn = "";
  while (!pgn.startsWith("[Event")) pgn = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(pgn, /\[White "Anna"\]\s\[Black "Ben"\]/);
  assert.match(pgn, /1\. e4 e5 2\. Qh5 Nc6 3\. Qxf7\+ Kxf7 0-1/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download PGN" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `${anna.code()}-1.pgn`);
  assert.equal(await readFile(await download.path(), "utf8"), pgn);
});
