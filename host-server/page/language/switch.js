// The switch between the languages. The browser's setting holds until a choice is stored; early.js reads it.

import { make, set } from "../common/dom.js";
import { remember } from "../common/memory.js";
import { LANGUAGES, t } from "./language.js";

export class LanguageSwitch {
  constructor() {
    const { lang } = document.documentElement;
    const options = Object.entries(LANGUAGES).map(([code, name]) =>
      make("option", { value: code, lang: code, selected: code === lang }, name),
    );
    this.select = make("select", { "aria-label": t("switch.language"), title: t("switch.language"), onchange: this.#choose }, ...options);
    set(this.select, "data-switch", "language");
    // The code is what one sees; the list of names lies above it, transparent until it is opened.
    this.root = make("span", { class: "language quiet square" }, make("span", { "aria-hidden": "true" }, lang.toUpperCase()), this.select);
  }

  #choose = () => {
    remember("local", "language", this.select.value);
    location.reload();
  };
}
