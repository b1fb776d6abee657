// The switch between light and dark colours. The system's setting holds until a choice is stored; early.js reads it before the
// first paint.

import { make, picture, set } from "./dom.js";
import { t } from "../language/language.js";
import { recall, remember } from "./memory.js";

const system = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = recall("local", "theme");
  return chosen === "dark" || (chosen !== "light" && system.matches);
}

export class AppearanceSwitch {
  constructor() {
    this.root = make("button", { type: "button", class: "quiet square", onclick: this.#toggle, "data-switch": "theme" });
    system.addEventListener("change", this.#render);
    addEventListener("storage", this.#render);
    this.#render();
  }

  #render = () => {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
    this.root.replaceChildren(picture(isDark() ? "sign-sun" : "sign-moon"));
    const label = t(isDark() ? "switch.light" : "switch.dark");
    set(this.root, "aria-label", label);
    set(this.root, "title", label);
  };

  #toggle = () => {
    const dark = !isDark();
    // A choice that equals the system's setting is not stored, so the page follows the system again.
    remember("local", "theme", dark === system.matches ? null : dark ? "dark" : "light");
    this.#render();
  };
}
