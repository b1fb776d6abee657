import assert from "node:assert/strict";
import { test } from "node:test";

import { RelayTime, face, left, timeControlText, spokenTime } from "../../../host-server/page/game/clocks.js";
import "./english.js";

const clock = { whiteMs: 60_000, blackMs: 30_000, running: /** @type {const} */ ("white"), relayAt: 1_000_000, receivedAt: 500 };

test("only the running clock loses time, down to zero", () => {
  assert.equal(left(clock, "white", 1_500), 58_500);
  assert.equal(left(clock, "black", 1_500), 30_000);
  assert.equal(left(clock, "white", 99_000), 0);
});

test("a clock shows minutes, and tenths below twenty seconds", () => {
  for (const [ms, text] of /** @type {[number, string][]} */ ([
    [300_000, "5:00"],
    [299_001, "5:00"],
    [61_000, "1:01"],
    [20_000, "0:20"],
    [19_999, "0:19.9"],
    [950, "0:00.9"],
    [0, "0:00.0"],
    [3_600_000, "1:00:00"],
    [86_400_000, "24:00:00"],
  ])) {
    assert.equal(face(ms), text);
  }
});

test("the round trip to the relay is deducted", () => {
  const time = new RelayTime();
  // Without a ping the clock counts from the moment it was received.
  assert.equal(time.since(clock, 800), 300);
  // Pinged at 100, answered at 140: at 120 the relay's clock was at 1,000,000, so a message received at 500 is 380 ms old.
  time.asked(100);
  time.answered(1_000_000, 140);
  assert.equal(time.since(clock, 500), 380);
  assert.equal(time.since(clock, 800), 680);
});

test("a wrong time of the relay does not give time back", () => {
  const time = new RelayTime();
  time.asked(100);
  time.answered(0, 140);
  assert.equal(time.since(clock, 800), 300);
});

test("time controls are written as players write them", () => {
  assert.equal(timeControlText(null), "no clock");
  assert.equal(timeControlText({ baseMs: 300_000, incrementMs: 3_000 }), "5+3");
  assert.equal(timeControlText({ baseMs: 30_000, incrementMs: 0 }), "30s+0");
  assert.equal(spokenTime(61_000), "1 minute 1 second");
});
