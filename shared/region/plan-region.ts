// Plans a region file as a list of pieces: bytes that are generated, and ranges to copy from the
// build's archives and the artwork. No tile is read for this.

import { type Entry, tileIdToZxy } from 'pmtiles';
import { crc32 } from '../bytes/crc32.ts';
import type { Digest } from '../bytes/digest.ts';
import { joinBytes } from '../bytes/join-bytes.ts';
import { utf8Bytes } from '../bytes/utf8.ts';
import type { GeoBounds } from '../chart/bounds.ts';
import { chartAttribution, type Manifest } from '../chart/manifest.ts';
import { vectorLayers } from '../chart/tile-schema.ts';
import { CROWD_MAX_ZOOM, CROWD_TILESET } from '../crowd/bin.ts';
import { CROWD_VECTOR_LAYERS } from '../crowd/bin-fields.ts';
import {
  archiveTile,
  kindOf,
  NEAR_ZOOMS,
  QUERY_TILESET,
  tierNumber,
  WHOLE_ZOOMS,
} from '../query/bucket-layers.ts';
import { crowdTiles } from '../style/layers/crowd.ts';
import { type LaidOutArchive, layOutArchive } from './lay-out-archive.ts';
import { lastZoom, REGION_ADDRESS } from './region-addresses.ts';
import {
  describeCharts,
  REGION_FORMAT,
  type RegionArchive,
  type RegionNote,
  type RegionRequest,
} from './region-note.ts';
import { regionStyles } from './region-styles.ts';
import { type ZipFiles, type ZipMember, zipDirectory, zipFiles } from './stored-zip.ts';
import { plainWorlds, type World } from './tile-ranges.ts';

/** The archives of a region file, in their order. */
export const REGION_PARTS = ['chart', 'query', 'crowd'] as const;
export type RegionPart = (typeof REGION_PARTS)[number];

/** The archive that each part of a region is copied from. */
export const TILESETS: Readonly<Record<RegionPart, string>> = {
  chart: 'enc-v2',
  query: QUERY_TILESET,
  crowd: CROWD_TILESET,
};

/** Sprites and glyphs as consecutive files of a zip; the same for all regions. */
export interface RegionArtwork {
  readonly hash: string;
  readonly bytes: number;
  readonly members: readonly ZipMember[];
}

/** A piece at offset `at` of the file. Copied pieces start at offset or address `from` of their source. */
export type Piece = { readonly at: number; readonly length: number } & (
  | {
      readonly source: 'made';
      readonly name: string;
      /** Makes the bytes again if they are not kept. */
      readonly bytes: () => Uint8Array;
      readonly isKept: boolean;
    }
  | { readonly source: RegionPart | 'artwork'; readonly from: number }
);

export interface RegionPlan {
  readonly note: RegionNote;
  /** In file order, without gaps. */
  readonly pieces: readonly Piece[];
  /** Size of the file. */
  readonly bytes: number;
  readonly chart: LaidOutArchive;
  readonly query: LaidOutArchive | undefined;
  readonly crowd: LaidOutArchive | undefined;
}

interface RegionDepths {
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
}

interface RegionInput {
  readonly request: RegionRequest;
  readonly manifest: Manifest;
  readonly artwork: RegionArtwork;
  /** The selected entries of the archives, with addresses as offsets; at least one of the chart. */
  readonly chart: readonly Entry[];
  readonly query: readonly Entry[];
  /** Crowdsourced depths, if the request wants them. */
  readonly crowd?: RegionDepths | undefined;
  /** Deepest zoom of the tile archive. */
  readonly archiveZoom: number;
}

/** The worlds of tiles that a region contains of each archive. */
export const worldsOf = (
  part: RegionPart,
  { maxZoom }: RegionRequest,
  archiveZoom: number,
): readonly World[] =>
  part !== 'query'
    ? plainWorlds(Math.min(maxZoom, part === 'chart' ? archiveZoom : CROWD_MAX_ZOOM))
    : Array.from({ length: tierNumber(maxZoom) + 1 }, (_, tier) => [
        ...NEAR_ZOOMS.map((zoom) => ({ zoom, layer: { tier, kind: 'near' } as const })),
        ...WHOLE_ZOOMS.map((zoom) => ({ zoom, layer: { tier, kind: 'whole' } as const })),
      ])
        .flat()
        .map(({ zoom, layer }) => ({ zoom, place: (tile) => archiveTile(layer, tile) }));

/** @throws RangeError if the file would exceed the size limit of a zip */
export async function planRegion(input: RegionInput, digest: Digest): Promise<RegionPlan> {
  const { request, manifest, artwork, archiveZoom } = input;
  const depths = input.crowd?.entries.length ? input.crowd : undefined;
  const about = describeCharts(manifest, request, input.query.some(isNear), depths?.manifest);
  const { bounds } = request;
  const metadata = {
    description: 'Part of a nautical chart. Not for navigation.',
    attribution: chartAttribution(about.attributions),
    version: manifest.buildId,
    type: 'overlay',
    'leadline:notices': about.notices,
    'leadline:bounds': about.bounds,
  };
  const chart = layOutArchive({
    entries: input.chart,
    isVector: true,
    bounds,
    metadata: {
      name: 'Leadline region',
      format: 'pbf',
      ...metadata,
      vector_layers: vectorLayers(0, Math.min(request.maxZoom, archiveZoom)),
    },
  });
  const query =
    input.query.length === 0
      ? undefined
      : layOutArchive({
          entries: input.query,
          isVector: false,
          bounds,
          metadata: { name: 'Leadline region, features', ...metadata },
        });
  const crowd = depths && layOutCrowd(depths, { bounds, ...metadata });
  const ofStyles: Parameters<typeof regionStyles> = [
    request,
    manifest.datasets,
    archiveZoom,
    depths && crowdTiles(`${REGION_ADDRESS}/crowd/{z}/{x}/{y}`, depths.manifest),
  ];
  const styles = zipStyles(...ofStyles);
  const note: Omit<RegionNote, 'id'> = {
    format: REGION_FORMAT,
    ...about,
    storedZoom: chart.maxZoom,
    lastZoom: lastZoom(request.maxZoom, archiveZoom),
    chart: placed(chart, 0),
    query: query === undefined ? null : placed(query, chart.bytes),
    ...(request.crowd === true
      ? {
          crowd:
            crowd === undefined || depths === undefined
              ? null
              : {
                  ...placed(crowd, chart.bytes + (query?.bytes ?? 0)),
                  build: depths.manifest.buildId,
                  storedZoom: crowd.maxZoom,
                },
        }
      : {}),
  };
  const layout = await digest(
    joinBytes([chart, query, crowd].map((archive) => archive?.head ?? new Uint8Array(0))),
  );
  const others = await digest(
    joinBytes([styles.bytes, utf8Bytes(JSON.stringify([artwork.hash, note]))]),
  );
  const id = [manifest.buildId, short(layout), short(others)].join('.');
  const whole: RegionNote = { ...note, id };
  const archives = { chart, query, crowd };
  const remake = remakeStyles(ofStyles, styles.bytes);
  return {
    note: whole,
    ...layOut({ archives, artwork, styles, remake, note: whole }),
    ...archives,
  };
}

const zipStyles = (...given: Parameters<typeof regionStyles>): ZipFiles =>
  zipFiles(regionStyles(...given).map(([name, text]) => [name, utf8Bytes(text)] as const));

/** The styles are two megabytes, and plans are cached: they are made again if their memory was needed. */
function remakeStyles(given: Parameters<typeof regionStyles>, made: Uint8Array) {
  let kept = new WeakRef(made);
  return () => {
    const bytes = kept.deref() ?? zipStyles(...given).bytes;
    kept = new WeakRef(bytes);
    return bytes;
  };
}

/** Whether an entry has features within the box, not only whole geometries with their centre there. */
const isNear = ({ tileId }: Entry): boolean => {
  const [z, x, y] = tileIdToZxy(tileId);
  return kindOf({ z, x, y }) === 'near';
};

/** The archive of the crowdsourced depths in the box. */
function layOutCrowd(
  { manifest, entries }: RegionDepths,
  { bounds, ...metadata }: { readonly bounds: GeoBounds },
): LaidOutArchive {
  return layOutArchive({
    entries,
    isVector: true,
    bounds,
    metadata: {
      name: 'Leadline region, crowdsourced depths',
      format: 'pbf',
      ...metadata,
      version: manifest.buildId,
      vector_layers: CROWD_VECTOR_LAYERS,
    },
  });
}

const placed = ({ bytes, tiles, head }: LaidOutArchive, offset: number): RegionArchive => ({
  offset,
  bytes,
  tiles,
  head: { bytes: head.length, crc32: crc32(head) },
});

const short = (digest: string): string => digest.slice(0, 16);

interface Contents {
  readonly archives: Pick<RegionPlan, RegionPart>;
  readonly artwork: RegionArtwork;
  readonly styles: ZipFiles;
  readonly remake: () => Uint8Array;
  readonly note: RegionNote;
}

function layOut({ archives, artwork, styles, remake, note }: Contents) {
  const pieces: Piece[] = [];
  let at = 0;
  const add = (piece: Unplaced) => {
    pieces.push({ ...piece, at });
    at += piece.length;
  };
  for (const part of REGION_PARTS) {
    const archive = archives[part];
    if (archive === undefined) continue;
    add(madePiece(part, archive.head));
    for (const run of runsOf(archive)) add({ source: part, ...run });
  }
  const moved = (members: readonly ZipMember[]) =>
    members.map((member) => ({ ...member, offset: member.offset + at }));
  const members = [moved(artwork.members)];
  add({ source: 'artwork', from: 0, length: artwork.bytes });
  members.push(moved(styles.members));
  const { length } = styles.bytes;
  add({ source: 'made', name: 'styles', bytes: remake, isKept: false, length });
  const text = utf8Bytes(`${JSON.stringify(note, null, 1)}\n`);
  const zipped = zipFiles([['region.json', text]]);
  members.push(moved(zipped.members));
  add(madePiece('region.json', zipped.bytes));
  add(madePiece('directory', zipDirectory(members.flat(), at)));
  return { pieces, bytes: at };
}

/** A piece whose bytes are kept. */
export const madePiece = (name: string, bytes: Uint8Array) =>
  ({ source: 'made', name, bytes: () => bytes, isKept: true, length: bytes.length }) as const;

type Unplaced = Piece extends infer P ? (P extends Piece ? Omit<P, 'at'> : never) : never;

/** Join contents that are also consecutive in their source. */
function runsOf({ contents }: LaidOutArchive): { from: number; length: number }[] {
  const runs: { from: number; length: number }[] = [];
  for (const { from, length } of contents) {
    const last = runs.at(-1);
    if (last !== undefined && last.from + last.length === from) last.length += length;
    else runs.push({ from, length });
  }
  return runs;
}
