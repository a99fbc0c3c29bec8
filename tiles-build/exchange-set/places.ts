// Positions of cells from which no chart could be made: from CATALOG.031, otherwise from the
// readable part of the base.

import { decodeFile } from '../../shared/s57/read/decode.ts';
import type { CellFileSource, CellSource } from './cell-source.ts';

/** West, south, east, north in degrees. */
type Place = NonNullable<CellFileSource['listedBounds']>;

/** The box of each cell by name. Cells with an unknown position are absent. */
export async function placesOf(
  sources: readonly CellSource[],
): Promise<Readonly<Record<string, Place>>> {
  const places: Record<string, Place> = {};
  for (const { name, base } of sources) {
    const place = base?.listedBounds ?? (base && (await boundsInFile(base)));
    if (place !== undefined) places[name] = place;
  }
  return places;
}

async function boundsInFile({
  name,
  read,
}: NonNullable<CellSource['base']>): Promise<Place | undefined> {
  const { parameters, vectors } = decodeFile(await read().catch(() => new Uint8Array(0)), name);
  const factor = parameters?.coordinateFactor ?? 0;
  if (factor === 0) return undefined;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { coordinates, dimensions } of vectors) {
    for (let i = 0; i + 1 < (coordinates?.length ?? 0); i += dimensions) {
      const [y, x] = [coordinates![i]! / factor, coordinates![i + 1]! / factor];
      // A damaged coordinate must not make the box as wide as the earth.
      if (Math.abs(x) > 180 || Math.abs(y) > 90) continue;
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [south, north] = [Math.min(south, y), Math.max(north, y)];
    }
  }
  return west <= east ? [west, south, east, north] : undefined;
}
