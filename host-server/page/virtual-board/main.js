// The entry point of the virtual board.

import { AppearanceSwitch } from "../common/appearance.js";
import { find } from "../common/dom.js";
import { loadSprites } from "../common/sprites.js";
import { loadTexts } from "../language/language.js";
import { LanguageSwitch } from "../language/switch.js";
import { VirtualBoardScreen } from "./screen.js";
import { loadSentences } from "./sentences.js";

loadSprites();
await loadTexts();
await loadSentences();
find("switches").append(new LanguageSwitch().root, new AppearanceSwitch().root);
new VirtualBoardScreen();
