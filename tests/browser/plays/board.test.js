// The virtual board: alone, and against the page.

import assert from "node:assert/strict";

import { challenger, movePawns } from "../harness/challenge.js";
import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";
import { Touch } from "../harness/touch.js";
import { Wood } from "../harness/wood.js";

/**
 * Makes these moves by hand, for both sides, each when the board has understood the one before.
 *
 * @param {Wood} wood
 * @param {string} ways
 */
async function carryAll(wood, ways) {
  for (const [number, way] of ways.split(" ").entries()) {
    await wood.carry(way.slice(0, 2), way.slice(2));
    await wood.reads(number % 2 ? "White to move" : "Black to move");
  }
}

/**
 * The squares that do not have the same in both, by what counts of it.
 *
 * @param {ReadonlyMap<string, string>} one
 * @param {ReadonlyMap<string, string>} other
 * @param {(piece: string) => unknown} [counts]
 */
function differences(one, other, counts = (piece) => piece) {
  return [...one.keys()].filter((square) => counts(one.get(square) ?? "") !== counts(other.get(square) ?? ""));
}

play("a whole game between the wooden board and the page", async (stage) => {
  const wood = await Wood.open(stage);
  const ben = await challenger(stage);
  await wood.page.getByText("Ben", { exact: true }).waitFor();
  await ben.page.getByText("on a wooden board").waitFor();

  // What is in a hand there is seen here.
  await wood.grasp("e2");
  await ben.seesOn("e2", "in the opponent's hand");
  await ben.page.getByText("a piece in hand, from e2").waitFor();
  const { x, y } = await wood.middle("e4");
  await wood.page.mouse.move(x, y, { steps: 3 });
  await wood.page.mouse.up();
  await ben.mayMove();
  await ben.seesOn("e4", "white pawn, last move");

  // What is played here is shown there in light, until it is made.
  await ben.click("e7", "e5");
  await wood.shines({ e7: "blue", e5: "blue" });
  await wood.reads("Make the move of Black here: from e7 to e5.");
  await wood.carry("e7", "e5");
  await wood.reads("White to move");

  await wood.carry("f1", "c4");
  await ben.type("Nc6");
  await wood.reads("from b8 to c6");
  await wood.carry("b8", "c6");
  await wood.reads("White to move");
  await wood.carry("d1", "h5");
  await ben.type("Nf6");
  await wood.reads("from g8 to f6");
  await wood.carry("g8", "f6");
  await wood.reads("White to move");
  await wood.carry("h5", "f7");
  await ben.sees("You lost by checkmate.");
  await ben.move("Qxf7#, queen takes f7, checkmate").waitFor();
  await wood.reads("1-0: White wins by checkmate");
  await wood.shines({ e8: "red" });
});

play("a board that is being played on is not there to be challenged", async (stage) => {
  const wood = await Wood.open(stage);
  const late = new Player(await stage.window());
  await late.page.goto("/");
  const boards = late.page.getByRole("list", { name: "Boards that wait for an opponent" });
  await boards.getByRole("listitem").waitFor();
  await challenger(stage);
  await late.page.getByText("No wooden board waits").waitFor();
  // Who has its address can watch.
  const address = wood.page.getByRole("link", { name: /\/g\// });
  await late.page.goto((await address.getAttribute("href")) ?? "");
  await late.button("Play").click();
  await late.page.getByText("You are watching").waitFor();
});

play("the board answers hands in light", async (stage) => {
  const wood = await Wood.open(stage);
  await wood.page.getByText("Under the wood").click();
  await wood.page.getByText("32 reeds closed, 32 squares believed occupied").waitFor();
  await wood.grasp("g1");
  await wood.shines({ g1: "white", f3: "green", h3: "green" });
  await wood.reads("it may go to f3 or h3");
  await wood.page.getByText("31 reeds closed, 31 squares believed occupied").waitFor();
  // Off the board and back again is nothing.
  const { x, y } = await wood.middle("g1");
  await wood.page.mouse.move(x + 5, y - 60);
  await wood.page.mouse.move(x, y);
  await wood.page.waitForTimeout(400);
  await wood.page.mouse.up();
  await wood.reads("White to move");
  await wood.sees("g1", "white knight");

  // What is not legal is shown the way back.
  await wood.carry("e2", "e5");
  await wood.reads("That is not a legal move: take it back from e5 to e2.");
  await wood.shines({ e5: "orange", e2: "orange" });
  await wood.carry("e5", "e2");
  await wood.reads("All is in order.");

  // By tapping, with the keyboard, and pushed along the wood.
  await wood.square("e2").click();
  await wood.sees("e2", "empty");
  await wood.square("e4").click();
  await wood.reads("Black to move");
  await wood.square("e7").focus();
  for (const key of ["Enter", "ArrowDown", "ArrowDown", "Enter"]) await wood.page.keyboard.press(key);
  await wood.reads("White to move");
  await wood.button("Slide").click();
  await wood.carryAlong("f1", "c4");
  await wood.reads("Black to move");
  await wood.button("Slide").click();

  // A magnet that flickers moves nothing.
  await wood.button("Flicker a magnet").click();
  await wood.square("d7").click();
  await wood.page.waitForTimeout(1500);
  await wood.reads("Black to move");
  await wood.carry("d7", "d5");
  await wood.reads("White to move");
  await wood.carry("c4", "d5");
  await wood.reads("Black to move");
  await wood.sees("d5", "white bishop");
  await wood.tray.getByRole("button", { name: "black pawn", exact: true }).waitFor();
});

play("a pawn becomes on the wood what hands say", async (stage) => {
  const wood = await Wood.open(stage);
  await carryAll(wood, "a2a4 h7h5 a4a5 h5h4 a5a6 h4h3 a6b7 h3g2");
  await wood.carry("b7", "a8");
  await wood.reads("to say what the pawn becomes");
  await wood.shines({ a8: "magenta", a7: "green", a6: "blue", a5: "amber" });
  // The second of the four is a knight: the piece there is touched, and then the new one comes from beside the board.
  await wood.carry("a7", "a7");
  await wood.reads("Black to move");
  await wood.takeOff("a8");
  await wood.bring("white knight", "a8");
  await wood.reads("All is in order.");
  await wood.carry("g2", "h1");
  await wood.reads("to say what the pawn becomes");
});

play("plugs are pulled, and nothing is lost", async (stage) => {
  const wood = await Wood.open(stage);
  const ben = await challenger(stage);
  await movePawns(wood, ben);

  // Without the network the board plays on, and says so when it is back.
  await wood.button("Pull the network plug").click();
  await wood.page.getByText("The network plug is out").waitFor();
  await wood.carry("g1", "f3");
  await wood.reads("Black to move");
  await wood.button("Plug the network in").click();
  await ben.seesOn("f3", "white knight");
  await ben.page.getByText("on a wooden board").waitFor();

  // Without power it is dark, and what stands on it stays. Then it goes on where it was.
  await wood.button("Pull the power plug").click();
  await wood.reads("It has no power.");
  await ben.type("Nc6");
  await wood.isDark();
  await wood.button("Plug the power in").click();
  await wood.reads("from b8 to c6");
  await wood.shines({ b8: "blue", c6: "blue" });
  await wood.carry("b8", "c6");
  await wood.reads("White to move");
  await wood.carry("f1", "b5");
  await ben.mayMove();
  await ben.seesOn("b5", "white bishop");
});

play("pieces that were knocked over are put right by the lights", async (stage) => {
  const wood = await Wood.open(stage);
  const ben = await challenger(stage);
  await wood.carry("e2", "e4");
  await ben.mayMove();
  const before = await wood.standing();
  await wood.button("Knock pieces over").click();
  // A single piece that fell off the board might as well be in a hand.
  await ben.page.getByText(/^(out of place|a piece in hand)/).waitFor();
  // Where something is missing or too much, it is lit. Which piece is which the reeds cannot tell, but eyes can.
  let standing = await wood.standing();
  await wood.lights(differences(before, standing, (piece) => piece === "empty"));
  for (const square of differences(before, standing)) {
    if (standing.get(square) !== "empty") await wood.takeOff(square);
  }
  standing = await wood.standing();
  const missing = differences(before, standing);
  await wood.lights(missing);
  for (const square of missing) await wood.bring(before.get(square) ?? "", square);
  assert.deepEqual(await wood.standing(), before);
  await ben.page.getByText("on a wooden board").waitFor();
  await ben.type("c5");
  await wood.reads("from c7 to c5");
});

play("two hands castle at the same time", async (stage) => {
  const wood = await Wood.open(stage, { hasTouch: true });
  await carryAll(wood, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
  const hands = await Touch.on(wood.page);
  await hands.down(1, await wood.middle("e1"));
  await hands.down(2, await wood.middle("h1"));
  await wood.sees("e1", "empty");
  await wood.sees("h1", "empty");
  await hands.move(1, await wood.middle("g1"));
  await hands.move(2, await wood.middle("f1"));
  await hands.up(2);
  await hands.up(1);
  await wood.sees("g1", "white king");
  await wood.sees("f1", "white rook");
  await wood.reads("Black to move");
});
