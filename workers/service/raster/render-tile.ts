// A raster tile: the vector tiles around it, drawn with the day style, as a PNG.

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
import { chartsUnavailable, rasterUnavailable } from '../runtime/errors.ts';
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

/** Changes with every change of what the renderer paints; part of cache keys and ETags. */
const RENDERER_VERSION = '4';

/** What a picture depends on beside the build: renderer, style, artwork, and the day of looking. */
export const rasterVariant = (
  assets: AssetsIndex,
  painter: Settings['rasterPainter'],
  days: Days,
): string => `-${painter}${RENDERER_VERSION}.${STYLE_VERSION}.${assets.inputs}.${days.last}`;

/** What stays from tile to tile. */
interface Studio {
  readonly artwork: LoadedArtwork;
  readonly style: readonly CompiledLayer[];
  readonly painter: Painter;
  /** The last of the days that the style is for. */
  readonly day: number;
}

/** A number of a prepared block, with what surrounds it. */
const BYTES_A_NUMBER = 15;
const ENTRY_NUMBERS = 500;
/** A mark with where it is shown. */
const BYTES_A_PLACED_MARK = 350;
/** Of the memory for blocks, the part of the marks that are shown on them. */
const PLACED_SHARE = 0.25;
/** What a byte of a tile becomes at the most: decoded while it is prepared, and prepared. */
const DECODED_A_BYTE = 12;
const PREPARED_A_BYTE = 7;
/** Pictures that are drawn or wait for their tiles at once; others wait, as they hold tiles meanwhile. */
const MOST_PICTURES = 6;
/** Of the memory for pictures, that of tiles as they are stored; the rest is for drawing. */
const STORED_BYTES = 12 * 1024 * 1024;

/** Before pictures, and before the drawing of them, by bytes: one of a crowded harbour may need all. */
const pictures = new WorkQueue(MOST_PICTURES);
const drawing = new WorkQueue(WORK_BYTES.rasterTiles - STORED_BYTES);

const sizeOf = ({ weight }: PreparedBlock): number => (weight + ENTRY_NUMBERS) * BYTES_A_NUMBER;

/**
 * A cache named as one; keys hold the build id, so old builds leave by themselves. Sixteen raster
 * tiles look at each block, mostly within seconds: the heaviest is kept too, alone if need be.
 */
const preparedBlocks = boundedCache<PreparedBlock>('rasterBlocks', {
  share: 1 - PLACED_SHARE,
  sizeOf: (block) =>
    Math.min(sizeOf(block), Math.floor(CACHE_BYTES.rasterBlocks * (1 - PLACED_SHARE))),
  mostOfOne: 1,
});

/**
 * A cache named as one: which marks are shown on the blocks of a window, for the four tiles that look
 * at it. What the blocks had of them stays as long, even if the blocks do not.
 */
const placedMarks = boundedCache<WindowMarks>('rasterBlocks', {
  share: PLACED_SHARE,
  sizeOf: ({ length }) => (length + 1) * BYTES_A_PLACED_MARK,
  mostOfOne: 1,
});

/** A cache named as one: the style is compiled once an isolate, and the canvas is made once. */
let studio: Studio | undefined;
let painter: Painter | undefined;

interface RasterRequest {
  readonly env: Env;
  readonly manifest: Manifest;
  readonly assets: AssetsIndex;
  readonly tile: TileId;
  readonly painter: Settings['rasterPainter'];
  /** When the chart is looked at. */
  readonly days: Days;
  readonly cost: RequestCost;
}

/**
 * The tile as a PNG. Once begun it is drawn to its end, even if its client leaves: what the platform
 * stops in the middle would hold its place before others.
 * @throws ApiError 503 where charts or artwork cannot be read
 */
export async function renderTile(options: RasterRequest): Promise<Uint8Array> {
  const leave = await pictures.enter(1);
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

/** What drawing holds at the most: all that is prepared, and the largest tile while it is decoded. */
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

/** One block after the other: what is decoded of one is gone before the next. */
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

/** @throws ApiError 503 where the canvas failed twice, or there is more than it can paint */
function guarded(draw: () => IndexedRows): IndexedRows {
  try {
    return draw();
  } catch (error) {
    logFault('raster canvas', error);
    throw rasterUnavailable();
  }
}

function shownMarks(
  { manifest, days }: RasterRequest,
  { blockPixels, blocks }: Window,
  set: readonly SetBlock[],
): WindowMarks {
  const { z, x, y } = blocks[0]!.tile;
  // At the poles a window is one row of blocks.
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
  // Addresses are never followed here.
  const nowhere = 'https://nowhere.invalid/';
  const document = buildStyle({
    options: DEFAULT_OPTIONS,
    addresses: { tiles: nowhere, sprite: nowhere, glyphs: nowhere, reports: nowhere },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
    days,
  });
  const style = compileStyle(document, CHART_SOURCE);
  const start = await canvasStarter();
  // The style of another day is painted on the same canvas.
  painter ??= new Painter(artwork, start, (error) => logFault('raster canvas', error));
  const opened = { artwork, style, painter, day: days.last };
  studio = opened;
  return opened;
}

/** A block as it was prepared before, or the stored tile that it is made of; neither where no chart is. */
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
  // Another request may have been quicker.
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
    throw chartsUnavailable();
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
    throw chartsUnavailable();
  }
}

/** Of a gzip file that was checked: its last four bytes say it (RFC 1952, section 2.3.1). */
const unpackedSize = (stored: Uint8Array): number =>
  new DataView(stored.buffer, stored.byteOffset).getUint32(stored.length - 4, true);

/** At once: a stream of the runtime's takes longer to set up than it gains for one picture. */
function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: DEFLATE_LEVEL });
}
