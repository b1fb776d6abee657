// The countdown before a game.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut } from "../harness/player.js";

/** @param {Player} player */
const figure = (player) => player.page.getByRole("timer", { name: "The game starts soon" });

/**
 * Sets a countdown of a minute instead of five seconds.
 *
 * @param {Player} player
 */
async function useLongCountdown({ page }) {
  await page.route("**/games", async (route) => {
    const order = { ...route.request().postDataJSON(), countdown_ms: 60_000 };
    await route.continue({ postData: JSON.stringify(order) });
  });
}

play("both players see the countdown, and the game starts after it", async (env) => {
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  const code = await anna.create({ isCounted: true });
  // A mutation observer records the figures, which are visible for a second each.
  await anna.page.evaluate(() => {
    const timer = document.querySelector("[role=timer][aria-label='The game starts soon']");
    const noted = /** @type {string[]} */ ([]);
    Object.assign(window, { noted });
    const look = () => timer && !timer.hasAttribute("hidden") && noted.push(timer.textContent ?? "");
    if (timer) new MutationObserver(look).observe(timer, { attributes: true, childList: true, subtree: true, characterData: true });
  });
  await ben.join(code);
  await anna.mayMove();
  const noted = await anna.page.evaluate(() => /** @type {any} */ (window).noted);
  assert.ok(noted.length > 0, "no countdown was shown");
  assert.ok(noted.every((/** @type {string} */ text) => /^[0-5]$/.test(text)), `${noted}`);
  for (const player of [anna, ben]) await figure(player).waitFor({ state: "hidden" });
  await playOut(anna, ben, "e4 e5 Nf3");
  await ben.mayMove();
});

play("pieces cannot be moved during the countdown, and it stops when a player leaves", async (env) => {
  const anna = new Player(await env.window());
  await useLongCountdown(anna);
  const code = await anna.create({ isCounted: true });
  const ben = new Player(await env.window());
  await ben.join(code);
  for (const player of [anna, ben]) {
    await player.sees("Game starts soon");
    await figure(player).getByText(/^[1-5]?\d$/).waitFor();
    for (const name of ["Takeback", "Offer draw", "Abort"]) assert.equal(await player.button(name).isDisabled(), true, name);
    assert.equal(await player.typed.isVisible(), false);
  }
  // Spectators see the countdown.
  const sam = new Player(await env.window());
  await sam.page.goto(`/g/${code}?watch`);
  await sam.sees("Game starts soon");
  await figure(sam).getByText(/^[1-5]?\d$/).waitFor();

  // The countdown covers the board, but the keyboard reaches it.
  await anna.square("e1").focus();
  await anna.press("e2", "e4");
  await anna.seesOn("e2", "white pawn");
  await anna.seesOn("e4", "empty");

  await ben.button("Leave").click();
  await ben.sees(/Play chess/);
  await anna.sees("Waiting for an opponent");
  await sam.sees("Waiting for players");
  for (const player of [anna, sam]) await figure(player).waitFor({ state: "hidden" });
  await anna.seesOn("e2", "white pawn");

  // The countdown starts again for the next player.
  const cleo = new Player(await env.window());
  await cleo.join(code, "Cleo");
  for (const player of [anna, cleo, sam]) await player.sees("Game starts soon");
});
