// The link of a game works as long as the game is stored.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";
import { PHONE } from "../harness/touch.js";

const MATE = "f3 e5 g4 Qh4#";

/** @param {Player} player */
async function leave(player) {
  await player.button("Leave").click();
  await player.sees(/Play chess/);
}

play("a finished game opens in review after both players have left", async (env) => {
  const { anna, ben, code } = await twoPlayers(env);
  await playOut(anna, ben, MATE);
  await anna.sees("You lost by checkmate.");
  await ben.sees("You won by checkmate.");
  await leave(anna);
  await ben.page.getByRole("group", { name: "White: Anna (left)" }).waitFor();
  await leave(ben);
  const sam = new Player(await env.window(PHONE));
  await sam.page.goto(`/g/${code}`);
  await sam.sees("Black won by checkmate.");
  await sam.page.getByRole("group", { name: "White: Anna" }).waitFor();
  await sam.page.getByRole("group", { name: "Black: Ben" }).waitFor();
  await sam.seesOn("h4", "black queen, last move");
  await sam.move("f3, pawn f3").tap();
  await sam.sees("Reviewing 1. f3");
  await sam.page.getByRole("link", { name: "Download PGN" }).waitFor();
  assert.equal(await sam.page.getByText("This game has ended").count(), 0, "nothing is wrong");
  // A player who comes back sees the own side of it.
  await ben.page.goto(`/g/${code}`);
  await ben.sees("Black won by checkmate.");
});

play("rematches link to each other", async (env) => {
  const { anna, ben, code } = await twoPlayers(env);
  await playOut(anna, ben, MATE);
  await anna.sees("You lost by checkmate.");
  await anna.button("Rematch").click();
  await ben.offer("rematch").getByRole("button", { name: "Rematch" }).click();
  await ben.mayMove();
  await playOut(ben, anna, "e4 e5");
  // The first game is shown while the second one is played, and leads back to it.
  const sam = new Player(await env.window());
  await sam.page.goto(`/g/${code}?game=1`);
  await sam.sees("Black won by checkmate.");
  await sam.page.getByRole("link", { name: "Next game" }).click();
  await sam.page.getByRole("heading", { name: "Both seats are taken" }).waitFor();
  await sam.button("Watch").click();
  await sam.sees("White to move");
  await sam.seesOn("e5", "black pawn");
  await ben.button("Resign").click();
  await ben.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await anna.page.getByRole("link", { name: "Previous game" }).click();
  await anna.sees("Black won by checkmate.");
  await anna.page.getByRole("group", { name: "White: Anna" }).waitFor();
  await anna.page.getByRole("link", { name: "Next game" }).click();
  // Anna still has her seat in the match.
  await anna.sees("You won by resignation.");
});

play("a player who comes back after leaving sees the game, and the winner is left in peace", async (env) => {
  const { anna, ben, code } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  await ben.button("Leave").click();
  await ben.page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await anna.sees("You won: Ben left the game.");
  const eve = new Player(await env.window());
  await eve.page.goto(`/g/${code}`);
  await eve.sees("White won: Ben left the game.");
  assert.equal(await eve.button("Play").count(), 0);
  await ben.page.goto(`/g/${code}`);
  await ben.sees("White won: Ben left the game.");
  await anna.sees("You won: Ben left the game.");
  await anna.page.getByRole("group", { name: "Black: Ben (left)" }).waitFor();
});

play("a game under other rules opens in review", async (env) => {
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  const answer = await fetch(new URL("/games", env.relay.url), { method: "POST", body: JSON.stringify({ rules: "genome" }) });
  const { code } = /** @type {{ code: string }} */ (await answer.json());
  await anna.join(code, "Anna");
  await ben.join(code, "Ben");
  await anna.sees("Your move");
  await anna.click("b1", "c3");
  await ben.mayMove();
  await ben.click("g8", "f6");
  await anna.mayMove();
  await anna.button("Resign").click();
  await anna.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await ben.sees("You won by resignation.");
  await leave(anna);
  await leave(ben);
  const sam = new Player(await env.window());
  await sam.page.goto(`/g/${code}`);
  await sam.sees("Black won by resignation.");
  await sam.seesOn("f6", "black knight");
  await sam.move("b1c3").click();
  await sam.seesOn("g8", "black knight");
});
