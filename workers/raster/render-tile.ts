// A raster tile: the vector tiles around it, drawn with the day style, as a PNG.

import { deflateSync } from 'node:zlib';
import type { Days } from '../../shared/chart/in-force.ts';
import type { Manifest } from '../../shared/chart/manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { decodeTile, type TileLayer } from '../../shared/mvt/decode.ts';
import { overzoomLayers } from '../../shared/mvt/overzoom.ts';
import type { PreparedBlock, SetBlock } from '../../shared/raster/block.ts';
import { type CompiledLayer, compileStyle } from '../../shared/raster/compile-style.ts';
import { composeTile } from '../../shared/raster/compose-tile.ts';
import { TILE_PIXELS } from '../../shared/raster/display-list.ts';
import { Painter } from '../../shared/raster/paint/paint.ts';
import { encodePng, type IndexedRows } from '../../shared/raster/png.ts';
import { prepareBlock } from '../../shared/raster/prepare-block.ts';
import { type Window, windowOf } from '../../shared/raster/window.ts';
import { WindowMarks } from '../../shared/raster/window-marks.ts';
import type { AssetsIndex } from '../../shared/style/assets-index.ts';
import { buildStyle, STYLE_VERSION } from '../../shared/style/document/build-style.ts';
import { CHART_SOURCE } from '../../shared/style/layers/layer.ts';
import { DEFAULT_OPTIONS } from '../../shared/style/options.ts';
import { findTile } from '../charts/tile-store.ts';
import type { Env, Settings } from '../runtime/env.ts';
import { chartsUnavailable, rasterUnavailable } from '../runtime/errors.ts';
import { gunzip } from '../runtime/gzip.ts';
import { logFault } from '../runtime/log.ts';
import { boundedCache, CACHE_BYTES, Room, WORK_BYTES } from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
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
/** What a packed byte of a tile becomes at the most while it is drawn. */
const WORK_A_BYTE = 24;

/**
 * A cache named as one; keys hold the build id, so old builds leave by themselves. Sixteen raster
 * tiles look at each block, mostly within seconds: the heaviest is kept too, alone if need be.
 */
const preparedBlocks = boundedCache<PreparedBlock>('rasterBlocks', {
  share: 1 - PLACED_SHARE,
  sizeOf: ({ weight }) =>
    Math.min(
      (weight + ENTRY_NUMBERS) * BYTES_A_NUMBER,
      Math.floor(CACHE_BYTES.rasterBlocks * (1 - PLACED_SHARE)),
    ),
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

/** The tile as a PNG. @throws ApiError 503 where charts or artwork cannot be read */
export async function renderTile(options: RasterRequest): Promise<Uint8Array> {
  const { artwork, style, painter } = await openStudio(options);
  const { tile } = options;
  const window = windowOf(tile);
  const blocks = await Promise.all(
    window.blocks.map((one) => blockOf(options, artwork, style, window, one.tile)),
  );
  const set = window.blocks.map((one, i) => ({ ...one, block: blocks[i]! }));
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

async function blockOf(
  { env, manifest, days, cost }: RasterRequest,
  artwork: LoadedArtwork,
  style: readonly CompiledLayer[],
  { zoom, blockPixels }: Window,
  tile: TileId,
): Promise<PreparedBlock> {
  const key = `${manifest.buildId}/${days.last}/${blockPixels}/${tile.z}/${tile.x}/${tile.y}`;
  const known = preparedBlocks.get(key);
  if (known !== undefined) return known;
  const room = new Room();
  try {
    const layers = await layersOf(env, manifest, tile, cost, room);
    return await preparedOf(key, layers, artwork, style, { zoom, blockPixels });
  } finally {
    room.leave();
  }
}

async function preparedOf(
  key: string,
  layers: readonly TileLayer[],
  artwork: LoadedArtwork,
  style: readonly CompiledLayer[],
  { zoom, blockPixels }: Pick<Window, 'zoom' | 'blockPixels'>,
): Promise<PreparedBlock> {
  await artwork.loadLettersOf(layers);
  // Another request may have been quicker.
  const meanwhile = preparedBlocks.get(key);
  if (meanwhile !== undefined) return meanwhile;
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
  env: Env,
  manifest: Manifest,
  tile: TileId,
  cost: RequestCost,
  room: Room,
): Promise<readonly TileLayer[]> {
  const found = await findTile(env, manifest, 'enc-v2', tile, cost);
  if (found === undefined) return [];
  const bytes = await gunzip(found.stored);
  room.take(Math.min(bytes.length * WORK_A_BYTE, WORK_BYTES.rasterTile));
  try {
    return overzoomLayers(decodeTile(bytes), found.from, tile);
  } catch (error) {
    logFault('charts', error);
    throw chartsUnavailable();
  }
}

/** A level above the usual takes a tenth of a millisecond more, and a hundredth of the bytes off. */
const DEFLATE_LEVEL = 7;

/** At once: a stream of the runtime's takes longer to set up than it gains for one picture. */
function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: DEFLATE_LEVEL });
}
