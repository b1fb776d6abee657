// Pictures of a few hundred colours instead of millions. Nobody sees the difference, and they are a third as large.

import UPNG from "upng-js";

const COLOURS = 256;

/**
 * @param {Buffer} picture a PNG
 * @param {number} [colours] as many are left. Grain of wood needs few, and costs much
 * @returns {Promise<Buffer>} the same, smaller
 */
export async function squeezed(picture, colours = COLOURS) {
  const bytes = picture.buffer.slice(picture.byteOffset, picture.byteOffset + picture.byteLength);
  const read = UPNG.decode(/** @type {ArrayBuffer} */ (bytes));
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(read), read.width, read.height, colours));
}
