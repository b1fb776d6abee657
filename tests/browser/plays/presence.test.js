// Presence: who watches, who is offline, and who is back.

import assert from "node:assert/strict";

import { Cable } from "../harness/cable.js";
import { challenger } from "../harness/challenger.js";
import { brokenOrCut, inAllLanguages } from "../harness/layout.js";
import { play } from "../harness/play.js";
import { Player, twoPlayers } from "../harness/player.js";
import { RELAY_DOWN } from "../harness/failures.js";
import { PHONE } from "../harness/touch.js";
import { VirtualBoard } from "../harness/virtual-board.js";

/** The relay notices an absence by its keepalive, which takes up to 40 s. */
const NOTICED_MS = 60_000;

play("the number of spectators is shown after a reload", async (env) => {
  const { anna, code } = await twoPlayers(env);
  const sam = new Player(await env.window());
  await sam.page.goto(`/g/${code}?watch`);
  await sam.page.getByText("You are watching").waitFor();
  await anna.page.getByText("1 watching").waitFor();
  await anna.page.reload();
  await anna.mayMove();
  // The relay sends the number only when it changes, so it has to be part of the init.
  await anna.page.getByText("1 watching").waitFor();
});

play("a board without network is shown as offline until it is back", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenger(env, { board });
  await board.move("e2", "e4");
  await ben.mayMove();
  await board.button("Pull the network plug").click();
  await ben.page.getByText("board offline").waitFor({ timeout: NOTICED_MS });
  await ben.spoken("has lost the connection");
  await ben.type("e5");
  await board.button("Plug the network in").click();
  await board.reads("from e7 to e5");
  await board.move("e7", "e5");
  await ben.page.getByText("on a wooden board").waitFor({ timeout: NOTICED_MS });
});

play("a player without connection is shown as offline until they are back", async (env) => {
  const cable = await Cable.to(env.relay.url);
  try {
    const phone = { ...PHONE, viewport: { width: 360, height: 740 } };
    const [anna, ben] = [new Player(await env.window(phone)), new Player(await env.window({ baseURL: cable.url }))];
    await ben.join(await anna.create({ clock: "10+5" }));
    await anna.type("e4");
    await ben.mayMove();
    env.failures.expect(...RELAY_DOWN, /ERR_TIMED_OUT/);
    cable.pull();
    const offline = anna.page.getByRole("group", { name: "Black: Ben" }).getByText(/^offline, \d+ s to return$/);
    await offline.waitFor({ timeout: NOTICED_MS });
    await anna.spoken("Ben has lost the connection.");
    // The line is whole on a phone, also in other languages and for a board.
    const [texts, who] = await Promise.all([inAllLanguages("player.offline_for"), inAllLanguages("player.board_offline")]);
    const notes = texts.flatMap((text) => who.map((who) => text.replace("{who}", who).replace("{count}", "300")));
    assert.deepEqual(await brokenOrCut(anna.page.locator("[data-player=black] .note"), notes), []);
    cable.plug();
    await offline.waitFor({ state: "hidden", timeout: NOTICED_MS });
    await ben.type("e5");
    await anna.mayMove();
  } finally {
    await cable.discard();
  }
});
