// The texts of the page in English, for tests without a browser.

import { useTexts } from "../../../host-server/page/language/language.js";

const { default: texts } = await import("../../../host-server/page/language/en.js");
useTexts("en", /** @type {any} */ (texts));
