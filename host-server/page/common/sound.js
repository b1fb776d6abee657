// Sounds, synthesised with Web Audio: a knock on wood for moves, soft notes for everything else.

import { t } from "../language/language.js";
import { make, picture, set } from "./dom.js";
import { recall, remember } from "./memory.js";

/** @typedef {"move" | "capture" | "check" | "start" | "end" | "chat" | "warn" | "offer"} Sound */

/** @type {AudioContext | null} */
let audio = null;

function isOn() {
  return recall("local", "sound") !== "off";
}

/**
 * Plays a sound, if sounds are on. Browsers forbid sound before the first click or key press.
 *
 * @param {Sound} sound
 */
export function play(sound) {
  if (!isOn() || navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume().catch(() => {});
  SOUNDS[sound](audio, audio.currentTime + 0.005);
}

/** @type {Record<Sound, (audio: AudioContext, at: number) => void>} */
const SOUNDS = {
  move: (audio, at) => knock(audio, at, 210, 0.5),
  capture: (audio, at) => {
    knock(audio, at, 260, 0.55);
    knock(audio, at + 0.055, 170, 0.5);
  },
  check: (audio, at) => {
    knock(audio, at, 210, 0.5);
    note(audio, at + 0.03, 880, 0.25, 0.08);
  },
  start: (audio, at) => [392, 523].forEach((pitch, i) => note(audio, at + i * 0.12, pitch, 0.35, 0.1)),
  end: (audio, at) => [392, 494, 587].forEach((pitch, i) => note(audio, at + i * 0.11, pitch, 0.6, 0.09)),
  chat: (audio, at) => note(audio, at, 740, 0.15, 0.05),
  warn: (audio, at) => [0, 0.16].forEach((later) => note(audio, at + later, 988, 0.09, 0.09)),
  offer: (audio, at) => [587, 494].forEach((pitch, i) => note(audio, at + i * 0.12, pitch, 0.3, 0.08)),
};

/**
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} pitch
 * @param {number} volume
 */
function knock(audio, at, pitch, volume) {
  const length = Math.ceil(audio.sampleRate * 0.05);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-7 * i) / length);
  const noise = new AudioBufferSourceNode(audio, { buffer });
  const resonance = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch * 4, Q: 1.2 });
  const loudness = new GainNode(audio, { gain: volume });
  noise.connect(resonance).connect(loudness).connect(audio.destination);
  noise.start(at);
  note(audio, at, pitch, 0.07, volume * 0.5);
}

/**
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} pitch
 * @param {number} length
 * @param {number} volume
 */
function note(audio, at, pitch, length, volume) {
  const tone = new OscillatorNode(audio, { frequency: pitch, type: "sine" });
  const loudness = new GainNode(audio, { gain: 0 });
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(volume, at + 0.006);
  loudness.gain.exponentialRampToValueAtTime(0.0005, at + length);
  tone.connect(loudness).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}

/** The switch for all sounds. */
export class SoundSwitch {
  constructor() {
    this.root = make("button", { type: "button", class: "quiet square", onclick: this.#toggle, "data-switch": "sound" });
    addEventListener("storage", this.#render);
    this.#render();
  }

  #render = () => {
    this.root.replaceChildren(picture(isOn() ? "sign-sound" : "sign-silence"));
    const label = t(isOn() ? "switch.sound_off" : "switch.sound_on");
    set(this.root, "aria-label", label);
    set(this.root, "title", label);
  };

  #toggle = () => {
    remember("local", "sound", isOn() ? "off" : null);
    this.#render();
    play("move");
  };
}
