// Games against the computer: in the browser, with an engine of the settings, and at a wooden board; and the analysis afterwards.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";
import { VirtualBoard } from "../harness/virtual-board.js";

const STOCKFISH = "stockfish=/usr/games/stockfish,movetime=50,memory=1024,Hash=16";

/**
 * Starts a game with the form in the lobby.
 *
 * @param {Player} player
 * @param {{ opponent: string, color: string, clock?: string, place?: string }} terms
 */
async function challenge({ page }, { opponent, color, clock = "No clock", place }) {
  await page.goto("/");
  const form = page.getByRole("form", { name: "Against the computer" });
  await form.getByLabel("Opponent").selectOption({ label: opponent });
  await form.getByLabel("Your colour").selectOption({ label: color });
  await form.getByLabel("Time control").selectOption({ label: clock });
  if (place) {
    await form.getByLabel("Where you play").focus();
    await form.getByLabel("Where you play").selectOption({ label: place });
  }
  await form.getByRole("button", { name: "Play the computer" }).click();
}

play("a player plays the computer, takes back, resigns, analyses the game and plays again", async (env) => {
  const anna = new Player(await env.window());
  await challenge(anna, { opponent: "Level 2", color: "White" });
  await anna.page.getByText("Tabiya level 2").first().waitFor();
  await anna.type("f3");
  await anna.mayMove();
  await anna.page.locator("[data-ply='2']").waitFor();
  await anna.button("Takeback").click();
  await anna.page.getByText("No move yet.").waitFor();
  await anna.type("e4");
  await anna.page.locator("[data-ply='2']").waitFor();
  await anna.type("Qh5");
  await anna.page.locator("[data-ply='4']").waitFor();
  await anna.button("Resign").click();
  await anna.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await anna.sees("You lost by resignation.");

  const analysis = anna.page.getByRole("group", { name: "Analysis" });
  await analysis.getByRole("button", { name: "Analyse the game" }).click();
  await analysis.getByRole("img", { name: /^Scores of 4 half-moves, at the end/ }).waitFor();
  const answer = await anna.page.request.get(`/games/${anna.code()}.analysis`);
  assert.equal((await answer.json()).evaluations.length, 5);
  const pgn = await (await anna.page.request.get(`/games/${anna.code()}.pgn`)).text();
  assert.match(pgn, /\[Black "Tabiya level 2"\]/);
  assert.match(pgn, /\[BlackType "program"\]/);

  // After a rematch the computer has White, and begins.
  await anna.button("Rematch").click();
  await anna.page.getByText("Game 2").waitFor();
  await anna.page.getByRole("grid", { name: "Chessboard, Black below" }).waitFor();
  await anna.mayMove();
});

play(
  "Stockfish plays with a clock, and a spectator watches",
  async (env) => {
    const anna = new Player(await env.window());
    await challenge(anna, { opponent: "stockfish", color: "Black", clock: "3+2" });
    await anna.mayMove();
    const sam = new Player(await env.window());
    await sam.page.goto(`/g/${anna.code()}?watch`);
    await sam.page.getByText("You are watching").waitFor();
    await anna.type("a6");
    await sam.page.locator("[data-ply='3']").waitFor();
    await anna.type("h6");
    await sam.page.locator("[data-ply='5']").waitFor();
    await anna.page.getByText("stockfish", { exact: true }).first().waitFor();
  },
  ["--engine", STOCKFISH],
);

play("a wooden board plays the computer of the relay", async (env) => {
  const board = await VirtualBoard.open(env);
  const anna = new Player(await env.window());
  await challenge(anna, { opponent: "Level 1 (first games)", color: "White", place: "On the board virtual" });
  await anna.page.getByText("You are watching").waitFor();
  await board.page.getByText("Tabiya level 1", { exact: true }).waitFor();
  await board.move("e2", "e4");
  await board.reads(/Make the move of Black here/);
  await anna.page.locator("[data-ply='2']").waitFor();
});
