// The English texts use the words that chess players and users of other sites know.

import assert from "node:assert/strict";
import { test } from "node:test";

const language = "en";
/** @type {Record<string, string | Record<string, string>>} */
const TEXTS = (await import(`../../../host-server/page/language/${language}.js`)).default;
const SENTENCES = Object.values(TEXTS).flatMap((text) => (typeof text === "string" ? [text] : Object.values(text)));

test("no text is about persons without a name, or in words that are not those of chess", () => {
  const unclear = [
    /\b(some|every|no)body\b/i,
    /\bwhoever\b/i,
    /\bcall(ed)? off\b/i,
    /\bturn board\b/i,
    /\bplay again\b/i,
    /\btake it along\b/i,
    /\bonly watch\b/i,
    /\bnot let in\b/i,
    /\blooking back\b/i,
    /\bhas just been closed\b/i,
    /\bcan mate any more\b/i,
    /\b(wins?|draw) by time\b/i,
    /\brelay is away\b/i,
    /\bseat is (kept|free)\b/i,
    /\bmoves above show\b/i,
  ];
  assert.deepEqual(SENTENCES.filter((sentence) => unclear.some((words) => words.test(sentence))), []);
});

test("buttons and headlines have the fixed words of chess", () => {
  const known = {
    "create.clock": "Time control: minutes + seconds per move",
    "action.abort": "Abort",
    "action.flip": "Flip board",
    "action.rematch": "Rematch",
    "export.title": "Share & export",
    "join.watch": "Watch",
    "status.reconnecting": "Connection lost, reconnecting",
    "status.unsent": "Not sent: connection lost.",
    "status.not_available": "Game not available",
    "error.closed": "This game has ended.",
    "player.left": "{name} (left)",
    "status.reviewing": "Reviewing {move}",
    "reason.insufficient_material": "by insufficient material",
    "end.player_left": "{result}: {name} left the game.",
    "reason.time": "on time",
    "noun.you": "you",
  };
  for (const [key, text] of Object.entries(known)) assert.equal(TEXTS[key], text, key);
});
