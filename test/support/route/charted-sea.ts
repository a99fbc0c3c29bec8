// The sea of charts and background alone, made by the build's own steps: a tenth of a whole build.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeSheet, type PackedSquare } from '../../../shared/route/sheets.ts';
import type { Cell } from '../../../shared/s57/cell/cell.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { createPackWriter, openPack, readPack } from '../../../tiles-build/archive/pack.ts';
import { splitHash } from '../../../tiles-build/archive/tile-bytes.ts';
import {
  findBackground,
  readBackground,
} from '../../../tiles-build/background/background-layers.ts';
import { findCells } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { locationOf, readLocation } from '../../../tiles-build/pipeline/cell-location.ts';
import { type Clipper, loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { coverageOf } from '../../../tiles-build/quilt/coverage.ts';
import { BACKGROUND, computeOwnership } from '../../../tiles-build/quilt/ownership.ts';
import { finishSheets, finishWorld } from '../../../tiles-build/route/finish-route.ts';
import { RouteJoin } from '../../../tiles-build/route/route-join.ts';
import {
  backgroundCoasts,
  sliceBackgroundRoute,
} from '../../../tiles-build/route/slice-background.ts';
import { sliceRoute } from '../../../tiles-build/route/slice-route.ts';
import { ownerOf } from '../../../tiles-build/slice/owner.ts';
import { type SeaFile, seaOfSquares } from '../sea-file.ts';

/** Cells below some folders, as they are read. */
export async function cellsIn(folders: readonly string[]): Promise<readonly Cell[]> {
  const { cells } = await findCells(folders);
  return Promise.all(
    cells.map(async (source) => readCell(await readLocation(locationOf(source))).cell!),
  );
}

/** @param background folder of Natural Earth GeoJSON; the built-in land where undefined */
export async function chartedSea(
  cells: readonly Cell[],
  background?: string,
  clipper?: Clipper,
): Promise<SeaFile> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-sea-'));
  try {
    const part = join(folder, 'part');
    mergeInto(part, cells, background, clipper ?? (await loadClipper()));
    const [sheets, summary, world] = ['sheets', 'summary', 'world'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    finishSheets(part, sheets, summary);
    finishWorld([summary], world);
    const packed = new Map<string, PackedSquare>();
    for (const { bytes } of [world, sheets].flatMap((path) => [...readPack(openPack(path))])) {
      for (const one of decodeSheet(gunzipSync(splitHash(bytes).tile))) {
        packed.set(`${one.z}/${one.x}/${one.y}`, { ...one, deflated: one.deflated.slice() });
      }
    }
    return seaOfSquares(packed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mergeInto(
  path: string,
  cells: readonly Cell[],
  background: string | undefined,
  clipper: Clipper,
): void {
  const owners = computeOwnership(cells.map(coverageOf), clipper);
  const layers = readBackground(findBackground(background));
  const fragments = sliceBackgroundRoute(
    { layers, coasts: backgroundCoasts(layers) },
    owners.get(BACKGROUND)!,
    clipper,
  );
  for (const cell of cells) {
    const ownership = owners.get(cell.header.name);
    if (ownership !== undefined) {
      fragments.push(...sliceRoute(ownerOf(cell), cell, ownership, clipper));
    }
  }
  const byTile = new Map<number, Uint8Array[]>();
  for (const { tileId, bytes } of fragments) {
    byTile.set(tileId, [...(byTile.get(tileId) ?? []), bytes]);
  }
  const writer = createPackWriter(path);
  for (const [tileId, parts] of [...byTile].sort(([a], [b]) => a - b)) {
    for (const bytes of joined(parts, dirname(path))) writer.add({ tileId, bytes });
  }
  writer.finish();
}

/** Most sheets are passages of the world without a cell, which are equal in all seas of a process. */
const joinedSheets = new Map<string, readonly Uint8Array[]>();

function joined(parts: readonly Uint8Array[], scratch: string): readonly Uint8Array[] {
  const hash = createHash('sha256');
  for (const bytes of parts) hash.update(`${bytes.length} `).update(bytes);
  const key = hash.digest('hex');
  let known = joinedSheets.get(key);
  if (known === undefined) {
    const sheet = new RouteJoin(scratch);
    for (const fragment of parts) sheet.add(fragment);
    known = Array.from(sheet.finish(), (bytes) => bytes.slice());
    joinedSheets.set(key, known);
  }
  return known;
}
