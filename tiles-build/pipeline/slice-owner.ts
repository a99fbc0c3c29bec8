// Cuts one owner of ground, a cell or the background, into the tiles of every tileset: one pack of
// fragments in tile id order for each.

import { readCell } from '../../shared/s57/read/read-cell.ts';
import { createPackWriter } from '../archive/pack.ts';
import { readBackground } from '../background/background-layers.ts';
import { cutLakesOut } from '../background/land-without-lakes.ts';
import { portrayCell } from '../portray/portray-cell.ts';
import type { Clipper } from '../quilt/clipper.ts';
import type { Ownership } from '../quilt/ownership.ts';
import { keptCoasts } from '../route/kept-coasts.ts';
import { sliceBackgroundRoute } from '../route/slice-background.ts';
import { sliceRoute } from '../route/slice-route.ts';
import type { Fragment } from '../slice/fragment.ts';
import { ownerOf } from '../slice/owner.ts';
import { sliceNames } from '../slice/slice-names.ts';
import { sliceQuery } from '../slice/slice-query.ts';
import { sliceRaw } from '../slice/slice-raw.ts';
import { sliceShoreline } from '../slice/slice-shoreline.ts';
import { sliceVector } from '../slice/slice-vector.ts';
import { digestOfFiles, readLocation } from './cell-location.ts';
import { cutBackground } from './cut-background.ts';
import type { SliceJob } from './jobs.ts';
import { readOwnership } from './quilt-plan.ts';
import { threadClipper } from './thread-clipper.ts';
import { TILESETS, type Tileset } from './tilesets.ts';

/** Cuts an owner for each tileset; only the requested tilesets are cut. */
type Cutters = Readonly<Record<Tileset, () => Iterable<Fragment>>>;

/** Write the packs of one owner. @throws Error if its files changed since the scan */
export async function sliceOwner({ source, plan, packs }: SliceJob): Promise<void> {
  const clipper = await threadClipper();
  const ownership = readOwnership(plan);
  const cutters =
    source.kind === 'background'
      ? cutGround(source, ownership, clipper)
      : await cutCell(source, ownership, clipper);
  for (const tileset of TILESETS) {
    const path = packs[tileset];
    if (path !== undefined) writePack(path, cutters[tileset]());
  }
}

async function cutCell(
  { location, digest }: Extract<SliceJob['source'], { kind: 'cell' }>,
  ownership: Ownership,
  clipper: Clipper,
): Promise<Cutters> {
  const files = await readLocation(location);
  if (digestOfFiles(files) !== digest) {
    throw new Error(`the files of ${location.name} changed during the build`);
  }
  const { cell } = readCell(files);
  if (cell === undefined) throw new Error(`${location.name} can no longer be read`);
  const owner = ownerOf(cell);
  const drawables = portrayCell(cell);
  return {
    'enc-v2': () => sliceVector(owner, drawables, ownership, clipper),
    'data-geojson-v1': () => sliceRaw(owner, cell, ownership, clipper),
    'data-shoreline-v1': () => sliceShoreline(drawables, ownership, clipper),
    'enc-query-v1': () => sliceQuery(cell, ownership, clipper),
    'enc-names-v1': () => sliceNames(cell, ownership),
    'enc-route-v1': () => sliceRoute(owner, cell, ownership, clipper),
  };
}

function cutGround(
  { background, coasts }: Extract<SliceJob['source'], { kind: 'background' }>,
  ownership: Ownership,
  clipper: Clipper,
): Cutters {
  // Cut once for all tilesets: a lake is water in tiles, on the shoreline and for routes.
  const layers = cutLakesOut(readBackground(background), clipper);
  let both: ReturnType<typeof cutBackground> | undefined;
  const cut = () => {
    both ??= cutBackground(layers, ownership, clipper);
    return both;
  };
  // Data tiles and the query contain cells only, no background.
  return {
    'enc-v2': () => cut().vector,
    'data-geojson-v1': () => [],
    'data-shoreline-v1': () => cut().shoreline,
    'enc-query-v1': () => [],
    'enc-names-v1': () => [],
    'enc-route-v1': () =>
      sliceBackgroundRoute({ layers, coasts: keptCoasts(coasts, layers) }, ownership, clipper),
  };
}

function writePack(path: string, fragments: Iterable<Fragment>): void {
  const writer = createPackWriter(path);
  try {
    for (const fragment of fragments) writer.add(fragment);
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish();
}
