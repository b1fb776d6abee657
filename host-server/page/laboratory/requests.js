// What the laboratory asks the relay. The page knows no rule of GMO chess: codons, errors and moves come from here.

import { request } from "../relay/http.js";

/**
 * @typedef {import("../language/language.js").Key extends infer K ? (K extends `dna.${infer Code}` ? Code : never) : never} Code of a text
 * @typedef {{ says: Code, found?: string, count?: number, onto?: Code, start?: Code, target?: Code, debuff?: Code }} Said
 * @typedef {import("../board/colors.js").Color} Color
 * @typedef {{ square: string, color: Color, genome: number, king: boolean, pawn: boolean }} Piece
 * @typedef {{ genomes: string[], pieces: Piece[], seed: string }} Bench a board with its pieces; the first genome is being edited
 * @typedef {"frame" | "owner" | "debuff" | "effect" | "step" | "jump"} CodonKind
 * @typedef {Said & { at: number, len: number, meaning: CodonKind }} Codon
 * @typedef {Said & { at: number, len: number }} Fault
 * @typedef {Said & { to: string }} Move
 * @typedef {Bench & { codons: Codon[], error: Fault | null, hash: string | null, moves: Move[] }} Seen
 * @typedef {{ hash: string, dna: string, name: string | null }} Genome
 */

/**
 * @param {string} path
 * @param {object} body
 */
async function post(path, body) {
  const headers = { "content-type": "application/json" };
  return JSON.parse(await request(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

/**
 * Looks at a board. With `to` the piece on `from` moves there first.
 *
 * @param {Bench} bench
 * @param {string | null} from
 * @param {string | null} [to]
 * @returns {Promise<Seen>}
 */
export function look({ genomes, pieces, seed }, from, to = null) {
  return post("/lab/look", { genomes, pieces, seed, from, to });
}

/** @returns {Promise<Genome[]>} the pieces of the original game */
export async function builtInGenomes() {
  return JSON.parse(await request("/lab/genomes")).genomes;
}

/**
 * @param {string} name its hash, or the name of a piece of the original game
 * @returns {Promise<Genome>}
 */
export async function loadGenome(name) {
  return JSON.parse(await request(`/lab/genome/${encodeURIComponent(name)}`));
}

/**
 * @param {string} name
 * @returns {Promise<{ hash: string, pieces: { hash: string, dna: string | null, name: string | null }[] }>}
 */
export async function loadPreset(name) {
  return JSON.parse(await request(`/lab/preset/${encodeURIComponent(name)}`));
}

/**
 * @param {string} dna
 * @returns {Promise<string>} its hash
 */
export async function storeGenome(dna) {
  return (await post("/lab/genome", { dna })).hash;
}

/**
 * @param {string[]} pieces hashes from the a-file on
 * @returns {Promise<string>} the hash of the preset
 */
export async function storePreset(pieces) {
  return (await post("/lab/preset", { pieces })).hash;
}
