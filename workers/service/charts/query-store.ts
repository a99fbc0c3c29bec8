// Features of the current build near a position: reads the buckets that the circle touches, selects
// the nearest features, and loads geometries that are too large for a bucket.

import type { Days } from '../../../shared/chart/in-force.ts';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import type { RecordFacts } from '../../../shared/query/bucket.ts';
import { NEAR_ZOOMS, tierNumber, tilesOver } from '../../../shared/query/bucket-layers.ts';
import { type Circle, viewsOf } from '../../../shared/query/circle.ts';
import { DrawnShape } from '../../../shared/query/drawn-shape.ts';
import { isExcluded } from '../../../shared/query/excluded-classes.ts';
import { keptShape } from '../../../shared/query/fit-answer.ts';
import type { WholeShape } from '../../../shared/query/geometry-text.ts';
import { type Found, keyOf, searchBuckets } from '../../../shared/query/search.ts';
import type { Env } from '../runtime/env.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { BrokenArchive } from './part-heads.ts';
import { type BucketAt, readBuckets } from './query-buckets.ts';

export interface NearFeature {
  readonly facts: RecordFacts;
  readonly shape: DrawnShape;
  readonly distanceMeters: number;
}

interface NearFeatures {
  /** Nearest first. */
  readonly features: readonly NearFeature[];
  /** Number of features within the radius, including those not returned. */
  readonly total: number;
}

export interface CircleQuery extends Circle {
  /** Whole zoom of the tiles that are drawn. */
  readonly zoom: number;
  /** Maximum number of features to return. */
  readonly limit: number;
  /** The date for which the chart is drawn. */
  readonly days: Days;
}

/** Smaller shapes are not cached, because creating them is faster. */
const MIN_VERTICES = 40;

/**
 * Cache: large shapes, decoded, serialized and simplified once, because requests for nearby
 * positions repeat them. Keys contain the build id, so entries of old builds are evicted.
 */
const largeShapes = boundedCache<DrawnShape>('largeShapes', {
  sizeOf: ({ weight }) => weight,
});

/** @throws ApiError 503 if the archive is unreadable or damaged */
export async function featuresNear(
  env: Env,
  manifest: Manifest,
  query: CircleQuery,
  cost: RequestCost,
): Promise<NearFeatures> {
  const tier = tierNumber(query.zoom);
  const views = viewsOf(query);
  const places = NEAR_ZOOMS.flatMap((z) =>
    views.flatMap((view) => tilesOver(view.box, z).map((tile) => ({ tile, view }))),
  );
  const viewOf = new Map(places.map(({ tile, view }) => [nameOf(tile), view]));
  const tiles = places.map(({ tile }) => tile);
  const buckets = await readBuckets(env, manifest, { tier, kind: 'near' }, tiles, cost);
  const open = buckets.map(([tile, bucket]) => ({ bucket, view: viewOf.get(nameOf(tile))! }));
  const { found, total } = searchBuckets(open, {
    radiusMeters: query.radiusMeters,
    limit: query.limit,
    isWanted: (classCode) => !isExcluded(classCode, query.zoom),
    days: query.days,
  });
  const build = `${manifest.buildId}/${tier}`;
  const named = found.map((one) => {
    const key = `${build}/${keyOf(one)}`;
    return { ...one, key, known: one.bucket.isPoint(one.index) ? undefined : largeShapes.get(key) };
  });
  // A known shape needs no read of its whole geometry.
  const homes = new Map(
    named
      .flatMap(({ bucket, index, known }) => (known ? [] : (bucket.homeOf(index) ?? [])))
      .map((tile) => [nameOf(tile), tile]),
  );
  const wholes = await readBuckets(
    env,
    manifest,
    { tier, kind: 'whole' },
    [...homes.values()],
    cost,
  );
  const features = named.map(({ key, known, ...one }) => ({
    facts: one.bucket.facts(one.index),
    shape: known ?? newShape(one, key, wholes),
    distanceMeters: one.distanceMeters,
  }));
  return { features, total };
}

const nameOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

/** @param key of the build, the tier and the feature. Another tier may cut the same feature differently. */
function newShape(found: Found, key: string, wholes: readonly BucketAt[]): DrawnShape {
  const drawn = keptShape(new DrawnShape(wholeShape(found, wholes)));
  if (drawn.vertices >= MIN_VERTICES) largeShapes.set(key, drawn);
  return drawn;
}

function wholeShape({ bucket, index }: Found, wholes: readonly BucketAt[]): WholeShape {
  const home = bucket.homeOf(index);
  if (home === undefined) return bucket.shape(index) as WholeShape;
  const name = nameOf(home);
  const whole = wholes.find(([tile]) => nameOf(tile) === name)?.[1];
  const facts = bucket.facts(index);
  const at = whole?.find(facts);
  if (whole === undefined || at === undefined) {
    throw new BrokenArchive(`the whole geometry of ${facts.cell} ${facts.number} is missing`);
  }
  return whole.shape(at) as WholeShape;
}
