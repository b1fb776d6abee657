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

/**
 * The answer to the request of the owner's page whose body contains these words.
 *
 * @param {import("playwright-core").Page} owner
 * @param {string} path how the path of the request ends
 * @param {string} words
 */
const answered = (owner, path, words) =>
  owner.waitForResponse((response) => response.url().endsWith(path) && (response.request().postData() ?? "").includes(words));

const START = "a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 a7 b7 c7 d7 e7 f7 g7 h7 a8 b8 c8 d8 e8 f8 g8 h8";

play(
  "the owner sets the brightness, and the self-test follows a lifted piece",
  async (env) => {
    const virtual = await VirtualBoard.open(env);
    const owner = await env.window();
    await owner.goto("/owner");
    await owner.getByRole("link", { name: "virtual" }).click();
    await owner.getByRole("heading", { name: "virtual", level: 1 }).waitFor();
    const brightness = owner.getByLabel("Brightness");
    await owner.locator("#brightness:enabled").waitFor();
    await brightness.fill("60");
    await owner.getByText("Saved.").waitFor();
    const answer = answered(owner, "/console", "careful");
    await owner.getByLabel("Pace").selectOption("careful");
    await answer;
    await owner.reload();
    await owner.waitForFunction(() => /** @type {HTMLSelectElement | null} */ (document.querySelector("#pace"))?.value === "careful");
    if ((await brightness.inputValue()) !== "60") throw new Error(`brightness ${await brightness.inputValue()}`);

    await reads(owner, START);
    await owner.getByRole("button", { name: "Start the self-test" }).click();
    await owner.getByText("The random numbers and the journal are good.").waitFor();
    await virtual.lift("g1");
    await reads(owner, START.replace("g1 ", ""));
    await virtual.drop("g1");
    await reads(owner, START);
    await owner.getByText("Weak magnets", { exact: true }).waitFor();
    await owner.getByText("0 (0.0 %)", { exact: true }).waitFor();

    await owner.getByLabel("Name of the board").fill("cellar");
    const renamed = answered(owner, "/console", "set name cellar");
    await owner.getByRole("button", { name: "Save the name" }).click();
    await owner.getByRole("heading", { name: "cellar", level: 1 }).waitFor();
    await renamed;
    const limited = answered(owner, "/settings", "link");
    await owner.getByLabel("Who may challenge the board").selectOption("link");
    await limited;
    const lobby = await env.window();
    await lobby.goto("/");
    await lobby.getByText("No wooden board is waiting for an opponent.").waitFor();

    const state = await owner.request.get("/owner/boards/cellar/state");
    const { code } = /** @type {{ code: string }} */ (await state.json());
    const stored = answered(owner, "/settings", "off");
    await owner.getByLabel("Who may challenge the board").selectOption("No player");
    await stored;
    await lobby.goto(`/g/${code}`);
    await lobby.getByText("The board cellar accepts no challenges").waitFor();
    for (const page of [lobby, owner]) {
      await page.getByRole("link", { name: "Games on this board" }).click();
      await page.getByRole("heading", { name: "Games on cellar" }).waitFor();
      await page.goBack();
    }
    await lobby.getByText("Its owner has switched challenges off.").waitFor();
    if ((await lobby.getByRole("button", { name: "Play" }).count()) > 0) throw new Error("a game is offered");

    // The board takes the colour that is left for the computer.
    const chosen = answered(owner, "/console", "set computer 7 black");
    await owner.getByLabel("Against the computer").selectOption("7");
    await chosen;
    const turned = answered(owner, "/console", "set computer 7 white");
    await owner.getByLabel("Your colour").selectOption("black");
    await turned;
    await owner.reload();
    await owner.waitForFunction(() => /** @type {HTMLSelectElement | null} */ (document.querySelector("#computer"))?.value === "7");
    const color = await owner.getByLabel("Your colour").inputValue();
    if (color !== "black") throw new Error(`the player has ${color}`);
    const timed = answered(owner, "/console", "set clock 10+5");
    await owner.getByLabel("Clock of games at this board").selectOption("10+5");
    await timed;
    // A clock that the page does not offer was set on the console.
    await owner.request.post("/owner/boards/cellar/console", { data: { line: "set clock 7+1" } });
    await owner.reload();
    await owner.waitForFunction(() => /** @type {HTMLSelectElement | null} */ (document.querySelector("#clock"))?.value === "7+1");
    const off = answered(owner, "/console", "set computer off");
    await owner.getByLabel("Against the computer").selectOption("off");
    await off;
  },
  ["--virtual-board=local"],
);

// The wires of the files are in reverse order: the owner, who is asked for a1, puts the piece where the wire of h1 is.
play(
  "the owner calibrates a board whose files are mirrored",
  async (env) => {
    const virtual = await VirtualBoard.open(env);
    const owner = await env.window();
    await owner.goto("/owner/boards/virtual");
    await virtual.button("Clear the board").click();
    await reads(owner, "none");
    await owner.getByLabel("What to calibrate").selectOption("switches");
    await owner.getByRole("button", { name: "Calibrate" }).click();
    const touched = { a1: "h1", b2: "g2", c3: "f3", d4: "e4", e5: "d5", f6: "c6", g7: "b7", h8: "a8", h1: "a1" };
    for (const [asked, square] of Object.entries(touched)) {
      const step = asked === "a1" ? "Remove all pieces, and put one piece on a1." : `Lift the piece, and put it on ${asked}.`;
      await owner.getByText(step).waitFor();
      await virtual.place("white king", square);
      await owner.getByText(step).waitFor({ state: "detached" });
      await virtual.takeOff(square);
    }
    await owner.getByText("The calibration is done and stored.").waitFor();
    await virtual.place("white king", "b1");
    await reads(owner, "g1");
    await owner.getByRole("button", { name: "Forget the calibration" }).click();
    await owner.getByText("The board uses the wiring of the building instructions.").waitFor();
    await reads(owner, "b1");
  },
  ["--virtual-board=local"],
);
