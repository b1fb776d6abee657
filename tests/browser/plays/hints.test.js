// Against a remote opponent the lights show where a lifted piece can go, as the page does.

import assert from "node:assert/strict";

import { challenger } from "../harness/challenger.js";
import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("the lights show where a piece can go against a remote opponent, without being asked", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenger(env, { board });
  await board.lift("g1");
  await board.shows({ g1: "white", f3: "green", h3: "green" });
  await board.drop("f3");
  await ben.mayMove();
  await ben.seesOn("f3", "white knight");

  // Its player resigns: the result is shown under the kings, and the page does not call them misplaced.
  await board.move("e1", "d4");
  await board.move("e8", "e5");
  await ben.sees("You won by resignation.");
  await board.shows({ e5: "amber" });
  assert.equal(await ben.board.getByRole("gridcell", { name: /out of place/ }).count(), 0);
  await ben.page.getByRole("group", { name: "White: virtual" }).getByText("on a wooden board").waitFor();
});
