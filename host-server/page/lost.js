// The entry point of the page for an unknown path.

import { loadTexts, t } from "./language/language.js";

await loadTexts();
document.title = `${t("lost.title")} · Tabiya`;
