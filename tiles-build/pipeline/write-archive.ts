// Writes the parts of a tileset's archive from its finished tiles, and describes them for the
// manifest. Existing parts with the same tiles are kept.

import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Archive } from '../../shared/chart/manifest.ts';
import {
  PARTS_PREFIX,
  type Part,
  partKey,
  partLine,
  readPartLine,
  regionName,
} from '../../shared/chart/part-line.ts';
import { lowerBound } from '../../shared/geo/sorted.ts';
import { tileBounds } from '../../shared/geo/tile.ts';
import type { Bounds, Center } from '../../shared/pmtiles/header.ts';
import { readAt } from '../archive/file-bytes.ts';
import { digestFile } from '../archive/file-digest.ts';
import { fileState } from '../archive/file-state.ts';
import { openPack, type PackRecord, readPack } from '../archive/pack.ts';
import {
  type ArchiveContent,
  createArchiveWriter,
  type ZoomRange,
} from '../archive/pmtiles-writer.ts';
import { digestOfRecords, type RecordList, readRecordList } from '../archive/record-list.ts';
import { splitHash } from '../archive/tile-bytes.ts';
import { unfinishedPath } from '../archive/unfinished.ts';
import { digestOf, linkEntry, readJson, writeJson } from './build-cache.ts';
import { type PartLimits, type PlannedPart, planParts, type Run } from './part-plan.ts';

/** Finished tiles in a pack: all of its records or a range of them. */
export interface FinishedTiles extends RecordList {
  readonly path: string;
}

/** All tiles in a pack. */
export const tilesInPack = (path: string): FinishedTiles => ({
  path,
  ...readRecordList(openPack(path)),
});

export interface ArchivePlan {
  readonly tileset: string;
  readonly content: ArchiveContent;
  /** Zoom of the tile that is one world. */
  readonly worldZoom: number;
  /** Finished tiles, in tile id order and without overlap. */
  readonly tiles: readonly FinishedTiles[];
  /** Bounds of all tiles together. */
  readonly bounds: Bounds;
  /** Where a map opens. */
  readonly center: Center;
  /** JSON metadata of a part. */
  readonly metadataOf: (bounds: Bounds, zooms: ZoomRange) => Readonly<Record<string, unknown>>;
  /** File in the cache that records the input of each part. */
  readonly record: string;
  /** Another folder of charts on this machine, and its record. */
  readonly reuse?: { readonly folder: string; readonly record: string } | undefined;
  readonly limits: PartLimits;
}

/** The heads that the manifest contains have at most this size, per archive. */
const HEADS_BYTES = 32 * 1024;

/** Parts by the digest of their input. */
type KnownParts = Readonly<Record<string, KnownPart>>;

interface KnownPart {
  /** The line of the part in the manifest. */
  readonly line: string;
  /** State of the file when it was last known to be complete. */
  readonly state: string;
}

/**
 * Keep the parts whose tiles have not changed, and write the others.
 * @returns the archive, and the regions that were written
 */
export async function reuseOrWriteParts(
  folder: string,
  plan: ArchivePlan,
): Promise<{ readonly archive: Archive; readonly written: readonly string[] }> {
  const tiles = openTiles(plan.tiles);
  const known = readRecord(plan.record);
  const others = readRecord(plan.reuse?.record ?? '');
  const parts: Record<string, KnownPart> = {};
  const written: string[] = [];
  mkdirSync(join(folder, PARTS_PREFIX), { recursive: true });
  for (const planned of planParts(tiles.list, plan.worldZoom, plan.limits)) {
    const described = describePart(plan, planned);
    const madeFrom = digestOf(JSON.stringify(described), ...planned.runs.map(tiles.digest));
    const other = known[madeFrom] === undefined ? others[madeFrom] : undefined;
    if (other !== undefined) linkPart(plan.reuse!.folder, folder, other);
    const kept = known[madeFrom] ?? other;
    if (kept === undefined || !(await isComplete(folder, kept))) {
      const line = partLine(writePart(folder, plan, described, planned, tiles));
      parts[madeFrom] = { line, state: stateOfPart(folder, line) };
      written.push(regionName(planned.region));
    } else parts[madeFrom] = { line: kept.line, state: stateOfPart(folder, kept.line) };
  }
  writeJson(plan.record, parts);
  const lines = Object.values(parts).map(({ line }) => line);
  return { archive: archiveOf(folder, plan, lines), written };
}

const readRecord = (path: string): KnownParts =>
  existsSync(path) ? (readJson(path) as KnownParts) : {};

function linkPart(from: string, folder: string, { line }: KnownPart): void {
  const key = partKey(readPartLine(line).sha256);
  linkEntry(join(from, key), join(folder, key));
}

/**
 * Whether the part on disk is complete and undamaged. A file in the same state is not read: the archives
 * of a nation have many gigabytes.
 */
async function isComplete(folder: string, { line, state }: KnownPart): Promise<boolean> {
  const found = stateOfPart(folder, line);
  if (found === '' || found === state) return found !== '';
  const { sha256, bytes } = readPartLine(line);
  const digest = await digestFile(join(folder, partKey(sha256)));
  return digest.bytes === bytes && digest.sha256 === sha256;
}

const stateOfPart = (folder: string, line: string): string =>
  fileState(join(folder, partKey(readPartLine(line).sha256)));

/**
 * Bounds, center and metadata of a part. Those of a region depend only on the charts in it, so that
 * other builds with the same charts there make the same file. The tiles decide the zooms.
 */
function describePart(plan: ArchivePlan, { region }: PlannedPart) {
  const bounds = region === undefined ? plan.bounds : tileBounds(region);
  const metadata = plan.metadataOf(bounds, { minZoom: 0, maxZoom: 0 });
  if (region === undefined) return { bounds, metadata, center: plan.center };
  const [west, south, east, north] = bounds;
  const center = { longitude: (west + east) / 2, latitude: (south + north) / 2, zoom: region.z };
  return { bounds, metadata, center };
}

/** Write a part. It gets its name only when it is complete. */
function writePart(
  folder: string,
  plan: ArchivePlan,
  { bounds, center }: ReturnType<typeof describePart>,
  { region, runs }: PlannedPart,
  tiles: ReturnType<typeof openTiles>,
): Part {
  const unfinished = unfinishedPath(join(folder, partKey(plan.tileset)));
  const writer = createArchiveWriter({
    path: unfinished,
    content: plan.content,
    bounds,
    center,
    metadata: (zooms) => plan.metadataOf(bounds, zooms),
  });
  try {
    for (const run of runs) {
      for (const record of tiles.read(run)) {
        const { hash, tile } = splitHash(record.bytes);
        writer.add(record.tileId, tile, hash);
      }
    }
    const { sha256, bytes, tiles: count, minZoom, maxZoom, head, headSum } = writer.finish();
    renameSync(unfinished, join(folder, partKey(sha256)));
    const headBytes = head.length;
    return { region, sha256, bytes, tiles: count, minZoom, maxZoom, headBytes, headSum };
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function archiveOf(
  folder: string,
  { tileset, worldZoom }: ArchivePlan,
  lines: readonly string[],
): Archive {
  const parts = lines.map(readPartLine);
  const heads: string[] = [];
  let headsBytes = 0;
  for (const { sha256, headBytes } of parts) {
    headsBytes += headBytes;
    if (headsBytes > HEADS_BYTES) break;
    heads.push(
      Buffer.from(firstBytes(join(folder, partKey(sha256)), headBytes)).toString('base64'),
    );
  }
  return {
    tileset,
    worldZoom,
    minZoom: parts.reduce((least, part) => Math.min(least, part.minZoom), parts[0]?.minZoom ?? 0),
    maxZoom: parts.reduce((most, part) => Math.max(most, part.maxZoom), 0),
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    tiles: parts.reduce((sum, part) => sum + part.tiles, 0),
    parts: [...lines],
    heads,
  };
}

function firstBytes(path: string, length: number): Uint8Array {
  const file = openSync(path, 'r');
  try {
    return readAt(file, 0, length);
  } finally {
    closeSync(file);
  }
}

/** The finished tiles of some packs, as one list. */
function openTiles(packs: readonly FinishedTiles[]) {
  const starts = [0];
  for (const { tileIds } of packs) starts.push(starts.at(-1)! + tileIds.length);
  const tileIds = new Float64Array(starts.at(-1)!);
  const sizes = new Float64Array(tileIds.length);
  for (const [i, pack] of packs.entries()) {
    tileIds.set(pack.tileIds, starts[i]);
    sizes.set(pack.sizes, starts[i]);
  }
  /** The packs of a run with the range of their own records. */
  function* within({ first, end }: Run): Generator<[pack: FinishedTiles, run: Run]> {
    for (let i = Math.max(0, lowerBound(starts, first + 1) - 1); starts[i]! < end; i++) {
      const [from, to] = [starts[i]!, starts[i + 1]!];
      const run = { first: Math.max(first - from, 0), end: Math.min(end, to) - from };
      if (run.end > run.first) yield [packs[i]!, run];
    }
  }
  return {
    list: { tileIds, sizes },
    digest: (run: Run): string =>
      [...within(run)].map(([pack, { first, end }]) => digestOfRecords(pack, first, end)).join(),
    *read(run: Run): Generator<PackRecord> {
      for (const [{ path, tileIds: ids }, { first, end }] of within(run)) {
        yield* readPack(openPack(path), ids[first]!, ids[end - 1]! + 1);
      }
    },
  };
}
