// Cuts one owner of ground, a cell or the background, into the tiles of every tileset: one pack of
// fragments in tile id order for each.

import { tileIdToZxy } from 'pmtiles';
import { readCell } from '../../shared/s57/read/read-cell.ts';
import { createPackWriter, openPack, readPack } from '../archive/pack.ts';
import { DamagedFile } from '../archive/system-error.ts';
import { readBackground } from '../background/background-layers.ts';
import { cutLakesOut } from '../background/land-without-lakes.ts';
import { portrayCell } from '../portray/portray-cell.ts';
import type { Clipper } from '../quilt/clipper.ts';
import type { Ownership } from '../quilt/ownership.ts';
import { keptCoasts } from '../route/kept-coasts.ts';
import { changedSheets, sliceBackgroundRoute } from '../route/slice-background.ts';
import { sliceRoute } from '../route/slice-route.ts';
import { type Fragment, joinInTileOrder } from '../slice/fragment.ts';
import { ownerOf } from '../slice/owner.ts';
import { sliceNames } from '../slice/slice-names.ts';
import { sliceQuery } from '../slice/slice-query.ts';
import { sliceRaw } from '../slice/slice-raw.ts';
import { sliceShoreline } from '../slice/slice-shoreline.ts';
import { sliceVector } from '../slice/slice-vector.ts';
import { digestOfFiles, readLocation } from './cell-location.ts';
import { changedTiles, cutBackground } from './cut-background.ts';
import type { SliceJob } from './jobs.ts';
import { readOwnership } from './quilt-plan.ts';
import { threadClipper } from './thread-clipper.ts';
import { TILESETS, type Tileset } from './tilesets.ts';

/** Cuts an owner for each tileset; only the requested tilesets are cut. */
type Cutters = Readonly<Record<Tileset, () => Iterable<Fragment>>>;

/** Write the packs of one owner. @throws DamagedFile if its files changed since the scan */
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
    throw new DamagedFile(`the files of ${location.name} changed during the build`);
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
  { background, coasts, former }: Extract<SliceJob['source'], { kind: 'background' }>,
  ownership: Ownership,
  clipper: Clipper,
): Cutters {
  // Cut once for all tilesets: a lake is water in tiles, on the shoreline and for routes.
  const layers = cutLakesOut(readBackground(background), clipper);
  const before = former && readOwnership(former.plan);
  const changed = once(() => before && changedTiles(layers, before, ownership));
  const cut = once(() => cutBackground(layers, ownership, clipper, changed()));
  const withFormer = (tileset: Tileset, fragments: Iterable<Fragment>, isChanged?: IsChanged) => {
    const path = former?.packs[tileset];
    return path === undefined || isChanged === undefined
      ? fragments
      : joinInTileOrder(unchangedIn(path, isChanged), fragments);
  };
  const changedIn = (tileset: Tileset, fragments: Iterable<Fragment>) => {
    const ground = changed();
    return withFormer(tileset, fragments, ground && ((z, x, y) => ground.isTile(z, z, x, y)));
  };
  // Data tiles and the query contain cells only, no background.
  return {
    'enc-v2': () => changedIn('enc-v2', cut().vector),
    'data-geojson-v1': () => [],
    'data-shoreline-v1': () => changedIn('data-shoreline-v1', cut().shoreline),
    'enc-query-v1': () => [],
    'enc-names-v1': () => [],
    'enc-route-v1': () => {
      const isSheetChanged = before && changedSheets(before, ownership);
      const sea = { layers, coasts: keptCoasts(coasts, layers) };
      return withFormer(
        'enc-route-v1',
        sliceBackgroundRoute(sea, ownership, clipper, isSheetChanged),
        // The ground of all sheets, at zoom 0, is made again.
        isSheetChanged && ((z, x, y) => z === 0 || isSheetChanged(x, y)),
      );
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type IsChanged = (z: number, x: number, y: number) => boolean;

function* unchangedIn(path: string, isChanged: IsChanged): Generator<Fragment, void, undefined> {
  for (const record of readPack(openPack(path))) {
    if (!isChanged(...tileIdToZxy(record.tileId))) yield record;
  }
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
