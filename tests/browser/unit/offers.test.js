import assert from "node:assert/strict";
import { test } from "node:test";

import "./english.js";
import { claimOf } from "../../../host-server/page/game/offers.js";
import { connectionChanged } from "../../../host-server/page/game/reducer.js";
import { after, apply, e4, e5, init, start, state } from "./messages.js";

const away = { type: "presence", color: "black", here: false, grace_ms: 60_000 };

/** A match in which Bo is away since 0 ms, after these messages. */
function withoutBo(/** @type {object[]} */ ...moves) {
  return connectionChanged(apply(after(init(), start(), state(), ...moves), away, 0), { kind: "open" }, 0);
}

test("the win can be claimed after the grace period, and a game without moves of both sides is aborted", () => {
  const match = withoutBo(e4(), e5());
  assert.equal(claimOf(match, 59_999, null), null);
  assert.equal(claimOf(match, 60_000, null)?.label, "Claim win");
  const early = claimOf(withoutBo(e4()), 60_000, null);
  assert.deepEqual([early?.label, early?.sentence], ["Abort", "Bo has lost the connection."]);
  assert.equal(claimOf(apply(match, { type: "presence", color: "black", here: true }, 0), 60_000, null), null);
  assert.equal(claimOf(connectionChanged(match, { kind: "reconnecting", reason: "" }, 0), 60_000, null), null);
});

test("a player who prefers to wait is asked again after a while, and at once about another absence", () => {
  const match = withoutBo(e4(), e5());
  const waiting = { key: claimOf(match, 60_000, null)?.key ?? "", until: 90_000 };
  assert.equal(claimOf(match, 89_999, waiting), null);
  assert.equal(claimOf(match, 90_000, waiting)?.label, "Claim win");
  const again = apply(match, away, 10_000);
  assert.equal(claimOf(again, 70_000, waiting)?.label, "Claim win");
});
