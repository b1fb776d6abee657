// Sounds, made on the spot: wood on wood for what happens on the board, and a few soft notes for the rest.

import { make, picture, set } from "./dom.js";
import { recall, remember } from "./memory.js";

/** @typedef {"move" | "capture" | "check" | "start" | "end" | "chat" | "warn" | "offer"} Sound */

/** @type {AudioContext | null} */
let studio = null;

function isOn() {
  return recall("local", "sound") !== "off";
}

/**
 * Plays a sound, if sounds are on. A browser lets a page sound only once somebody has touched it; before that it is silent.
 *
 * @param {Sound} sound
 */
export function play(sound) {
  if (!isOn() || navigator.userActivation?.hasBeenActive === false) return;
  studio ??= new AudioContext();
  if (studio.state === "suspended") studio.resume().catch(() => {});
  score[sound](studio, studio.currentTime + 0.005);
}

/** @type {Record<Sound, (studio: AudioContext, at: number) => void>} */
const score = {
  move: (studio, at) => knock(studio, at, 210, 0.5),
  capture: (studio, at) => {
    knock(studio, at, 260, 0.55);
    knock(studio, at + 0.055, 170, 0.5);
  },
  check: (studio, at) => {
    knock(studio, at, 210, 0.5);
    note(studio, at + 0.03, 880, 0.25, 0.08);
  },
  start: (studio, at) => [392, 523].forEach((pitch, i) => note(studio, at + i * 0.12, pitch, 0.35, 0.1)),
  end: (studio, at) => [392, 494, 587].forEach((pitch, i) => note(studio, at + i * 0.11, pitch, 0.6, 0.09)),
  chat: (studio, at) => note(studio, at, 740, 0.15, 0.05),
  warn: (studio, at) => [0, 0.16].forEach((later) => note(studio, at + later, 988, 0.09, 0.09)),
  offer: (studio, at) => [587, 494].forEach((pitch, i) => note(studio, at + i * 0.12, pitch, 0.3, 0.08)),
};

/**
 * @param {AudioContext} studio
 * @param {number} at
 * @param {number} pitch
 * @param {number} volume
 */
function knock(studio, at, pitch, volume) {
  const length = Math.ceil(studio.sampleRate * 0.05);
  const buffer = studio.createBuffer(1, length, studio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-7 * i) / length);
  const noise = new AudioBufferSourceNode(studio, { buffer });
  const wood = new BiquadFilterNode(studio, { type: "bandpass", frequency: pitch * 4, Q: 1.2 });
  const loudness = new GainNode(studio, { gain: volume });
  noise.connect(wood).connect(loudness).connect(studio.destination);
  noise.start(at);
  note(studio, at, pitch, 0.07, volume * 0.5);
}

/**
 * @param {AudioContext} studio
 * @param {number} at
 * @param {number} pitch
 * @param {number} length
 * @param {number} volume
 */
function note(studio, at, pitch, length, volume) {
  const tone = new OscillatorNode(studio, { frequency: pitch, type: "sine" });
  const loudness = new GainNode(studio, { gain: 0 });
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(volume, at + 0.006);
  loudness.gain.exponentialRampToValueAtTime(0.0005, at + length);
  tone.connect(loudness).connect(studio.destination);
  tone.start(at);
  tone.stop(at + length);
}

/** A switch for all sounds. */
export function soundSwitch() {
  const button = make("button", { type: "button", class: "quiet square", onclick: turn, "data-switch": "sound" });
  const show = () => {
    button.replaceChildren(picture(isOn() ? "sign-sound" : "sign-silence"));
    set(button, "aria-label", isOn() ? "Turn sounds off" : "Turn sounds on");
    set(button, "title", isOn() ? "Sounds are on" : "Sounds are off");
  };
  function turn() {
    remember("local", "sound", isOn() ? "off" : null);
    show();
    play("move");
  }
  addEventListener("storage", show);
  show();
  return button;
}
