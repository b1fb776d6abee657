// The computer opponent of the virtual board, chosen on the page and by hand.

import { play } from "../harness/play.js";
import { repeatUntil } from "../harness/repeat.js";
import { VirtualBoard } from "../harness/virtual-board.js";

/**
 * Makes the move that the lights ask for.
 *
 * @param {VirtualBoard} board
 */
async function makeReply(board) {
  const region = board.page.getByRole("region", { name: "The board", exact: true });
  const sentence = region.getByText(/Make the move of (White|Black) here: from/);
  const words = await sentence.textContent();
  const [, from, to, taken] = /from (\w\d) to (\w\d)(?:, and remove the piece on (\w\d))?/.exec(words ?? "") ?? [];
  if (!from || !to) throw new Error(`no move in ${words}`);
  if (taken) await board.takeOff(taken);
  await board.move(from, to);
}

play("the computer is chosen on the page and answers in light", async (env) => {
  const board = await VirtualBoard.open(env);
  await board.page.getByLabel("Against the computer").selectOption("Level 2");
  await board.page.getByText("Tabiya level 2").waitFor();
  await board.move("e2", "e4");
  await makeReply(board);
  await board.reads("White to move");
  await board.move("g1", "f3");
  await makeReply(board);
  await board.reads("White to move");
  // Its name is in the list of games, with the moves so far.
  const path = (await board.page.getByRole("link", { name: "Games on this board" }).getAttribute("href")) ?? "";
  const list = await env.window();
  await list.goto(path);
  const row = list.getByRole("list", { name: "Games" }).getByRole("listitem");
  await row.getByRole("link", { name: "virtual – Tabiya level 2" }).waitFor();
  await repeatUntil(async () => void (await list.reload()), row.getByText("4 half-moves"));
  await board.page.getByLabel("Against the computer").selectOption("No computer");
  await board.move("a2", "a3");
  await board.reads("Black to move");
  await board.move("a7", "a6");
  await board.reads("White to move");
});

play("the computer is chosen with a king, and gives a hint", async (env) => {
  const board = await VirtualBoard.open(env);
  await board.lift("e1");
  await board.reads("Choose the computer");
  await board.drop("a3");
  await board.shows({ a3: "amber" });
  await board.lift("a3");
  await board.drop("e1");
  await board.page.getByText("Tabiya level 1").waitFor();
  // Two taps of the king.
  for (let tap = 0; tap < 2; tap += 1) {
    await board.lift("e1");
    await board.drop("e1");
  }
  await board.reads("A hint: from");
  await board.move("d2", "d4");
  await makeReply(board);
  await board.reads("White to move");
});
