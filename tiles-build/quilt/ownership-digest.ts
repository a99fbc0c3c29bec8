// Digests of everything that decides what an owner shows. Rings that many owners share are hashed
// once and in binary form, because a coast chart may contain thousands of cells.

import { createHash } from 'node:crypto';
import type { Flat } from '../../shared/geo/clip-box.ts';
import type { Face, Ownership } from './ownership.ts';

const digests = new WeakMap<readonly Flat[], string>();

/** Equal for equal rings in the same order. */
export function digestOfRings(rings: readonly Flat[]): string {
  let digest = digests.get(rings);
  if (digest === undefined) {
    const hash = createHash('sha256');
    for (const ring of rings) {
      hash.update(`${ring.length} `);
      hash.update(new Uint8Array(Float64Array.from(ring).buffer));
    }
    digest = hash.digest('hex');
    digests.set(rings, digest);
  }
  return digest;
}

/**
 * Equal if two faces decide alike which points are shown; with `withGround`, also which areas, and
 * whether finer charts are next to them.
 */
export function faceDigest(
  { rings, better, hasFinerNeighbour, bare }: Face,
  withGround: boolean,
): string {
  const hash = createHash('sha256');
  if (withGround) hash.update(`ground ${digestOfRings(rings)} ${hasFinerNeighbour === true}\n`);
  for (const other of better) hash.update(`${digestOfRings(other)}\n`);
  if (bare !== undefined) {
    hash.update(`bare ${digestOfRings(bare.ground)}\n`);
    for (const other of bare.better) hash.update(`${digestOfRings(other)}\n`);
  }
  return hash.digest('hex');
}

/** Hexadecimal digest of an ownership. */
export function ownershipDigest(ownership: Ownership): string {
  const { name, coverage, charted, shore, faces, makers } = ownership;
  const hash = createHash('sha256');
  hash.update(`${JSON.stringify(name)} ${digestOfRings(coverage)} ${digestOfRings(charted)}\n`);
  if (shore !== undefined) hash.update(`shore ${digestOfRings(shore)}\n`);
  for (const face of faces) hash.update(`${face.tier} ${faceDigest(face, true)}\n`);
  for (const { left, right, top, bottom, minZoom, maxZoom } of makers) {
    hash.update(new Uint8Array(Float64Array.of(left, right, top, bottom, minZoom, maxZoom).buffer));
  }
  return hash.digest('hex').slice(0, 40);
}
