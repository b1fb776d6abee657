// Somebody who finds the wooden board in the lobby, and plays against it.

import { Player } from "./player.js";

/**
 * Challenges the board, which has White.
 *
 * @param {import("./play.js").Stage} stage
 * @param {string} [name]
 */
export async function challenger(stage, name = "Ben") {
  const player = new Player(await stage.window());
  await player.page.goto("/");
  await player.page.getByRole("link", { name: /^Challenge/ }).click();
  await player.page.getByLabel("Your name").fill(name);
  await player.button("Play").click();
  await player.sees(/^Waiting for/);
  return player;
}
