// Copies of a real cell side by side: the density of a busy harbour over a region of any size. The results are only
// kept in temporary folders.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFile } from '../../shared/s57/read/decode.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';

interface LatticeOptions {
  /** A base file; its updates are not applied. */
  readonly cell: string;
  /** Receives the copies, one folder each. */
  readonly folder: string;
  readonly columns: number;
  readonly rows: number;
  /** Offset of all copies to the east and north, in cells. */
  readonly by?: number;
  /** Number of the first copy, used in its name. */
  readonly first?: number;
}

/** Write copies of a cell in rows from the south-west, side by side. */
export function writeLattice(options: LatticeOptions): void {
  const { cell, folder, columns, rows, by = 0, first = 0 } = options;
  const { dataSet, parameters, vectors, features } = decodeFile(readFileSync(cell), cell);
  if (dataSet === undefined || parameters === undefined)
    throw new Error(`${cell} is not a base file.`);
  const [south, west, north, east] = boundsOf(vectors);
  for (let i = 0; i < columns * rows; i++) {
    const [dy, dx] = [
      Math.round((Math.floor(i / columns) + by) * (north - south)),
      Math.round(((i % columns) + by) * (east - west)),
    ];
    const name = `${dataSet.name.slice(0, 3)}${String(first + i).padStart(5, '0')}`;
    const moved = vectors.map((vector) => ({
      ...vector,
      ...(vector.coordinates !== undefined && {
        coordinates: vector.coordinates.map((value, at) => {
          const axis = at % vector.dimensions;
          return axis === 0 ? value + dy : axis === 1 ? value + dx : value;
        }),
      }),
    }));
    mkdirSync(join(folder, name), { recursive: true });
    const bytes = encodeFile({
      dataSet: { ...dataSet, name: `${name}.000` },
      parameters,
      vectors: moved,
      features,
    });
    writeFileSync(join(folder, name, `${name}.000`), bytes);
  }
}

/** Bounds of the points, in the integers of the file. */
function boundsOf(vectors: ReturnType<typeof decodeFile>['vectors']) {
  const bounds = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number];
  for (const { coordinates, dimensions } of vectors) {
    if (coordinates === undefined || dimensions !== 2) continue;
    for (let i = 0; i < coordinates.length; i += 2) {
      const [y, x] = [coordinates[i]!, coordinates[i + 1]!];
      bounds[0] = Math.min(bounds[0], y);
      bounds[1] = Math.min(bounds[1], x);
      bounds[2] = Math.max(bounds[2], y);
      bounds[3] = Math.max(bounds[3], x);
    }
  }
  return bounds;
}
