// Against a remote opponent the lights show where a lifted piece can go, as the page does.

import { challenger } from "../harness/challenger.js";
import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("the lights show where a piece can go against a remote opponent, without being asked", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenger(env);
  await board.lift("g1");
  await board.shows({ g1: "white", f3: "green", h3: "green" });
  await board.drop("f3");
  await ben.mayMove();
  await ben.seesOn("f3", "white knight");
});
