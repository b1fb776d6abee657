// A player who challenges the virtual board from the lobby.

import { Player } from "./player.js";

/**
 * Challenges the board, which plays White.
 *
 * @param {import("./play.js").Environment} env
 * @param {string} [relay] the address of the board's relay, if it is another one
 */
export async function challenger(env, relay = env.relay.url) {
  const player = new Player(await env.window({ baseURL: relay }));
  await player.page.goto("/");
  await player.page.getByRole("link", { name: /^Challenge/ }).click();
  await player.page.getByLabel("Your name").fill("Ben");
  await player.button("Play").click();
  await player.sees(/^Waiting for/);
  return player;
}

/**
 * Plays 1. e4 on the board and 1... e5 on the page.
 *
 * @param {import("./virtual-board.js").VirtualBoard} board
 * @param {Player} ben
 */
export async function movePawns(board, ben) {
  await board.move("e2", "e4");
  await ben.type("e5");
  await board.reads("from e7 to e5");
  await board.move("e7", "e5");
  await board.reads("White to move");
}
