// The entry point of the list of games.

import { AppearanceSwitch } from "../common/appearance.js";
import { find } from "../common/dom.js";
import { loadSprites } from "../common/sprites.js";
import { loadTexts } from "../language/language.js";
import { LanguageSwitch } from "../language/switch.js";
import { GamesPage } from "./games-page.js";

loadSprites();
await loadTexts();
find("switches").append(new LanguageSwitch().root, new AppearanceSwitch().root);
find("main").replaceChildren(new GamesPage(new URLSearchParams(location.search).get("board")).root);
