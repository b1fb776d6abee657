// The second screen with the clocks of a wooden board.

import { challenge } from "../harness/challenger.js";
import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("the clocks at the code of a board follow its games: a challenge with a clock, then a game of two people at the board", async (env) => {
  const board = await VirtualBoard.open(env);
  const path = (await board.page.locator("#challenge").getAttribute("href")) ?? "";
  const screen = await env.window({ viewport: { width: 390, height: 700 } });
  await screen.goto(`${path}?clock`);
  await screen.getByRole("heading", { name: "Waiting for players" }).waitFor();

  const ben = await challenge(env, { color: "White", clock: "5+3" });
  await board.accept("e8");
  await ben.mayMove();
  await screen.getByRole("heading", { name: "White to move" }).waitFor();
  await screen.getByText("5:00").nth(1).waitFor();
  await ben.click("e2", "e4");
  await screen.getByText("1. e4").waitFor();

  await ben.button("Abort").click();
  await screen.getByRole("heading", { name: "Game aborted." }).waitFor();
  await ben.button("Leave").click();
  await board.button("Set up the pieces").click();
  await board.reads("White to move");
  await board.move("d2", "d4");
  await board.reads("Black to move");
  await board.move("d7", "d5");
  await screen.getByText("1 … d5").waitFor();
  await screen.getByText("No clock").nth(1).waitFor();
});

play("the link of a board leads to the game of two people at it", async (env) => {
  const board = await VirtualBoard.open(env);
  const path = (await board.page.locator("#challenge").getAttribute("href")) ?? "";
  await board.move("e2", "e4");
  await board.reads("Black to move");
  await board.move("e7", "e5");
  await board.page.getByRole("link", { name: "Link to this game" }).waitFor();
  const visitor = await env.window();
  await visitor.goto(path);
  await visitor.getByRole("heading", { name: "The board virtual is in a game" }).waitFor();
  await visitor.getByRole("link", { name: "Watch" }).click();
  await visitor.getByRole("gridcell", { name: /^e5,.*black pawn/ }).waitFor();
});
