// Renders a raster tile from the surrounding vector tiles with the day style, as a PNG.

import { deflateSync } from 'node:zlib';
import type { Days } from '../../../shared/chart/in-force.ts';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { decodeTile, type TileLayer } from '../../../shared/mvt/decode.ts';
import { overzoomLayers } from '../../../shared/mvt/overzoom.ts';
import type { PreparedBlock, SetBlock } from '../../../shared/raster/block.ts';
import { type CompiledLayer, compileStyle } from '../../../shared/raster/compile-style.ts';
import { composeTile } from '../../../shared/raster/compose-tile.ts';
import { TILE_PIXELS } from '../../../shared/raster/display-list.ts';
import { Painter } from '../../../shared/raster/paint/paint.ts';
import { DEFLATE_LEVEL, encodePng, type IndexedRows } from '../../../shared/raster/png.ts';
import { prepareBlock } from '../../../shared/raster/prepare-block.ts';
import { type Window, windowOf } from '../../../shared/raster/window.ts';
import { WindowMarks } from '../../../shared/raster/window-marks.ts';
import type { AssetsIndex } from '../../../shared/style/assets-index.ts';
import { buildStyle, STYLE_VERSION } from '../../../shared/style/document/build-style.ts';
import { CHART_SOURCE } from '../../../shared/style/layers/layer.ts';
import { DEFAULT_OPTIONS } from '../../../shared/style/options.ts';
import { findTile } from '../charts/tile-store.ts';
import type { Env, Settings } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { gunzip } from '../runtime/gzip.ts';
import { logFault } from '../runtime/log.ts';
import {
  boundedCache,
  CACHE_BYTES,
  MemoryReservation,
  WORK_BYTES,
} from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { WorkQueue } from '../runtime/work-queue.ts';
import { type LoadedArtwork, rasterArtwork } from './artwork.ts';
import { paintWithResvg } from './resvg.ts';
import { canvasStarter } from './start-canvas.ts';

/** Increment it with each change of the rendered pixels. It is part of cache keys and ETags. */
const RENDERER_VERSION = '8';

/**
 * Identifies everything except the build that determines a picture: renderer, style, artwork and
 * date.
 */
export const rasterVariant = (
  assets: AssetsIndex,
  painter: Settings['rasterPainter'],
  days: Days,
): string => `-${painter}${RENDERER_VERSION}.${STYLE_VERSION}.${assets.inputs}.${days.last}`;

/** Objects that are reused from tile to tile. */
interface Studio {
  readonly artwork: LoadedArtwork;
  readonly style: readonly CompiledLayer[];
  readonly painter: Painter;
  /** The last day for which the style is valid. */
  readonly day: number;
}

/** Memory per number of a prepared block, with overhead. */
const BYTES_A_NUMBER = 15;
const ENTRY_NUMBERS = 500;
/** Memory of a mark with its position. */
const BYTES_A_PLACED_MARK = 350;
/** Fraction of the memory for blocks that is used for the marks shown on them. */
const PLACED_SHARE = 0.25;
/** Maximum bytes per byte of a tile: while it is decoded and prepared, and after preparation. */
const DECODED_A_BYTE = 12;
const PREPARED_A_BYTE = 7;
/**
 * Maximum number of pictures that are drawn or wait for their tiles. Others wait, because source
 * tiles need memory.
 */
const MAX_PICTURES = 6;
/** The part of the memory for pictures that holds stored tiles; the rest is for drawing. */
const STORED_BYTES = 12 * 1024 * 1024;

/**
 * Queues for pictures and, by bytes, for drawing them: a picture of a crowded harbour may need all
 * the memory.
 */
const pictures = new WorkQueue(MAX_PICTURES);
const drawing = new WorkQueue(WORK_BYTES.rasterTiles - STORED_BYTES);

const sizeOf = ({ weight }: PreparedBlock): number => (weight + ENTRY_NUMBERS) * BYTES_A_NUMBER;

/**
 * Cache; keys contain the build id, so entries of old builds are evicted. Sixteen raster tiles need
 * each block, mostly within seconds. So the heaviest block is kept too, if necessary as the only
 * one.
 */
const preparedBlocks = boundedCache<PreparedBlock>('rasterBlocks', {
  share: 1 - PLACED_SHARE,
  sizeOf: (block) =>
    Math.min(sizeOf(block), Math.floor(CACHE_BYTES.rasterBlocks * (1 - PLACED_SHARE))),
  mostOfOne: 1,
});

/**
 * Cache: the marks that are shown on the blocks of a window, for the four tiles that use it. It
 * keeps the data of these marks in memory, even if their blocks are evicted.
 */
const placedMarks = boundedCache<WindowMarks>('rasterBlocks', {
  share: PLACED_SHARE,
  sizeOf: ({ length }) => (length + 1) * BYTES_A_PLACED_MARK,
  mostOfOne: 1,
});

/** Cache: the style is compiled and the canvas is created once per isolate. */
let studio: Studio | undefined;
let painter: Painter | undefined;

interface RasterRequest {
  readonly env: Env;
  readonly manifest: Manifest;
  readonly assets: AssetsIndex;
  readonly tile: TileId;
  readonly painter: Settings['rasterPainter'];
  /** The date for which the chart is drawn. */
  readonly days: Days;
  /** The client's, which takes turns with others. */
  readonly network: string;
  readonly cost: RequestCost;
}

/**
 * Returns the tile as a PNG. Drawing continues even if the client disconnects, because work that
 * the platform cancels would keep its place in the queue.
 * @throws ApiError 503 if charts or artwork cannot be read
 */
export async function renderTile(options: RasterRequest): Promise<Uint8Array> {
  const leave = await pictures.enter(1, options.network);
  const work = picture(options).finally(leave);
  options.cost.defer(work.catch(() => undefined));
  return work;
}

async function picture(options: RasterRequest): Promise<Uint8Array> {
  const opened = await openStudio(options);
  const window = windowOf(options.tile);
  const reservation = new MemoryReservation();
  try {
    const sources = await Promise.all(
      window.blocks.map(({ tile }) => sourceOf(options, window, tile)),
    );
    const stored = sources.reduce((sum, { found }) => sum + (found?.stored.length ?? 0), 0);
    reservation.grow(stored);
    const bytes = bytesToDraw(sources);
    const leave = await drawing.enter(bytes);
    reservation.grow(stored + bytes);
    try {
      return await drawn(options, opened, window, sources);
    } finally {
      leave();
    }
  } finally {
    reservation.release();
  }
}

/** Maximum memory of drawing: all prepared blocks, and the largest tile while it is decoded. */
function bytesToDraw(sources: readonly BlockSource[]): number {
  const unpacked = sources.map(({ found }) =>
    found === undefined ? 0 : unpackedSize(found.stored),
  );
  const kept = sources.reduce(
    (sum, { known }) => sum + (known === undefined ? 0 : sizeOf(known)),
    0,
  );
  const prepared = unpacked.reduce((sum, size) => sum + size * PREPARED_A_BYTE, 0);
  return kept + prepared + Math.max(...unpacked) * DECODED_A_BYTE;
}

/** Prepares blocks one at a time, so that the decoded data of only one is in memory. */
async function drawn(
  options: RasterRequest,
  { artwork, style, painter }: Studio,
  window: Window,
  sources: readonly BlockSource[],
): Promise<Uint8Array> {
  const { tile } = options;
  const set: SetBlock[] = [];
  for (const [i, one] of window.blocks.entries()) {
    const block = await blockOf(sources[i]!, artwork, style, window);
    set.push({ ...one, block });
  }
  const list = composeTile({
    blocks: set,
    marks: shownMarks(options, window, set),
    style,
    zoom: window.zoom,
    originX: tile.x * TILE_PIXELS,
    originY: tile.y * TILE_PIXELS,
  });
  const pixels = options.painter === 'resvg' ? await paintWithResvg(list, artwork) : undefined;
  const drawn = guarded(() => (pixels === undefined ? painter.draw(list) : painter.reduce(pixels)));
  return encodePng(drawn, TILE_PIXELS, deflate);
}

/** @throws ApiError 503 if the canvas failed twice or there is more to draw than it supports */
function guarded(draw: () => IndexedRows): IndexedRows {
  try {
    return draw();
  } catch (error) {
    logFault('raster canvas', error);
    throw new ApiError('raster_unavailable');
  }
}

function shownMarks(
  { manifest, days }: RasterRequest,
  { blockPixels, blocks }: Window,
  set: readonly SetBlock[],
): WindowMarks {
  const { z, x, y } = blocks[0]!.tile;
  // A window at a pole has only one row of blocks.
  const key = `${manifest.buildId}/${days.last}/${blockPixels}/${z}/${x}/${y}/${blocks.length}`;
  let marks = placedMarks.get(key);
  if (marks === undefined) {
    marks = new WindowMarks(set, blockPixels);
    placedMarks.set(key, marks);
  }
  return marks;
}

async function openStudio({ env, assets, days }: RasterRequest): Promise<Studio> {
  if (studio?.day === days.last) return studio;
  const artwork = await rasterArtwork(env, assets);
  // The renderer never requests these URLs.
  const nowhere = 'https://nowhere.invalid/';
  const document = buildStyle({
    options: DEFAULT_OPTIONS,
    addresses: { tiles: nowhere, sprite: nowhere, glyphs: nowhere },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
    days,
  });
  const style = compileStyle(document, CHART_SOURCE);
  const start = await canvasStarter();
  // The style of another day is drawn on the same canvas.
  painter ??= new Painter(artwork, start, (error) => logFault('raster canvas', error));
  const opened = { artwork, style, painter, day: days.last };
  studio = opened;
  return opened;
}

/** A cached block, or the stored tile that it is made of; neither if there is no chart. */
interface BlockSource {
  readonly key: string;
  readonly tile: TileId;
  readonly known: PreparedBlock | undefined;
  readonly found: Awaited<ReturnType<typeof findTile>>;
}

async function sourceOf(
  { env, manifest, days, cost }: RasterRequest,
  { blockPixels }: Window,
  tile: TileId,
): Promise<BlockSource> {
  const key = `${manifest.buildId}/${days.last}/${blockPixels}/${tile.z}/${tile.x}/${tile.y}`;
  const known = preparedBlocks.get(key);
  if (known !== undefined) return { key, tile, known, found: undefined };
  return { key, tile, known, found: await findTile(env, manifest, 'enc-v2', tile, cost) };
}

async function blockOf(
  { key, tile, known, found }: BlockSource,
  artwork: LoadedArtwork,
  style: readonly CompiledLayer[],
  { zoom, blockPixels }: Window,
): Promise<PreparedBlock> {
  // Another request may have prepared it in the meantime.
  const meanwhile = known ?? preparedBlocks.get(key);
  if (meanwhile !== undefined) return meanwhile;
  const layers = found === undefined ? [] : await layersOf(found, tile);
  await artwork.loadLettersOf(layers);
  try {
    const block = prepareBlock({
      layers,
      style,
      zoom,
      blockPixels,
      glyphs: artwork.glyphs,
      iconSize: (name) => {
        const image = artwork.images(name);
        return image === undefined ? undefined : [image.width, image.height];
      },
    });
    preparedBlocks.set(key, block);
    return block;
  } catch (error) {
    logFault('raster block', error);
    throw new ApiError('charts_unavailable');
  }
}

async function layersOf(
  { stored, from }: NonNullable<BlockSource['found']>,
  tile: TileId,
): Promise<readonly TileLayer[]> {
  const bytes = await gunzip(stored);
  try {
    return overzoomLayers(decodeTile(bytes), from, tile);
  } catch (error) {
    logFault('charts', error);
    throw new ApiError('charts_unavailable');
  }
}

/**
 * Decompressed size of a verified gzip file, from its last four bytes (RFC 1952, section 2.3.1).
 */
const unpackedSize = (stored: Uint8Array): number =>
  new DataView(stored.buffer, stored.byteOffset).getUint32(stored.length - 4, true);

/** Synchronous: for one picture, setting up a CompressionStream takes longer than it saves. */
function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: DEFLATE_LEVEL });
}
