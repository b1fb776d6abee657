// A game whose rules the page does not know: pieces, targets and moves come from the relay.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

/** GMO chess with its default pieces: the seed, the back row, the king on the d-file, and the DNA of pawn, rook, knight, bishop, king, queen. */
const START = [
  "0000000000000001 12345321 08",
  "AHHHACHASHHHHHHCHAHHASASAHHHSHHAAHHHCHAHHHHHACASSAS",
  "AHHHSHHAACHACHACHAHHASASAAAAAAAAA",
  "AHHHAAHACHHHCHACHAHHACACSASAACACA",
  "AHHHCSHAAHHHCHACHAHHACASSASASSACS",
  "AHHHACHAAHHHCHACHAHHASASSASACSAAC",
  "AHHHSHHAAHHHCHACHAHHACASSASASSACSAHHHSHHSCCHACHACHAHHASASAAAAAAAAA",
].join(" ");

play("a game under other rules is drawn and played with what the relay says", async (env) => {
  const answer = await fetch(new URL("/games", env.relay.url), {
    method: "POST",
    body: JSON.stringify({ rules: "genome", start: START }),
  });
  const opened = /** @type {{ code: string }} */ (await answer.json());
  assert.equal(answer.status, 201, JSON.stringify(opened));
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  await anna.join(opened.code, "Anna");
  await anna.seesOn("d1", "white king");
  await ben.join(opened.code, "Ben");
  await anna.sees("Your move");
  await anna.seesOn("e8", "black queen");

  // The targets of the selected piece.
  await anna.square("b1").click();
  await anna.seesOn("c3", "can go here");
  await anna.square("b1").click();
  await anna.click("b1", "c3");
  await ben.seesOn("c3", "white knight");
  await ben.seesOn("c3", "last move");
  await ben.move("b1c3").waitFor();
  await ben.mayMove();
  await ben.drag("g8", "f6");
  await anna.seesOn("f6", "black knight");

  // A page that is loaded again gets the whole game, and can show its past.
  await anna.page.reload();
  await anna.seesOn("f6", "black knight");
  await anna.move("b1c3").click();
  await anna.seesOn("g8", "black knight");
  assert.equal(await anna.page.getByText("Copy FEN").isVisible(), false);
});
