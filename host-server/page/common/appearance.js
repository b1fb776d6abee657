// Light or dark: as the system says, until somebody chooses. early.js reads it before the first paint.

import { make, picture, set } from "./dom.js";
import { recall, remember } from "./memory.js";

const night = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = recall("local", "theme");
  return chosen === "dark" || (chosen !== "light" && night.matches);
}

/** A switch between light and dark. */
export function appearanceSwitch() {
  const button = make("button", { type: "button", class: "quiet square", onclick: turn, "data-switch": "theme" });
  const show = () => {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
    button.replaceChildren(picture(isDark() ? "sign-sun" : "sign-moon"));
    set(button, "aria-label", isDark() ? "Use light colours" : "Use dark colours");
    set(button, "title", isDark() ? "Light colours" : "Dark colours");
  };
  function turn() {
    const dark = !isDark();
    // Who chooses what the system says anyway follows the system again.
    remember("local", "theme", dark === night.matches ? null : dark ? "dark" : "light");
    show();
  }
  night.addEventListener("change", show);
  addEventListener("storage", show);
  show();
  return button;
}
