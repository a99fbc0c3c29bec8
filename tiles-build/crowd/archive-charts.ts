// Charted depths from the archives of a build on disk: areas and soundings from the query archive, as
// the depth profile reads them, and the zones of confidence from the vector tiles.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { daysAt } from '../../shared/chart/in-force.ts';
import { MANIFEST_FILE } from '../../shared/chart/manifest.ts';
import { FINEST_BIN_ZOOM } from '../../shared/crowd/bin.ts';
import { EARTH_RADIUS_METERS } from '../../shared/geo/earth.ts';
import { latitudeAt, longitudeAt, mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { isPointInRing } from '../../shared/geo/ring.ts';
import { ancestor, type TileId } from '../../shared/geo/tile.ts';
import { decodeTile, type TileFeature } from '../../shared/mvt/decode.ts';
import { EXTENT } from '../../shared/mvt/encode.ts';
import { Bucket } from '../../shared/query/bucket.ts';
import {
  archiveTile,
  FINEST_LAYER,
  GAP_METERS,
  NEAR_ZOOMS,
  QUERY_TILESET,
  tilesOver,
} from '../../shared/query/bucket-layers.ts';
import { viewsOf } from '../../shared/query/circle.ts';
import { groundOf, isGroundClass } from '../../shared/query/ground.ts';
import { GRID } from '../../shared/query/record.ts';
import { type Found, searchBuckets } from '../../shared/query/search.ts';
import { objectClassByAcronym } from '../../shared/s57/vocabulary/object-classes.ts';
import { openFiles } from '../archive/file-source.ts';
import { parseManifest, partPath } from '../publish/build-folder.ts';
import {
  type BinBox,
  type ChartDepths,
  type ChartedDepth,
  isSurveyed,
  uncertaintyOf,
} from './chart-depths.ts';

const MAX_AREAS = 8;
const MAX_SOUNDINGS = 8;
/** Length of the equator on the Mercator map. */
const WORLD_METERS = 2 * Math.PI * EARTH_RADIUS_METERS;
const ZONE_ZOOM = 14;
const ZONE_LAYER = 'M_QUAL';
const BINS = 2 ** FINEST_BIN_ZOOM;
const SOUNDG = objectClassByAcronym('SOUNDG')!.code;
/** Kept in memory: opened buckets and zone tiles, and answers. */
const MAX_OPENED = 512;
const MAX_ANSWERS = 300_000;
/** The centre of a bin and its corners, moved inwards. */
const PLACES = [
  [0.5, 0.5],
  [0.02, 0.02],
  [0.98, 0.02],
  [0.02, 0.98],
  [0.98, 0.98],
] as const;

/** @param now for dated objects, epoch milliseconds */
export async function openCharts(
  folder: string,
  now: number,
): Promise<ChartDepths & { close(): Promise<void> }> {
  const path = join(folder, MANIFEST_FILE);
  const manifest = await parseManifest(readFileSync(path, 'utf8'), path);
  const files = openFiles();
  const reader = (tileset: string): ReadTile => {
    const archive = manifest.archives.find((one) => one.tileset === tileset)!;
    return async (tile) => {
      const part = partPath(folder, archive, tile);
      return part === undefined ? undefined : files.read(part, tile);
    };
  };
  const [query, tiles] = [reader(QUERY_TILESET), reader('enc-v2')];
  return new ArchiveCharts(manifest.buildId, { query, tiles, close: files.close }, now);
}

type ReadTile = (tile: TileId) => Promise<Uint8Array | undefined>;

interface Readers {
  readonly query: ReadTile;
  readonly tiles: ReadTile;
  readonly close: () => Promise<void>;
}

class ArchiveCharts implements ChartDepths {
  readonly buildId: string;
  readonly #readers: Readers;
  readonly #days: ReturnType<typeof daysAt>;
  readonly #buckets = new Map<string, Bucket | undefined>();
  readonly #zones = new Map<string, readonly TileFeature[]>();
  readonly #answers = new Map<number, ChartedDepth | undefined>();

  constructor(buildId: string, readers: Readers, now: number) {
    this.buildId = buildId;
    this.#readers = readers;
    this.#days = daysAt(now);
  }

  async prepare(box: BinBox): Promise<void> {
    if (this.#buckets.size > MAX_OPENED) this.#buckets.clear();
    if (this.#zones.size > MAX_OPENED) this.#zones.clear();
    if (this.#answers.size > MAX_ANSWERS) this.#answers.clear();
    for (const tile of bucketsOf(box)) {
      const name = nameOf(tile);
      if (this.#buckets.has(name)) continue;
      const found = await this.#readers.query(archiveTile(FINEST_LAYER, tile));
      this.#buckets.set(name, found && new Bucket(found));
    }
    const levels = FINEST_BIN_ZOOM - ZONE_ZOOM;
    for (let x = box.fromX >> levels; x <= (box.endX - 1) >> levels; x++)
      for (let y = box.fromY >> levels; y <= (box.endY - 1) >> levels; y++)
        await this.#readZones({ z: ZONE_ZOOM, x, y });
  }

  async #readZones(tile: TileId): Promise<void> {
    const name = nameOf(tile);
    if (this.#zones.has(name)) return;
    const found = await this.#readers.tiles(tile);
    const layers = found === undefined ? [] : decodeTile(found, isZoneLayer);
    this.#zones.set(
      name,
      layers.flatMap(({ features }) => features).filter((one) => one.type === 3),
    );
  }

  at(x: number, y: number): ChartedDepth | undefined {
    const key = y * 2 ** 21 + x;
    if (this.#answers.has(key)) return this.#answers.get(key);
    const answer = this.#read(x, y);
    this.#answers.set(key, answer);
    return answer;
  }

  #read(x: number, y: number): ChartedDepth | undefined {
    const grounds = PLACES.map(([u, v]) => groundOf(this.#find(x + u, y + v, GAP_METERS)));
    const [centre] = grounds;
    if (centre!.surface === 'uncharted') return undefined;
    const least = grounds.map(({ minDepth }) => minDepth);
    const depth = least.some((one) => one === null) ? undefined : Math.min(...(least as number[]));
    const zone = this.#zoneAt(x + 0.5, y + 0.5);
    const uncertainty = uncertaintyOf(zone, depth ?? 0);
    const sounding = isSurveyed(zone) ? this.#soundingIn(x, y) : undefined;
    return { isLand: centre!.surface === 'land', depth, uncertainty, sounding };
  }

  #find(x: number, y: number, radiusMeters: number, isSounding = false): readonly Found[] {
    const [longitude, latitude] = [longitudeAt(x / BINS), latitudeAt(y / BINS)];
    const open = viewsOf({ longitude, latitude, radiusMeters }).flatMap((view) =>
      NEAR_ZOOMS.flatMap((z) => tilesOver(view.box, z)).flatMap((tile) => {
        const bucket = this.#buckets.get(nameOf(tile));
        return bucket === undefined ? [] : [{ bucket, view }];
      }),
    );
    return searchBuckets(open, {
      radiusMeters,
      limit: isSounding ? MAX_SOUNDINGS : MAX_AREAS,
      isWanted: isSounding ? (code) => code === SOUNDG : isGroundClass,
      days: this.#days,
    }).found;
  }

  /** Least of the charted soundings in a bin. */
  #soundingIn(x: number, y: number): number | undefined {
    const latitude = (latitudeAt((y + 0.5) / BINS) * Math.PI) / 180;
    // The circle through the corners, slightly larger. A bin is narrower far from the equator.
    const reach = (WORLD_METERS / BINS / 2) * Math.SQRT2 * Math.cos(latitude) * 1.01;
    const depths = this.#find(x + 0.5, y + 0.5, reach, true).flatMap(({ bucket, index }) => {
      const shape = bucket.shape(index);
      if (shape.type !== 'point' || shape.depth === undefined) return [];
      const [u, v] = [mercatorX(shape.x / GRID), mercatorY(shape.y / GRID)];
      return Math.floor(u * BINS) === x && Math.floor(v * BINS) === y ? [shape.depth] : [];
    });
    return depths.length === 0 ? undefined : Math.min(...depths);
  }

  /** Name of the zone of confidence. */
  #zoneAt(x: number, y: number): string | undefined {
    const side = 2 ** (FINEST_BIN_ZOOM - ZONE_ZOOM);
    const tile = ancestor({ z: FINEST_BIN_ZOOM, x: Math.floor(x), y: Math.floor(y) }, ZONE_ZOOM);
    const [u, v] = [(x / side - tile.x) * EXTENT, (y / side - tile.y) * EXTENT];
    const zone = (this.#zones.get(nameOf(tile)) ?? []).find(
      ({ paths }) => paths.filter((ring) => isPointInRing(u, v, ring)).length % 2 === 1,
    );
    return zone?.properties['zc'] as string | undefined;
  }

  async close(): Promise<void> {
    await this.#readers.close();
  }
}

const isZoneLayer = (name: string): boolean => name.includes(ZONE_LAYER);
const nameOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

/** The query buckets of bins. They end at 180°, because the other side is in another shard. */
export function bucketsOf({ fromX, fromY, endX, endY }: BinBox): TileId[] {
  const corners = [
    [fromX, fromY],
    [endX - 1, endY - 1],
  ] as const;
  const boxes = corners.flatMap(([x, y]) => {
    const [longitude, latitude] = [longitudeAt((x + 0.5) / BINS), latitudeAt((y + 0.5) / BINS)];
    return viewsOf({ longitude, latitude, radiusMeters: 60 })
      .slice(0, 1)
      .map(({ box }) => box);
  });
  if (boxes.length === 0) return [];
  const bounds = {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    top: Math.min(...boxes.map(({ top }) => top)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
  return NEAR_ZOOMS.flatMap((z) => tilesOver(bounds, z));
}
