import assert from "node:assert/strict";
import { test } from "node:test";

import { RelayTime, face, left, ruleText, spokenTime } from "../../../host-server/page/game/clocks.js";

const clock = { whiteMs: 60_000, blackMs: 30_000, running: /** @type {const} */ ("white"), relayAt: 1_000_000, heardAt: 500 };

test("only the clock that runs runs, and never below nothing", () => {
  assert.equal(left(clock, "white", 1_500), 58_500);
  assert.equal(left(clock, "black", 1_500), 30_000);
  assert.equal(left(clock, "white", 99_000), 0);
});

test("a clock shows minutes, then tenths", () => {
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

test("the way from the relay is taken off", () => {
  const time = new RelayTime();
  // Before anything is known, it was said when it was heard.
  assert.equal(time.since(clock, 800), 300);
  // Asked at 100, answered at 140: in the middle it was 1,000,000 there, so what was heard at 500 is 380 old then.
  time.asked(100);
  time.answered(1_000_000, 140);
  assert.equal(time.since(clock, 500), 380);
  assert.equal(time.since(clock, 800), 680);
});

test("nonsense from the other side does not turn a clock back", () => {
  const time = new RelayTime();
  time.asked(100);
  time.answered(0, 140);
  assert.equal(time.since(clock, 800), 300);
});

test("clocks are said as players say them", () => {
  assert.equal(ruleText(null), "no clock");
  assert.equal(ruleText({ baseMs: 300_000, incrementMs: 3_000 }), "5+3");
  assert.equal(ruleText({ baseMs: 30_000, incrementMs: 0 }), "30s+0");
  assert.equal(spokenTime(61_000), "1 minute 1 second");
});
