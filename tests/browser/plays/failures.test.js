// The harness itself: failures in a window are noticed.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

play("an aborted request is a failure unless its page is left", async (env) => {
  const player = new Player(await env.window());
  await player.page.goto("/");
  await player.sees(/Play chess/);
  const failed = player.page.waitForEvent("requestfailed", (request) => request.url().endsWith("?aborted"));
  await player.page.evaluate(async () => {
    const controller = new AbortController();
    const request = fetch("/boards?aborted", { signal: controller.signal });
    controller.abort();
    await request.catch(() => {});
  });
  await failed;
  const aborted = env.failures.unexpected().filter((failure) => /aborted: net::ERR_ABORTED/.test(failure));
  assert.equal(aborted.length, 1);
  // A navigation aborts the requests of the page, which is no failure.
  await player.page.reload();
  await player.sees(/Play chess/);
  assert.deepEqual(env.failures.unexpected(), []);
});
