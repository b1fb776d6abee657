// The entry point of the pages of the relay's owner: all boards, or the one in the path.

import { AppearanceSwitch } from "../common/appearance.js";
import { find } from "../common/dom.js";
import { loadSprites } from "../common/sprites.js";
import { loadTexts } from "../language/language.js";
import { LanguageSwitch } from "../language/switch.js";
import { BoardPage } from "./board-page.js";
import { OwnerPage } from "./owner-page.js";

loadSprites();
await loadTexts();
find("switches").append(new LanguageSwitch().root, new AppearanceSwitch().root);
const name = /^\/owner\/boards\/([^/]+)/.exec(location.pathname)?.[1];
const page = name ? new BoardPage(decodeURIComponent(name)) : new OwnerPage();
find("main").replaceChildren(page.root);
page.start();
