// A player who creates a game by a rule script against a wooden board.

import { Player } from "./player.js";

/**
 * Opens a window at the page of rules.
 *
 * @param {import("./play.js").Environment} env
 * @param {string} relay
 */
export async function rulesPlayer(env, relay) {
  return new Player(await env.window({ baseURL: relay }));
}

/**
 * Creates a game by a bundled script against the board, which plays White.
 *
 * @param {Player} player
 * @param {{ script: string, board: string, clock?: string }} order
 */
export async function orderGame(player, { script, board, clock = "No clock" }) {
  const { page } = player;
  await page.goto("/rules");
  await page.getByLabel("Start from").selectOption(script);
  await page.getByLabel("Your name").fill("Ben");
  await page.getByLabel("You play").selectOption("black");
  await page.getByLabel("Time control").selectOption(clock);
  await chooseBoard(page, board);
  await player.button("Create game").click();
  await page.waitForURL(/\/g\//);
}

/**
 * Chooses the board as the opponent, as soon as it is free.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} board
 */
export async function chooseBoard(page, board) {
  const opponent = page.getByLabel("Opponent");
  await opponent.locator("option", { hasText: `Board ${board}` }).waitFor({ state: "attached" });
  await opponent.selectOption({ label: `Board ${board}` });
}
