// Hints against a remote opponent: the lights show where a piece can go only if both players agree.

import { play } from "../harness/play.js";
import { challenger } from "../harness/challenger.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("the lights show targets only if both players agree to hints", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenger(env);
  const mine = board.page.getByRole("button", { name: "Agree to hints" });
  const agreed = (/** @type {boolean} */ pressed) => board.page.getByRole("button", { name: "Agree to hints", pressed });
  const theirs = (/** @type {string} */ name, /** @type {boolean} */ pressed) =>
    ben.page.getByRole("button", { name, exact: true, pressed });
  const lift = async () => {
    await board.lift("g1");
    await board.shows({ g1: "white" });
  };
  const putBack = async () => {
    await board.drop("g1");
    await board.reads("All is in order.");
  };

  // Neither player has agreed.
  await lift();
  await board.isDark("green");
  await putBack();

  // Only the challenger has agreed.
  await theirs("Hints", false).click();
  await theirs("Hints", true).waitFor();
  await lift();
  await board.isDark("green");
  await putBack();

  // Both have agreed.
  await mine.click();
  await agreed(true).waitFor();
  await theirs("Hints on", true).waitFor();
  await ben.spoken("Both players agree");
  await lift();
  await board.shows({ g1: "white", f3: "green", h3: "green" });
  await putBack();

  // A reload keeps the agreement.
  await ben.page.reload();
  await theirs("Hints on", true).waitFor();

  // The challenger revokes it.
  await theirs("Hints on", true).click();
  await theirs("Hints", false).waitFor();
  await ben.spoken("Hints are off.");
  await ben.page.getByText("agrees to hints").waitFor();
  await lift();
  await board.isDark("green");
  await putBack();
});
