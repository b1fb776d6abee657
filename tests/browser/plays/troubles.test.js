// The tests themselves: what goes wrong in a window is not passed over.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

play("a request that is given up while its page stays is a trouble", async (stage) => {
  const player = new Player(await stage.window());
  await player.page.goto("/");
  await player.sees(/Play chess/);
  await player.page.evaluate(async () => {
    const given = new AbortController();
    const asked = fetch("/boards?given-up", { signal: given.signal });
    given.abort();
    await asked.catch(() => {});
  });
  const given = () => stage.troubles.unexpected().filter((trouble) => /given-up: net::ERR_ABORTED/.test(trouble));
  while (given().length === 0) await player.page.waitForTimeout(50);
  assert.equal(given().length, 1);
  // Who goes on to another page gives up everything on this one.
  await player.page.reload();
  await player.sees(/Play chess/);
  assert.deepEqual(stage.troubles.unexpected(), []);
});
