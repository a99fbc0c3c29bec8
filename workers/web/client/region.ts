// @leadline/client/region: a region's file opened where there is no network. Tiles, style documents,
// symbols and letters come out of it alone.

import { PMTiles } from 'pmtiles';
import { crc32 } from '../../../shared/bytes/crc32.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { overzoomTile } from '../../../shared/mvt/overzoom.ts';
import { DELTA_MAGIC, DELTA_PREFIX_BYTES, type DeltaNote } from '../../../shared/region/delta.ts';
import { REGION_ADDRESS, styleFile } from '../../../shared/region/region-addresses.ts';
import { readZipDirectory, startOfFile } from '../../../shared/region/stored-zip.ts';
import { isInBox } from '../../../shared/region/tile-ranges.ts';
import type { RegionNote, StyleDocument } from './wire.ts';

/** Bytes that can be read anywhere: a `File` or `Blob`, or whatever an app keeps files in. */
export interface RegionSource {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** What MapLibre asks a protocol for. */
export interface ProtocolRequest {
  readonly url: string;
  readonly type?: string;
}

export interface Region {
  /** What the file says of itself. Show its `notices` and `attributions`. */
  readonly note: RegionNote;
  /** A tile as the service answers it, unzipped; undefined outside the region. */
  tile(tile: {
    readonly z: number;
    readonly x: number;
    readonly y: number;
  }): Promise<Uint8Array | undefined>;
  /** A file of the zip by its name, such as `sprites/day.png`; undefined where there is none. */
  file(name: string): Promise<Uint8Array | undefined>;
  /** A style document whose addresses are this file's; `live` as in `StyleParameters`. */
  style(
    theme?: 'day' | 'dusk' | 'night',
    options?: { readonly live?: boolean },
  ): Promise<StyleDocument>;
  /** For MapLibre: `addProtocol('region', region.protocol)`, by the name that `openRegion` was given. */
  readonly protocol: (
    request: ProtocolRequest,
    abort?: AbortController,
  ) => Promise<{ data: unknown }>;
}

/** The file is no region, or is damaged. */
export class RegionFileError extends Error {
  override name = 'RegionFileError';
}

interface OpenOptions {
  /** Of the protocol in the addresses of style documents; `region` unless said. One for each region. */
  readonly protocol?: string;
}

/** The longest directory of a zip that is looked for. */
const TAIL_BYTES = 65_536;

/** @throws RegionFileError where the file is none of a region, or not the whole of it */
export async function openRegion(
  from: Blob | RegionSource,
  { protocol = 'region' }: OpenOptions = {},
): Promise<Region> {
  const source = sourceOf(from);
  const tailBytes = Math.min(TAIL_BYTES, source.size);
  const tail = await readWhole(source, source.size - tailBytes, tailBytes);
  const members = readZipDirectory(tail, source.size);
  if (members === undefined) throw new RegionFileError('The file is no region, or is cut short.');
  const byName = new Map(members.map((member) => [member.name, member]));
  const file = async (name: string): Promise<Uint8Array | undefined> => {
    const member = byName.get(name);
    if (member === undefined) return undefined;
    const bytes = await readWhole(source, startOfFile(member), member.bytes);
    if (crc32(bytes) !== member.crc32) throw new RegionFileError(`Its ${name} is damaged.`);
    return bytes;
  };
  const json = async (name: string): Promise<unknown> => {
    const bytes = await file(name);
    if (bytes === undefined) throw new RegionFileError(`The region has no ${name}.`);
    return JSON.parse(new TextDecoder().decode(bytes));
  };
  const note = (await json('region.json')) as RegionNote;
  if (note.format !== 'leadline-region-1') {
    throw new RegionFileError('The region is of a format that this version does not know.');
  }
  const tiles = tilesOf(source, note);
  const style: Region['style'] = async (theme = 'day', { live = false } = {}) => {
    const bytes = await file(styleFile(theme, live ? 'live' : 'plain'));
    if (bytes === undefined) throw new RegionFileError(`The region has no style ${theme}.`);
    const text = new TextDecoder().decode(bytes);
    const address = `${protocol}://here`;
    return JSON.parse(text.replaceAll(REGION_ADDRESS, address)) as StyleDocument;
  };
  return {
    note,
    tile: tiles,
    file,
    style,
    protocol: async ({ url, type }, abort) => {
      const path = decodeURIComponent(url.replace(/^[^:]+:\/\/[^/]*\//, ''));
      const [, z, x, y] = /^tiles\/(\d+)\/(\d+)\/(\d+)$/.exec(path) ?? [];
      // What lies outside has no layers: styles draw it as no data.
      const bytes =
        z === undefined
          ? await file(path)
          : ((await tiles({ z: Number(z), x: Number(x), y: Number(y) })) ?? new Uint8Array(0));
      abort?.signal.throwIfAborted();
      // Letters that no font of ours has.
      if (bytes === undefined && path.endsWith('.pbf')) return { data: new Uint8Array(0) };
      if (bytes === undefined) throw new RegionFileError(`The region has no ${path}.`);
      return { data: type === 'json' ? JSON.parse(new TextDecoder().decode(bytes)) : bytes };
    },
  };
}

/** Tiles are made from their deepest stored ancestor where they are not stored, as the service does. */
function tilesOf(
  source: RegionSource,
  { chart, bounds, lastZoom, storedZoom }: RegionNote,
): Region['tile'] {
  const archive = new PMTiles(
    {
      getKey: () => 'region',
      getBytes: async (offset, length) => {
        // Its first read asks for more than a small file has.
        const most = Math.min(length, chart.bytes - offset);
        const bytes = await readWhole(source, chart.offset + offset, most);
        return { data: bytes.slice().buffer };
      },
    },
    undefined,
    async (bytes, compression) => (compression === GZIP ? gunzip(bytes) : bytes),
  );
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
    try {
      return await read(tile);
    } catch (error) {
      if (error instanceof RegionFileError) throw error;
      throw new RegionFileError('The tiles of the region are damaged.', { cause: error });
    }
  };
}

/** One check for all tiles that are asked at once; one that failed is tried again by the next. */
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

/** Tiles have sums of their own; the directories that say where each lies have this one. */
async function checkHead(source: RegionSource, { offset, head }: RegionNote['chart']) {
  // Files that were made before it was written have none.
  if (head === undefined) return;
  if (crc32(await readWhole(source, offset, head.bytes)) !== head.crc32) {
    throw new RegionFileError('The directories of the region are damaged.');
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
  if (bytes.length !== length) throw new RegionFileError('The file is cut short.');
  return bytes;
}

/** Copied at once, so that a large file takes little memory. */
const COPY_BYTES = 4 * 1024 * 1024;

/**
 * The newer file, piece by piece, from the older one and the delta between them. Nothing is yielded
 * where they do not belong together.
 * @throws RegionFileError
 */
export async function* applyDelta(
  old: Blob | RegionSource,
  delta: Blob | RegionSource,
): AsyncGenerator<Uint8Array, void> {
  const [oldFile, deltaFile] = [sourceOf(old), sourceOf(delta)];
  const prefix = await readWhole(deltaFile, 0, DELTA_PREFIX_BYTES);
  if (String.fromCharCode(...prefix.subarray(0, DELTA_MAGIC.length)) !== DELTA_MAGIC) {
    throw new RegionFileError('This is no delta of regions.');
  }
  const noteBytes = new DataView(prefix.buffer, prefix.byteOffset).getUint32(8, true);
  const text = new TextDecoder().decode(await readWhole(deltaFile, DELTA_PREFIX_BYTES, noteBytes));
  const { from, to, steps } = JSON.parse(text) as DeltaNote;
  const { note } = await openRegion(oldFile);
  if (note.id !== from.id || oldFile.size !== from.bytes) {
    throw new RegionFileError('The delta is for another file.');
  }
  let next = DELTA_PREFIX_BYTES + noteBytes;
  const inserted = steps.reduce((sum, step) => sum + (step.length === 1 ? step[0] : 0), 0);
  if (deltaFile.size !== next + inserted) throw new RegionFileError('The delta is cut short.');
  if (steps.reduce((sum, step) => sum + step.at(-1)!, 0) !== to.bytes) {
    throw new RegionFileError('The delta is damaged.');
  }
  for (const step of steps) {
    const length = step.at(-1)!;
    const start = step.length === 1 ? next : step[0];
    for (let done = 0; done < length; done += COPY_BYTES) {
      const part = Math.min(COPY_BYTES, length - done);
      yield await readWhole(step.length === 1 ? deltaFile : oldFile, start + done, part);
    }
    if (step.length === 1) next += length;
  }
}
