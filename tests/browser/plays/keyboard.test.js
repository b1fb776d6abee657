// A whole game without a mouse.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut } from "../harness/player.js";

play("a whole game can be played with the keyboard alone", async (env) => {
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  const { keyboard } = anna.page;
  await anna.page.goto("/");
  await anna.page.getByRole("form", { name: "New game" }).waitFor();
  await anna.tabTo("Your name");
  await keyboard.type("Anna");
  // A group of radio buttons is one tab stop.
  await anna.tabTo(/^(White|Random|Black)$/);
  while ((await anna.here()) !== "White") await keyboard.press("ArrowLeft");
  await anna.tabTo(/^\d+\+\d+$|^No clock$/);
  while ((await anna.here()) !== "No clock") await keyboard.press("ArrowLeft");
  await anna.tabTo("Create game");
  await keyboard.press("Enter");
  await anna.sees("Waiting for an opponent");

  await ben.join(anna.code());
  await anna.mayMove();
  await anna.tabTo(/^[a-h][1-8],/);
  await anna.press("e2", "e4");
  await ben.type("e5");
  await anna.mayMove();
  // The targets of the selected piece are announced.
  await anna.goTo("d1");
  await keyboard.press("Enter");
  await anna.seesOn("d1", "selected");
  await anna.spoken(/Can go to .*h5/);
  await keyboard.press("Escape");
  await anna.board.getByRole("gridcell", { name: "d1, white queen", exact: true }).waitFor();
  await anna.press("d1", "h5");
  await ben.spoken("White: queen h5. Your move.");
  await ben.type("Nc6");
  await anna.mayMove();
  await anna.press("f1", "c4");
  await ben.type("Nf6");
  await anna.mayMove();

  // Moves can be typed, and every button is a tab stop.
  await anna.tabTo("Type a move");
  await keyboard.type("Qxf7#");
  await keyboard.press("Enter");
  await anna.sees("You won by checkmate.");
  await anna.spoken("You won by checkmate.");
  await ben.button("Rematch").click();
  await anna.tabTo("Rematch");
  await keyboard.press("Enter");
  await ben.mayMove();
  await playOut(ben, anna, "d4 d5");
  await ben.mayMove();
  await anna.tabTo("Resign");
  await keyboard.press("Enter");
  const question = anna.page.getByRole("dialog", { name: "Resign this game?" });
  await question.waitFor();
  // The safe answer has the focus.
  assert.equal(await anna.here(), "Play on");
  await anna.tabTo("Resign");
  await keyboard.press("Enter");
  await ben.sees("You won by resignation.");
});
