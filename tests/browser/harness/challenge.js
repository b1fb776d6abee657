// Somebody who finds the wooden board in the lobby, and plays against it.

import { Player } from "./player.js";

/**
 * Challenges the board, which has White.
 *
 * @param {import("./play.js").Stage} stage
 * @param {string} [relay] where the board is, if not on the stage
 */
export async function challenger(stage, relay = stage.relay.url) {
  const player = new Player(await stage.window({ baseURL: relay }));
  await player.page.goto("/");
  await player.page.getByRole("link", { name: /^Challenge/ }).click();
  await player.page.getByLabel("Your name").fill("Ben");
  await player.button("Play").click();
  await player.sees(/^Waiting for/);
  return player;
}

/**
 * Begins the game: the pawn of White on the wood, and that of the challenger on the page.
 *
 * @param {import("./wood.js").Wood} wood
 * @param {Player} ben
 */
export async function movePawns(wood, ben) {
  await wood.carry("e2", "e4");
  await ben.type("e5");
  await wood.reads("from e7 to e5");
  await wood.carry("e7", "e5");
  await wood.reads("White to move");
}
