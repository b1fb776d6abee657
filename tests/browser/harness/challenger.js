// A player who plays against the virtual board.

import { Player } from "./player.js";

/**
 * Follows the link of the board, which plays White and does not ask its player.
 *
 * @param {import("./play.js").Environment} env
 * @param {{ relay?: string, board?: import("./virtual-board.js").VirtualBoard }} [of] the address of the board's relay, if it is another one,
 *   and the board: a piece that is lifted before the board knows of the game is not part of a move
 */
export async function challenger(env, { relay = env.relay.url, board } = {}) {
  const player = new Player(await env.window({ baseURL: relay }));
  await player.page.goto("/");
  const row = player.page.getByRole("list", { name: "Boards that wait for an opponent" }).getByRole("listitem");
  await row.first().waitFor();
  const { boards } = await (await player.page.request.get("/boards")).json();
  await player.page.goto(`/g/${boards[0].code}`);
  await player.page.getByLabel("Your name").fill("Ben");
  await player.button("Play").click();
  await player.sees(/^Waiting for/);
  await board?.page.getByText("Ben", { exact: true }).waitFor();
  return player;
}

/**
 * Challenges the board from the lobby.
 *
 * @param {import("./play.js").Environment} env
 * @param {{ color: "White" | "Black", clock: string }} terms of the challenger
 */
export async function challenge(env, { color, clock }) {
  const player = new Player(await env.window());
  await player.page.goto("/");
  await player.page.getByRole("link", { name: /^Challenge/ }).click();
  const form = player.page.getByRole("form", { name: "New game" });
  await form.getByRole("combobox", { name: "Opponent" }).getByText("Board virtual").waitFor({ state: "attached" });
  await form.getByLabel("Your name").fill("Ben");
  await form.getByRole("radio", { name: color }).check();
  await form.getByRole("radio", { name: clock, exact: true }).check();
  await form.getByRole("button", { name: "Challenge", exact: true }).click();
  await player.page.getByText("virtual has been asked.").waitFor();
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
