// @leadline/client/region: reads region files. They contain tiles, style documents, sprites and glyphs, so
// that no network is needed.

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { PMTiles } from 'pmtiles';
import { crc32 } from '../../../shared/bytes/crc32.ts';
import { daysAt } from '../../../shared/chart/in-force.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { overzoomTile } from '../../../shared/mvt/overzoom.ts';
import { DELTA_MAGIC, DELTA_PREFIX_BYTES, type DeltaNote } from '../../../shared/region/delta.ts';
import { REGION_ADDRESS, styleFile } from '../../../shared/region/region-addresses.ts';
import { readZipDirectory, startOfFile } from '../../../shared/region/stored-zip.ts';
import { isInBox } from '../../../shared/region/tile-ranges.ts';
import { inForce } from '../../../shared/style/document/in-force.ts';
import { usedFonts } from '../../../shared/style/fonts.ts';
import type { RegionNote, StyleDocument } from './wire.ts';

/** Random access to the bytes of a file, for apps that do not use `File` or `Blob`. */
export interface RegionSource {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A request that MapLibre sends to a protocol. */
export interface ProtocolRequest {
  readonly url: string;
  readonly type?: string;
}

export interface Region {
  /** Description of the region. Show its `notices` and `attributions`. */
  readonly note: RegionNote;
  /** An uncompressed vector tile, or `undefined` outside the region. */
  tile(tile: {
    readonly z: number;
    readonly x: number;
    readonly y: number;
  }): Promise<Uint8Array | undefined>;
  /**
   * An uncompressed tile of crowdsourced depths, or `undefined` outside the region and in a file without
   * them. Not a part of the official chart.
   */
  crowdTile(tile: {
    readonly z: number;
    readonly x: number;
    readonly y: number;
  }): Promise<Uint8Array | undefined>;
  /** A file of the ZIP archive, such as `sprites/day.png`, or `undefined` if it does not exist. */
  file(name: string): Promise<Uint8Array | undefined>;
  /**
   * A style document with URLs in this file, for objects that are in force today; `live` as in
   * `StyleParameters`.
   */
  style(
    theme?: 'day' | 'dusk' | 'night',
    options?: { readonly live?: boolean },
  ): Promise<StyleDocument>;
  /** Name of the protocol in the URLs of style documents. */
  readonly protocolName: string;
  /** For MapLibre: `addProtocol(region.protocolName, region.protocol)`. `<leadline-chart>` does this itself. */
  readonly protocol: (
    request: ProtocolRequest,
    abort?: AbortController,
  ) => Promise<{ data: unknown }>;
}

/** The file is not a region file, or is damaged. */
export class RegionFileError extends Error {
  override name = 'RegionFileError';
}

interface OpenOptions {
  /** Protocol name in the URLs of style documents, unique for each open region. Default: `region`. */
  readonly protocol?: string;
}

/** Number of bytes at the end of the file that are searched for the ZIP directory. */
const TAIL_BYTES = 65_536;

/** @throws RegionFileError if the file is not a region file or is truncated */
export async function openRegion(
  from: Blob | RegionSource,
  { protocol = 'region' }: OpenOptions = {},
): Promise<Region> {
  const source = sourceOf(from);
  const tailBytes = Math.min(TAIL_BYTES, source.size);
  const tail = await readWhole(source, source.size - tailBytes, tailBytes);
  const members = readZipDirectory(tail, source.size);
  if (members === undefined)
    throw new RegionFileError('The file is not a region file, or it is truncated.');
  const byName = new Map(members.map((member) => [member.name, member]));
  const file = async (name: string): Promise<Uint8Array | undefined> => {
    const member = byName.get(name);
    if (member === undefined) return undefined;
    const bytes = await readWhole(source, startOfFile(member), member.bytes);
    if (crc32(bytes) !== member.crc32)
      throw new RegionFileError(`${name} in the region file is damaged.`);
    return bytes;
  };
  /** Glyphs of the known fonts of a list, or of the default font. Empty if the range has no glyphs. */
  const otherGlyphs = async (path: string): Promise<Uint8Array | undefined> => {
    const [, list, range] = /^glyphs\/([^/]+)\/([^/]+\.pbf)$/.exec(path) ?? [];
    if (list === undefined) return undefined;
    const fonts = usedFonts(list, (font) => byName.has(`glyphs/${font}/0-255.pbf`));
    const names = fonts.map((font) => `glyphs/${font}/${range}`);
    const name = names.find((one) => byName.has(one));
    return name === undefined ? new Uint8Array(0) : file(name);
  };
  const json = async (name: string): Promise<unknown> => {
    const bytes = await file(name);
    if (bytes === undefined) throw new RegionFileError(`The region file does not contain ${name}.`);
    return JSON.parse(new TextDecoder().decode(bytes));
  };
  const note = (await json('region.json')) as RegionNote;
  if (note.format !== 'leadline-region-1') {
    throw new RegionFileError(
      'This version of the client does not support the format of the region file.',
    );
  }
  const tiles = tilesOf(source, note.chart, note);
  const { crowd } = note;
  const depths =
    crowd == null
      ? undefined
      : tilesOf(source, crowd, {
          bounds: note.bounds,
          lastZoom: crowd.storedZoom,
          storedZoom: crowd.storedZoom,
        });
  const crowdTile: Region['crowdTile'] = async (tile) => depths?.(tile);
  const style: Region['style'] = async (theme = 'day', { live = false } = {}) => {
    const bytes = await file(styleFile(theme, live ? 'live' : 'plain'));
    if (bytes === undefined)
      throw new RegionFileError(`The region file does not contain the style ${theme}.`);
    const text = new TextDecoder().decode(bytes);
    const address = `${protocol}://here`;
    const style = JSON.parse(text.replaceAll(REGION_ADDRESS, address)) as StyleSpecification;
    const layers = inForce(style.layers, daysAt(Date.now()));
    return { ...style, layers } as object as StyleDocument;
  };
  return {
    note,
    tile: tiles,
    crowdTile,
    file,
    style,
    protocolName: protocol,
    protocol: async ({ url, type }, abort) => {
      const path = decodeURIComponent(url.replace(/^[^:]+:\/\/[^/]*\//, ''));
      const [, kind, z, x, y] = /^(tiles|crowd)\/(\d+)\/(\d+)\/(\d+)$/.exec(path) ?? [];
      const read = kind === 'crowd' ? crowdTile : tiles;
      // Tiles outside the region are empty: styles draw them as no data.
      const bytes =
        z === undefined
          ? ((await file(path)) ?? (await otherGlyphs(path)))
          : ((await read({ z: Number(z), x: Number(x), y: Number(y) })) ?? new Uint8Array(0));
      abort?.signal.throwIfAborted();
      if (bytes === undefined)
        throw new RegionFileError(`The region file does not contain ${path}.`);
      return { data: type === 'json' ? JSON.parse(new TextDecoder().decode(bytes)) : bytes };
    },
  };
}

/** Reads stored tiles. Creates other tiles from their deepest stored ancestor, as the service does. */
function tilesOf(
  source: RegionSource,
  chart: RegionNote['chart'],
  { bounds, lastZoom, storedZoom }: Pick<RegionNote, 'bounds' | 'lastZoom' | 'storedZoom'>,
): Region['tile'] {
  const openArchive = () =>
    new PMTiles(
      {
        getKey: () => 'region',
        getBytes: async (offset, length) => {
          // The first read of PMTiles may exceed the size of a small archive.
          const most = Math.min(length, chart.bytes - offset);
          const bytes = await readWhole(source, chart.offset + offset, most);
          return { data: bytes.slice().buffer };
        },
      },
      undefined,
      async (bytes, compression) => (compression === GZIP ? gunzip(bytes) : bytes),
    );
  let archive = openArchive();
  const box = bounds as [number, number, number, number];
  const head = checkedOnce(source, chart);
  const read = async (tile: TileId): Promise<Uint8Array | undefined> => {
    await head();
    for (let z = Math.min(tile.z, storedZoom); z >= 0; z--) {
      const from: TileId = { z, x: tile.x >> (tile.z - z), y: tile.y >> (tile.z - z) };
      const found = await archive.getZxy(from.z, from.x, from.y);
      if (found !== undefined) return overzoomTile(new Uint8Array(found.data), from, tile);
    }
    return undefined;
  };
  return async (tile) => {
    if (tile.z > lastZoom || !isInBox(box, tile)) return undefined;
    const used = archive;
    try {
      return await read(tile);
    } catch (error) {
      // PMTiles keeps reads that failed. The next request reads again.
      if (archive === used) archive = openArchive();
      if (error instanceof RegionFileError) throw error;
      throw new RegionFileError('The tiles in the region file are damaged.', { cause: error });
    }
  };
}

/** Shares one check among all tile requests. A failed check is repeated by the next request. */
function checkedOnce(source: RegionSource, chart: RegionNote['chart']): () => Promise<void> {
  let checked: Promise<void> | undefined;
  return () => {
    checked ??= checkHead(source, chart).catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
    return checked;
  };
}

/** Checks the CRC-32 of the tile directories. Tiles have their own checksums. */
async function checkHead(source: RegionSource, { offset, head }: RegionNote['chart']) {
  // Older files have no checksum.
  if (head === undefined) return;
  if (crc32(await readWhole(source, offset, head.bytes)) !== head.crc32) {
    throw new RegionFileError('The tile directories in the region file are damaged.');
  }
}

const GZIP = 2;

async function gunzip(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const body = new Response(bytes).body!.pipeThrough(new DecompressionStream('gzip'));
  return new Response(body).arrayBuffer();
}

const sourceOf = (from: Blob | RegionSource): RegionSource =>
  'read' in from
    ? from
    : {
        size: from.size,
        read: async (offset, length) =>
          new Uint8Array(await from.slice(offset, offset + length).arrayBuffer()),
      };

async function readWhole(
  source: RegionSource,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const bytes = await source.read(offset, length);
  if (bytes.length !== length) throw new RegionFileError('The file is truncated.');
  return bytes;
}

/** Maximum size of a yielded piece, to limit memory use. */
const COPY_BYTES = 4 * 1024 * 1024;

/**
 * Yields the new file in pieces, from the old file and a delta. Throws before the first piece if they do
 * not match.
 * @throws RegionFileError
 */
export async function* applyDelta(
  old: Blob | RegionSource,
  delta: Blob | RegionSource,
): AsyncGenerator<Uint8Array, void> {
  const [oldFile, deltaFile] = [sourceOf(old), sourceOf(delta)];
  const prefix = await readWhole(deltaFile, 0, DELTA_PREFIX_BYTES);
  if (String.fromCharCode(...prefix.subarray(0, DELTA_MAGIC.length)) !== DELTA_MAGIC) {
    throw new RegionFileError('The file is not a region delta.');
  }
  const noteBytes = new DataView(prefix.buffer, prefix.byteOffset).getUint32(8, true);
  const text = new TextDecoder().decode(await readWhole(deltaFile, DELTA_PREFIX_BYTES, noteBytes));
  const { from, to, steps } = JSON.parse(text) as DeltaNote;
  const { note } = await openRegion(oldFile);
  if (note.id !== from.id || (from.bytes ?? oldFile.size) !== oldFile.size) {
    throw new RegionFileError('The delta is for a different region file.');
  }
  let next = DELTA_PREFIX_BYTES + noteBytes;
  const inserted = steps.reduce((sum, step) => sum + (step.length === 1 ? step[0] : 0), 0);
  if (deltaFile.size !== next + inserted) throw new RegionFileError('The delta is truncated.');
  if (steps.reduce((sum, step) => sum + step.at(-1)!, 0) !== to.bytes) {
    throw new RegionFileError('The delta is damaged.');
  }
  for (const step of steps) {
    const length = step.at(-1)!;
    const start = step.length === 1 ? next : step[0];
    for (let copied = 0; copied < length; copied += COPY_BYTES) {
      const part = Math.min(COPY_BYTES, length - copied);
      yield await readWhole(step.length === 1 ? deltaFile : oldFile, start + copied, part);
    }
    if (step.length === 1) next += length;
  }
}
