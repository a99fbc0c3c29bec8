// Extracts a region of a local build to a file. The file is byte-identical to the service's for the
// same build and artwork, without its size limit.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { QUERY_TILESET } from '../../shared/query/bucket-layers.ts';
import {
  type ChosenEntries,
  type Piece,
  planRegion,
  type RegionPart,
  type RegionPlan,
  worldsOf,
} from '../../shared/region/plan-region.ts';
import type { RegionRequest } from '../../shared/region/region-note.ts';
import { selectEntries } from '../../shared/region/select-entries.ts';
import { idRanges } from '../../shared/region/tile-ranges.ts';
import { ASSETS_INDEX_NAME, assetsIndexSchema } from '../../shared/style/assets-index.ts';
import { openArchive } from '../archive/file-source.ts';
import { readBuild } from '../publish/build-folder.ts';

const TILESETS: Readonly<Record<RegionPart, string>> = { chart: 'enc-v2', query: QUERY_TILESET };

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
  const paths = {
    chart: join(charts, archiveOf(manifest, 'chart').file),
    query: join(charts, archiveOf(manifest, 'query').file),
    artwork: join(assets, artwork.file),
  };
  const chosen = (part: RegionPart) =>
    chosenIn(paths[part], idRangesOf(part, request, archiveZoom));
  const chart = await chosen('chart');
  if (chart.entries.length === 0) throw new NothingThere('The box contains no tiles.');
  const query = await chosen('query');
  const input = { request, manifest, artwork, chart, query, archiveZoom };
  const plan = await planRegion(input, async (bytes) =>
    createHash('sha256').update(bytes).digest('hex'),
  );
  const unfinished = `${out}.part`;
  await pipeline(Readable.from(bytesOf(plan.pieces, paths)), createWriteStream(unfinished));
  renameSync(unfinished, out);
  return plan;
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
  const parsed = assetsIndexSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.data === undefined) {
    throw new SourceMissing(
      `${path} was made by another version; create it again with: npm run assets`,
    );
  }
  return parsed.data.offline;
}

async function chosenIn(path: string, ranges: ReturnType<typeof idRanges>): Promise<ChosenEntries> {
  const { archive, close } = await openArchive(path);
  try {
    const header = await archive.getHeader();
    const entries = await selectEntries(
      header,
      (offset, length) => archive.cache.getDirectory(archive.source, offset, length, header),
      ranges,
    );
    return { entries: entries ?? [], dataOffset: header.tileDataOffset };
  } finally {
    await close();
  }
}

async function* bytesOf(
  pieces: readonly Piece[],
  paths: Readonly<Record<Exclude<Piece['source'], 'made'>, string>>,
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece.source === 'made') yield piece.bytes;
    else {
      const { from, length } = piece;
      yield* createReadStream(paths[piece.source], { start: from, end: from + length - 1 });
    }
  }
}
