// Extracts a region of a local build to a file. The file is byte-identical to the service's for the
// same build and artwork, without its size limit.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entry } from 'pmtiles';
import type { Archive, Manifest } from '../../shared/chart/manifest.ts';
import { PartIndex, placeOf } from '../../shared/chart/part-index.ts';
import { partKey } from '../../shared/chart/part-line.ts';
import {
  type Piece,
  planRegion,
  type RegionPart,
  type RegionPlan,
  TILESETS,
  worldsOf,
} from '../../shared/region/plan-region.ts';
import type { RegionRequest } from '../../shared/region/region-note.ts';
import { selectFromParts } from '../../shared/region/select-entries.ts';
import { idRanges } from '../../shared/region/tile-ranges.ts';
import { ASSETS_INDEX_NAME, assetsIndexSchema } from '../../shared/style/assets-index.ts';
import { type OpenArchive, openArchive } from '../archive/file-source.ts';
import { readBuild } from '../publish/build-folder.ts';
import { placeFile } from '../publish/place-file.ts';

export interface ExtractWanted {
  /** Folder of a build. */
  readonly charts: string;
  /** Folder of sprites and glyphs. */
  readonly assets: string;
  readonly request: RegionRequest;
}

/** The box contains neither chart nor background. */
export class NothingThere extends Error {}
/** The licence of encrypted charts does not permit files. */
export class NotLicensed extends Error {}
/** The build or the artwork does not exist at the given path. */
export class SourceMissing extends Error {}

/**
 * Plan a region and write it to a file atomically.
 * @throws NotLicensed, NothingThere, SourceMissing, DamagedBuild; RangeError if the file would exceed 4 GiB
 */
export async function extractRegion(wanted: ExtractWanted, out: string): Promise<RegionPlan> {
  const { charts, assets, request } = wanted;
  const { manifest } = await readBuild(charts);
  if (manifest.s63?.extracts === false) {
    throw new NotLicensed(
      'The build contains encrypted charts (S-63) that may not be extracted to files. If their licence ' +
        'permits it, build with --licensed-extracts.',
    );
  }
  const artwork = artworkIn(assets);
  const archiveZoom = archiveOf(manifest, 'chart').maxZoom;
  const pathOf = ({ source, from }: CopiedPiece) =>
    source === 'artwork'
      ? { path: join(assets, artwork.file), offset: from }
      : partAt(charts, archiveOf(manifest, source), from);
  const chosen = (part: RegionPart) =>
    chosenIn(charts, archiveOf(manifest, part), request, idRangesOf(part, request, archiveZoom));
  const chart = await chosen('chart');
  if (chart.length === 0) throw new NothingThere('The box contains no tiles.');
  const query = await chosen('query');
  const input = { request, manifest, artwork, chart, query, archiveZoom };
  const plan = await planRegion(input, async (bytes) =>
    createHash('sha256').update(bytes).digest('hex'),
  );
  await placeFile(out, (unfinished) =>
    withoutRest(unfinished, () =>
      pipeline(Readable.from(bytesOf(plan.pieces, pathOf)), createWriteStream(unfinished)),
    ),
  );
  return plan;
}

/** Write a file. If a signal ends the process before, the unfinished file is removed. */
async function withoutRest(unfinished: string, write: () => Promise<void>): Promise<void> {
  const stop = (signal: NodeJS.Signals) => {
    rmSync(unfinished, { force: true });
    process.kill(process.pid, signal);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    await write();
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

const idRangesOf = (part: RegionPart, request: RegionRequest, archiveZoom: number) =>
  idRanges(request.bounds, worldsOf(part, request, archiveZoom));

function archiveOf({ archives }: Manifest, part: RegionPart) {
  const found = archives.find(({ tileset }) => tileset === TILESETS[part]);
  if (found === undefined) throw new SourceMissing(`The build does not contain ${TILESETS[part]}.`);
  return found;
}

function artworkIn(assets: string) {
  const path = join(assets, ASSETS_INDEX_NAME);
  if (!existsSync(path)) {
    throw new SourceMissing(`${assets} contains no artwork; create it with: npm run assets`);
  }
  try {
    return assetsIndexSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).offline;
  } catch {
    throw new SourceMissing(
      `${path} is damaged or was made by another version; create it again with: npm run assets`,
    );
  }
}

async function chosenIn(
  charts: string,
  archive: Archive,
  { bounds }: RegionRequest,
  ranges: ReturnType<typeof idRanges>,
): Promise<Entry[]> {
  const index = PartIndex.of(archive);
  const opened: OpenArchive[] = [];
  const openPart = async (number: number) => {
    const part = await openArchive(join(charts, partKey(index.parts[number]!.sha256)));
    opened.push(part);
    const { cache, source } = part.archive;
    const header = await part.archive.getHeader();
    const readDirectory = (offset: number, length: number) =>
      cache.getDirectory(source, offset, length, header);
    return { header, readDirectory };
  };
  try {
    return (await selectFromParts(index, openPart, { bounds, ranges })) ?? [];
  } finally {
    for (const { close } of opened) await close();
  }
}

type CopiedPiece = Exclude<Piece, { readonly source: 'made' }>;

interface FilePlace {
  readonly path: string;
  readonly offset: number;
}

function partAt(charts: string, archive: Archive, address: number): FilePlace {
  const { part, offset } = placeOf(address);
  return { path: join(charts, partKey(PartIndex.of(archive).parts[part]!.sha256)), offset };
}

async function* bytesOf(
  pieces: readonly Piece[],
  pathOf: (piece: CopiedPiece) => FilePlace,
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece.source === 'made') yield piece.bytes();
    else {
      const { path, offset } = pathOf(piece);
      yield* createReadStream(path, { start: offset, end: offset + piece.length - 1 });
    }
  }
}
