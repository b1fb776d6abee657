// A game that begins when both have had a moment.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut } from "../harness/player.js";

/** @param {Player} player */
const figure = (player) => player.page.getByRole("timer", { name: "The game is about to begin" });

/**
 * Lets the relay count for a minute instead of five seconds, so that there is time to look.
 *
 * @param {Player} player
 */
async function countForLong({ page }) {
  await page.route("**/games", async (route) => {
    const order = { ...route.request().postDataJSON(), countdown_ms: 60_000 };
    await route.continue({ postData: JSON.stringify(order) });
  });
}

play("both see how long it is until the game begins, and it begins", async (stage) => {
  const [anna, ben] = [new Player(await stage.window()), new Player(await stage.window())];
  const code = await anna.create({ isCounted: true });
  // What is only there for five seconds is noted while it is there.
  await anna.page.evaluate(() => {
    const timer = document.querySelector("[role=timer][aria-label='The game is about to begin']");
    const noted = /** @type {string[]} */ ([]);
    Object.assign(window, { noted });
    const look = () => timer && !timer.hasAttribute("hidden") && noted.push(timer.textContent ?? "");
    if (timer) new MutationObserver(look).observe(timer, { attributes: true, childList: true, subtree: true, characterData: true });
  });
  await ben.join(code);
  await anna.mayMove();
  const noted = await anna.page.evaluate(() => /** @type {any} */ (window).noted);
  assert.ok(noted.length > 0, "nothing was counted");
  assert.ok(noted.every((/** @type {string} */ text) => /^[0-5]$/.test(text)), `${noted}`);
  for (const player of [anna, ben]) await figure(player).waitFor({ state: "hidden" });
  await playOut(anna, ben, "e4 e5 Nf3");
  await ben.mayMove();
});

play("nobody moves before the game begins, and it does not begin when somebody leaves", async (stage) => {
  const anna = new Player(await stage.window());
  await countForLong(anna);
  const code = await anna.create({ isCounted: true });
  const ben = new Player(await stage.window());
  await ben.join(code);
  for (const player of [anna, ben]) {
    await player.sees("About to begin");
    await figure(player).getByText(/^[1-5]?\d$/).waitFor();
    for (const name of ["Take back", "Offer draw", "Call off"]) assert.equal(await player.button(name).isDisabled(), true, name);
    assert.equal(await player.typed.isVisible(), false);
  }
  // Who comes to watch sees it as well.
  const sam = new Player(await stage.window());
  await sam.page.goto(`/g/${code}?watch`);
  await sam.sees("About to begin");
  await figure(sam).getByText(/^[1-5]?\d$/).waitFor();

  // The board lies under the figure, and a key gets there all the same.
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

  // And it is counted anew for the next one.
  const cleo = new Player(await stage.window());
  await cleo.join(code, "Cleo");
  for (const player of [anna, cleo, sam]) await player.sees("About to begin");
});
