// Addresses at which there is nothing.

import assert from "node:assert/strict";

import { violations } from "../harness/axe.js";
import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

play("who is lost is told so, and finds the lobby", async (stage) => {
  stage.troubles.expect(/404/);
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const player = new Player(await stage.window({ colorScheme }));
    const answer = await player.page.goto("/nowhere/at/all");
    assert.equal(answer?.status(), 404);
    await player.sees("Nothing is here");
    assert.deepEqual(await violations(player.page), []);
    await player.page.getByRole("link", { name: "To the start page", exact: true }).click();
    await player.sees(/Play chess/);
  }
});
