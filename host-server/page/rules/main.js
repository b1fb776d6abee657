// The entry point of the page on which users write rules.

import { AppearanceSwitch } from "../common/appearance.js";
import { find } from "../common/dom.js";
import { loadSprites } from "../common/sprites.js";
import { loadTexts } from "../language/language.js";
import { LanguageSwitch } from "../language/switch.js";
import { RulesScreen } from "./screen.js";

loadSprites();
await loadTexts();
find("switches").append(new LanguageSwitch().root, new AppearanceSwitch().root);
find("main").replaceChildren(new RulesScreen().root);
