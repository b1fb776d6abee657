// The page begins here: what the address says decides what is shown.

import { appearanceSwitch } from "./common/appearance.js";
import { find } from "./common/dom.js";
import { recall } from "./common/memory.js";
import { soundSwitch } from "./common/sound.js";
import { bringSprites } from "./common/sprites.js";
import { joinCard } from "./game/join.js";
import { Table } from "./game/table.js";
import { lobby } from "./lobby/lobby.js";
import { findSeat } from "./relay/seat.js";

bringSprites();
find("switches").append(soundSwitch(), appearanceSwitch());
const stage = find("stage");

async function begin() {
  const code = /^\/g\/([A-Za-z0-9_]{1,32})\/?$/.exec(location.pathname)?.[1];
  if (!code) return stage.replaceChildren(lobby());
  stage.dataset.view = "game";
  const query = new URLSearchParams(location.search);
  const name = recall("local", "name") ?? "Guest";
  if (query.has("watch")) return sit(code, { token: null, name, watch: true });
  const token = await findSeat(code);
  if (token) return sit(code, { token, name, watch: false });
  const card = joinCard(code);
  stage.dataset.view = "join";
  stage.replaceChildren(card.root);
  const answer = await card.answer;
  stage.dataset.view = "game";
  sit(code, { token: null, ...answer });
}

/**
 * @param {string} code
 * @param {import("./relay/line.js").Caller} caller
 */
function sit(code, caller) {
  stage.replaceChildren(new Table(code, caller).root);
}

begin();
