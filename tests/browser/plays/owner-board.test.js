// The owner's page of a board: settings, self-test and calibration, with a virtual board under the other window.

import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

/**
 * Waits until the squares of the self-test are exactly these.
 *
 * @param {import("playwright-core").Page} owner
 * @param {string} squares
 */
const reads = (owner, squares) => owner.getByRole("img", { name: `Closed switches: ${squares}`, exact: true }).waitFor();

const START = "a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 a7 b7 c7 d7 e7 f7 g7 h7 a8 b8 c8 d8 e8 f8 g8 h8";

play(
  "the owner sets the brightness, and the self-test follows a lifted piece",
  async (env) => {
    const wood = await VirtualBoard.open(env);
    const owner = await env.window();
    await owner.goto("/owner");
    await owner.getByRole("link", { name: "virtual" }).click();
    await owner.getByRole("heading", { name: "virtual", level: 1 }).waitFor();
    const brightness = owner.getByLabel("Brightness");
    await owner.locator("#brightness:enabled").waitFor();
    await brightness.fill("60");
    await owner.getByText("Saved.").waitFor();
    const answer = owner.waitForResponse((response) => response.url().endsWith("/console") && (response.request().postData() ?? "").includes("careful"));
    await owner.getByLabel("Pace").selectOption("careful");
    await answer;
    await owner.reload();
    await owner.waitForFunction(() => /** @type {HTMLSelectElement | null} */ (document.querySelector("#pace"))?.value === "careful");
    if ((await brightness.inputValue()) !== "60") throw new Error(`brightness ${await brightness.inputValue()}`);

    await reads(owner, START);
    await owner.getByRole("button", { name: "Start the self-test" }).click();
    await owner.getByText("The random numbers and the journal are good.").waitFor();
    await wood.lift("g1");
    await reads(owner, START.replace("g1 ", ""));
    await wood.drop("g1");
    await reads(owner, START);
    await owner.getByText("Weak magnets", { exact: true }).waitFor();

    await owner.getByLabel("Name of the board").fill("cellar");
    await owner.getByRole("button", { name: "Save the name" }).click();
    await owner.getByRole("heading", { name: "cellar", level: 1 }).waitFor();
    await owner.getByLabel("Who may challenge the board").selectOption("link");
    await owner.getByText("Saved.").waitFor();
    const lobby = await env.window();
    await lobby.goto("/");
    await lobby.getByText("No wooden board is waiting for an opponent.").waitFor();
  },
  ["--virtual-board=local"],
);

// The wires of the files are in reverse order: the owner, who is asked for a1, puts the piece where the wire of h1 is.
play(
  "the owner calibrates a board whose files are mirrored",
  async (env) => {
    const wood = await VirtualBoard.open(env);
    const owner = await env.window();
    await owner.goto("/owner/boards/virtual");
    await wood.button("Clear the board").click();
    await reads(owner, "none");
    await owner.getByLabel("What to calibrate").selectOption("switches");
    await owner.getByRole("button", { name: "Calibrate" }).click();
    for (const [step, square] of [
      ["Remove all pieces, and put one piece on a1.", "h1"],
      ["Lift the piece, and put it on h1.", "a1"],
      ["Lift the piece, and put it on a8.", "h8"],
    ]) {
      await owner.getByText(step ?? "").waitFor();
      await wood.place("white king", square ?? "");
      await owner.getByText(step ?? "").waitFor({ state: "detached" });
      await wood.takeOff(square ?? "");
    }
    await owner.getByText("The calibration is done and stored.").waitFor();
    await wood.place("white king", "b1");
    await reads(owner, "g1");
    await owner.getByRole("button", { name: "Forget the calibration" }).click();
    await owner.getByText("The board uses the wiring of the building instructions.").waitFor();
    await reads(owner, "b1");
  },
  ["--virtual-board=local"],
);
