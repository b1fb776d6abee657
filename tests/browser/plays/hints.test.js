// Where a piece can go is shown on wood against somebody elsewhere only if both agree.

import { play } from "../harness/play.js";
import { challenger } from "../harness/challenge.js";
import { Wood } from "../harness/wood.js";

play("the lights show where a piece can go when both agree, and only then", async (stage) => {
  const wood = await Wood.open(stage);
  const ben = await challenger(stage);
  const mine = wood.page.getByRole("button", { name: "Agree to hints" });
  const agreed = (/** @type {boolean} */ pressed) => wood.page.getByRole("button", { name: "Agree to hints", pressed });
  const theirs = (/** @type {string} */ name, /** @type {boolean} */ pressed) =>
    ben.page.getByRole("button", { name, exact: true, pressed });
  const lift = async () => {
    await wood.grasp("g1");
    await wood.shines({ g1: "white" });
  };
  const putBack = async () => {
    // A piece that is only touched is held for a moment.
    await wood.page.waitForTimeout(400);
    await wood.page.mouse.up();
    await wood.reads("All is in order.");
  };

  // Nobody has agreed.
  await lift();
  await wood.isDark("green");
  await putBack();

  // One has, which is not enough.
  await theirs("Hints", false).click();
  await theirs("Hints", true).waitFor();
  await lift();
  await wood.isDark("green");
  await putBack();

  // Both have.
  await mine.click();
  await agreed(true).waitFor();
  await theirs("Hints on", true).waitFor();
  await ben.spoken("Both agree to hints");
  await lift();
  await wood.shines({ g1: "white", f3: "green", h3: "green" });
  await putBack();

  // Who comes back knows what was agreed.
  await ben.page.reload();
  await theirs("Hints on", true).waitFor();

  // One no longer does.
  await theirs("Hints on", true).click();
  await theirs("Hints", false).waitFor();
  await ben.spoken("There are no hints any more.");
  await ben.page.getByText("agrees to hints").waitFor();
  await lift();
  await wood.isDark("green");
  await putBack();
});
