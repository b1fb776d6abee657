// The entry point of the page of the relay's owner.

import { AppearanceSwitch } from "../common/appearance.js";
import { find } from "../common/dom.js";
import { loadSprites } from "../common/sprites.js";
import { loadTexts } from "../language/language.js";
import { LanguageSwitch } from "../language/switch.js";
import { OwnerPage } from "./owner-page.js";

loadSprites();
await loadTexts();
find("switches").append(new LanguageSwitch().root, new AppearanceSwitch().root);
const page = new OwnerPage();
find("main").replaceChildren(page.root);
page.start();
