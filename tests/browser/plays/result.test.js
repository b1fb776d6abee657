// The result after a game.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut } from "../harness/player.js";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/**
 * The gaps between the visible parts of the panel, from top to bottom, in pixels.
 *
 * @param {Player} player
 */
async function gaps(player) {
  return player.page.evaluate(() => {
    const parts = [...(document.querySelector(".panel")?.children ?? [])];
    const boxes = parts.flatMap((part) => {
      // An invisible part leaves a gap.
      const seen = [part, ...part.children].filter((one) => one.checkVisibility({ visibilityProperty: true }));
      const box = part.getBoundingClientRect();
      return box.height === 0 || !seen.some((one) => one !== part || part.children.length === 0) ? [] : [box];
    });
    return boxes.slice(1).map((box, at) => Math.round(box.top - (boxes[at]?.bottom ?? 0)));
  });
}

play("the result takes the place of the field for typed moves", async (env) => {
  const [anna, ben] = [new Player(await env.window(PHONE)), new Player(await env.window())];
  const code = await anna.create();
  await ben.join(code);
  const sam = new Player(await env.window());
  await sam.page.goto(`/g/${code}?watch`);
  await sam.page.getByText("You are watching").waitFor();
  await playOut(anna, ben, "f3 e5 g4");
  const before = await gaps(anna);
  assert.equal(Math.max(...before) - Math.min(...before), 0, `${before}`);
  await ben.type("Qh4#");
  for (const [player, words] of /** @type {const} */ ([[anna, "You lost by checkmate."], [ben, "You won by checkmate."]])) {
    await player.sees(words);
    await player.page.getByRole("group", { name: "Result" }).getByText("0 – 1").waitFor();
    assert.equal(await player.typed.isVisible(), false);
    assert.deepEqual(await gaps(player), before);
  }
  // The icon of a button is beside its words, also where another label is longer.
  const rematch = ben.button("Rematch").locator(".either > :first-child");
  const distance = await rematch.evaluate((label) => {
    const words = document.createRange();
    words.selectNodeContents(label.lastChild ?? label);
    const icon = label.querySelector("svg")?.getBoundingClientRect();
    return words.getBoundingClientRect().left - (icon?.right ?? 0);
  });
  assert.ok(distance > 0 && distance < 12, `${distance} px`);
  await sam.sees("Black won by checkmate.");
  const spectators = await gaps(sam);
  assert.equal(Math.max(...spectators), before[0], `${spectators}`);
  await ben.page.getByRole("link", { name: "New game" }).click();
  await ben.sees(/Play chess/);
});
