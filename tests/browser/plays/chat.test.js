// The chat of players, and the channel of spectators in it.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";
import { PHONE } from "../harness/touch.js";

/**
 * @param {Player} player
 * @param {string} text
 */
async function say(player, text) {
  await player.page.getByLabel("Write a message").fill(text);
  await player.button("Send").click();
}

play("players of a running game see messages of spectators only if they want to", async (env) => {
  const { anna, ben, code } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  const sam = new Player(await env.window(PHONE));
  await sam.page.goto(`/g/${code}?watch`);
  await sam.sees("White to move");
  await say(sam, "Take the pawn!");
  await sam.chat.getByText("Take the pawn!").waitFor();
  await say(ben, "Your move");
  await anna.chat.getByText("Your move").waitFor();
  assert.equal(await anna.chat.getByText("Take the pawn!").count(), 0);
  // Spectators see both channels.
  await sam.chat.getByText("Your move").waitFor();
  await anna.button("Show spectators").click();
  await anna.chat.getByRole("listitem").filter({ hasText: "spectator" }).getByText("Take the pawn!").waitFor();
  await anna.button("Hide spectators").click();
  await anna.chat.getByText("Take the pawn!").waitFor({ state: "detached" });
  // After the game everyone may talk.
  await anna.button("Resign").click();
  await anna.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await anna.chat.getByText("Take the pawn!").waitFor();
  await ben.chat.getByText("Take the pawn!").waitFor();
});
