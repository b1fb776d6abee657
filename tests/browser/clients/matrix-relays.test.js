// Every two kinds of clients play a game with each other, each player at a relay of its own, on one Redis, with the colours of the game on one relay
// swapped.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { MIRRORED, PAIRS, contest } from "../harness/contest.js";
import { play } from "../harness/play.js";
import { Redis } from "../harness/redis.js";
import { Relay } from "../harness/relay.js";

/** @type {Redis} */
let redis;
/** @type {string[]} */
let store;
/** @type {Relay[]} */
const relays = [];

before(async () => {
  redis = await Redis.start();
  store = ["--redis-host", "127.0.0.1", "--redis-port", String(redis.port)];
  relays.push(await Relay.start(...store), await Relay.start(...store));
});

after(async () => {
  for (const relay of relays) await relay.discard();
  await redis?.stop();
});

for (const pair of PAIRS) {
  // The first of a pair has Black now, and with it the moves that its opponent has not made in the first game.
  const swapped = pair.toReversed();
  play(`${swapped.join(" against ")}, on two relays`, async ({ window }) => {
    /** @type {Relay | undefined} */
    let late;
    try {
      await contest(MIRRORED, window, relays, swapped, store, async () => (late = await Relay.start(...store)));
      assert.deepEqual([...relays, ...(late ? [late] : [])].flatMap((relay) => relay.failures()), []);
    } finally {
      await late?.discard();
    }
  });
}
