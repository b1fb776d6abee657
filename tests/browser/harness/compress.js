// Reduces a PNG to a palette, which makes it a third as large.

import UPNG from "upng-js";

const COLOURS = 256;

/**
 * @param {Buffer} picture a PNG
 * @param {number} [colours] in the palette. The grain of wood compresses badly and looks well with few
 * @returns {Promise<Buffer>}
 */
export async function compressed(picture, colours = COLOURS) {
  const bytes = picture.buffer.slice(picture.byteOffset, picture.byteOffset + picture.byteLength);
  const read = UPNG.decode(/** @type {ArrayBuffer} */ (bytes));
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(read), read.width, read.height, colours));
}
