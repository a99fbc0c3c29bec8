// Reads the charted ground (water, land or structure) and the depth contours along a line from the query archive, which
// contains exact areas and contours with their cells. The line is processed in groups of pieces (parts of the line and
// the places on them), so that only the buckets of one group are in memory.

import { daysAt } from '../../../shared/chart/in-force.ts';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import type { Box } from '../../../shared/geo/clip-box.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import type { Bucket } from '../../../shared/query/bucket.ts';
import {
  FINEST_LAYER,
  GAP_METERS,
  NEAR_ZOOMS,
  tilesOver,
} from '../../../shared/query/bucket-layers.ts';
import { viewsOf } from '../../../shared/query/circle.ts';
import {
  type Contour,
  type Crossing,
  Crossings,
  contoursOf,
} from '../../../shared/query/contours-crossed.ts';
import { type Ground, groundOf, isGroundClass } from '../../../shared/query/ground.ts';
import { boxOfPiece, type Piece, type SamplePlace } from '../../../shared/query/profile-line.ts';
import { searchBuckets } from '../../../shared/query/search.ts';
import type { Env } from '../runtime/env.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { type FoundBucket, locateBuckets, openBuckets } from './query-buckets.ts';

/** Areas read at a place: two meet at an edge, a few at a corner. More would not change the result. */
const MAX_AREAS = 8;
const PIECES_PER_GROUP = 64;

/** Limits of one request: buckets and their compressed bytes. */
const MAX_BUCKETS = 1500;
const MAX_BYTES = 16 * 1024 * 1024;
/** Compressed bytes of a group, which is in memory as a whole and decompressed. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;
const MAX_CROSSINGS = 10_000;

interface Profile {
  /** One per place, in the same order. */
  readonly grounds: readonly Ground[];
  /** Sorted by distance along the line. */
  readonly crossings: readonly Crossing[];
}

interface Group {
  readonly pieces: readonly Piece[];
  readonly places: readonly SamplePlace[];
}

/**
 * @returns `undefined` if the line crosses more chart data than one request may read
 * @throws ApiError 503 if the archive is unreadable or damaged
 */
export async function profileAlong(
  env: Env,
  manifest: Manifest,
  line: Group,
  cost: RequestCost,
): Promise<Profile | undefined> {
  const groups = groupsOf(line);
  const located = await locateAll(env, manifest, groups, cost);
  if (located === undefined) return undefined;
  const days = daysAt(Date.now());
  const grounds: Ground[] = [];
  const crossings = new Crossings();
  for (const [i, { pieces, places }] of groups.entries()) {
    const buckets = new Buckets(await openBuckets(env, manifest, located[i]!, cost));
    for (const place of places) grounds.push(groundAt(place, buckets, days));
    for (const piece of pieces) crossings.add(piece, buckets.contoursIn(boxOfPiece(piece)));
    if (crossings.count > MAX_CROSSINGS) return undefined;
  }
  return { grounds, crossings: crossings.inOrder() };
}

function groupsOf({ pieces, places }: Group): Group[] {
  const groups: Group[] = [];
  for (let first = 0; first < pieces.length; first += PIECES_PER_GROUP) {
    const end = first + PIECES_PER_GROUP;
    groups.push({
      pieces: pieces.slice(first, end),
      places: places.filter(({ piece }) => piece >= first && piece < end),
    });
  }
  return groups;
}

/** The buckets of each group; `undefined` if they exceed the limits. */
async function locateAll(
  env: Env,
  manifest: Manifest,
  groups: readonly Group[],
  cost: RequestCost,
): Promise<readonly (readonly FoundBucket[])[] | undefined> {
  const located: (readonly FoundBucket[])[] = [];
  let buckets = 0;
  let bytes = 0;
  for (const { pieces, places } of groups) {
    const boxes = [...pieces.map(boxOfPiece), ...places.flatMap(viewsAt).map(({ box }) => box)];
    const tiles = new Map(boxes.flatMap(tilesIn).map((tile) => [nameOf(tile), tile]));
    const found = await locateBuckets(env, manifest, FINEST_LAYER, [...tiles.values()], cost);
    buckets += found.length;
    const groupBytes = found.reduce((sum, { entry }) => sum + entry.length, 0);
    bytes += groupBytes;
    if (buckets > MAX_BUCKETS || bytes > MAX_BYTES || groupBytes > MAX_GROUP_BYTES)
      return undefined;
    located.push(found);
  }
  return located;
}

const tilesIn = (box: Box): TileId[] => NEAR_ZOOMS.flatMap((zoom) => tilesOver(box, zoom));

const viewsAt = ({ longitude, latitude }: SamplePlace) =>
  viewsOf({ longitude, latitude, radiusMeters: GAP_METERS });

const nameOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

function groundAt(place: SamplePlace, buckets: Buckets, days: ReturnType<typeof daysAt>): Ground {
  const open = viewsAt(place).flatMap((view) =>
    buckets.in(view.box).map((bucket) => ({ bucket, view })),
  );
  const { found } = searchBuckets(open, {
    radiusMeters: GAP_METERS,
    limit: MAX_AREAS,
    isWanted: isGroundClass,
    days,
  });
  return groundOf(found);
}

/** The buckets of a group by their tiles. */
class Buckets {
  readonly #byTile: ReadonlyMap<string, Bucket>;
  readonly #contours = new Map<Bucket, readonly Contour[]>();

  constructor(buckets: readonly (readonly [tile: TileId, bucket: Bucket])[]) {
    this.#byTile = new Map(buckets.map(([tile, bucket]) => [nameOf(tile), bucket]));
  }

  in(box: Box): Bucket[] {
    return tilesIn(box).flatMap((tile) => this.#byTile.get(nameOf(tile)) ?? []);
  }

  contoursIn(box: Box): Contour[] {
    return this.in(box).flatMap((bucket) => {
      const contours = this.#contours.get(bucket) ?? contoursOf(bucket);
      this.#contours.set(bucket, contours);
      return contours;
    });
  }
}
