// The features of a cell for the feature query: whole, cut to the ground that the cell owns, in the
// buckets that they touch, on the layers of the tiers at which the cell shows.

import { TIER_ZOOMS, type UsageBand } from '../../shared/chart/band-for-zoom.ts';
import { boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { remembered } from '../../shared/geo/map-entries.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import {
  archiveTile,
  type BucketKind,
  FINEST_ZOOM,
  nearZoom,
  TIER_LAST_ZOOMS,
  wholeZoom,
} from '../../shared/query/bucket-layers.ts';
import { BucketWriter } from '../../shared/query/bucket-writer.ts';
import { isExcluded, LAST_ZOOM_WITHOUT_DEPTHS } from '../../shared/query/excluded-classes.ts';
import type { QueryRecord, RecordShape } from '../../shared/query/record.ts';
import type { Attributes, Cell, Feature } from '../../shared/s57/cell/cell.ts';
import { nodesOf } from '../../shared/s57/cell/geometry.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { FULL_CIRCLE, gridX, gridY } from '../quilt/coverage.ts';
import type { Face, Ownership } from '../quilt/ownership.ts';
import { faceDigest } from '../quilt/ownership-digest.ts';
import { zoomsOfBand } from '../quilt/rank.ts';
import { pathsOf, type Shape } from './cut-shape.ts';
import { cutToFace, withinWorld } from './cut-to-face.ts';
import { EdgeShapes } from './edge-shapes.ts';
import { type Fragment, inTileOrder, tileIdOf } from './fragment.ts';
import { degreeFrame, type Frame } from './frame.ts';
import { pointOwner } from './own-point.ts';
import { bucketAt, QueryLeaves } from './query-leaves.ts';
import { spreadShape } from './spread-shape.ts';

/** Features with up to this many vertices are stored whole in every bucket that they touch. */
const INLINE_VERTICES = 96;

/** The bucket fragments of a cell, in the archive's tile order. */
export function sliceQuery(cell: Cell, ownership: Ownership, clipper: Clipper): Fragment[] {
  const bucketsByFace = new Map<string, readonly LocalBucket[]>();
  const fragments = TIER_ZOOMS.flatMap((_, tier) => {
    const face = ownership.faces[tier]!;
    if (face.rings.length === 0) return [];
    // Ownership is the same at many tiers, and so are the buckets.
    const lastZoom = TIER_LAST_ZOOMS[tier]!;
    const depths = lastZoom > LAST_ZOOM_WITHOUT_DEPTHS;
    const key = `${depths} ${faceDigest(face, true)}`;
    const buckets = remembered(bucketsByFace, key, () =>
      bucketsOf({ cell, ownership, clipper }, face, lastZoom),
    );
    return buckets.map(({ kind, tile, bytes }) => {
      const { z, x, y } = archiveTile({ tier, kind }, tile);
      return { tileId: tileIdOf(z, x, y), bytes };
    });
  });
  return inTileOrder(fragments);
}

interface LocalBucket {
  readonly kind: BucketKind;
  readonly tile: TileId;
  readonly bytes: Uint8Array;
}

/** A cell whose features are put into buckets, and its owned ground. */
interface OwnedCell {
  readonly cell: Cell;
  readonly ownership: Ownership;
  readonly clipper: Clipper;
}

function bucketsOf(
  { cell, ownership, clipper }: OwnedCell,
  face: Face,
  zoom: number,
): readonly LocalBucket[] {
  const { band } = zoomsOfBand(cell.header.usageBand);
  const frame = degreeFrame(FINEST_ZOOM);
  const leaves = new QueryLeaves(face, frame, nearZoom(band));
  const near = new Shelf('near', frame);
  const whole = new Shelf('whole', frame);
  const edges = new EdgeShapes();
  edges.begin(frame, 0);
  const ownsPoint = pointOwner(ownership, face);
  const faceBox = boundsOf(face.rings);

  for (const feature of cell.features) {
    if (feature.primitive === 'none' || isExcluded(feature.classCode, zoom)) continue;
    if (feature.primitive === 'point') {
      for (const node of nodesOf(cell, feature)) {
        const facts = factsOf(cell, feature, node.attributes);
        for (let i = 0; i < node.positions.length; i += 2) {
          const x = gridX(node.positions[i]!);
          const y = gridY(node.positions[i + 1]!);
          if (!ownsPoint(x, y)) continue;
          const depth = node.depths?.[i / 2];
          const wrapped = wrap(x);
          near.at(leaves.leafAt(wrapped, y)).add({ ...facts, shape: pointAt(wrapped, y, depth) });
        }
      }
      continue;
    }
    const facts = factsOf(cell, feature);
    const drawn = edges.shapeOfFeature(cell, feature);
    const owned = cutToFace(drawn, face.rings, faceBox, clipper);
    if (owned === undefined) continue;
    addShape({ near, whole, leaves, band }, facts, owned, clipper);
  }
  return [...near.finish(), ...whole.finish()];
}

type Facts = Omit<QueryRecord, 'shape'>;

/** @param spatial attributes of the node of a point, whose quality of position is one of the facts */
function factsOf(cell: Cell, feature: Feature, spatial: Attributes = {}): Facts {
  const { QUAPOS } = spatial;
  const all = QUAPOS === undefined ? feature.attributes : { ...feature.attributes, QUAPOS };
  const attributes = Object.entries(all).map(([acronym, value]) => [acronym.toLowerCase(), value]);
  return {
    classCode: feature.classCode,
    cell: `${cell.header.name}.${cell.header.edition}`,
    ...feature.id,
    attributes: JSON.stringify(Object.fromEntries(attributes)),
  };
}

interface Shelves {
  readonly near: Shelf;
  readonly whole: Shelf;
  readonly leaves: QueryLeaves;
  readonly band: UsageBand;
}

/** 180° becomes −180°, so that a point of two cells there has one position. */
const wrap = (x: number): number => (x >= FULL_CIRCLE / 2 ? x - FULL_CIRCLE : x);

/**
 * Stores small shapes whole in every bucket; of large ones the parts in buckets, and the whole
 * once.
 */
function addShape(
  { near, whole, leaves, band }: Shelves,
  facts: Facts,
  owned: Shape,
  clipper: Clipper,
): void {
  const shape = withinWorld(owned, clipper);
  const parts = spreadShape(shape, leaves);
  const paths = pathsOf(shape);
  const vertices = paths.reduce((sum, path) => sum + path.length / 2, 0);
  if (parts.length <= 1 || vertices <= INLINE_VERTICES) {
    const record = { ...facts, shape: northUp(shape) };
    const [x, y] = paths[0]!;
    const tiles = parts.length === 0 ? [leaves.leafAt(x!, y!)] : parts.map(({ tile }) => tile);
    for (const tile of tiles) near.at(tile).add(record);
    return;
  }
  const { left, right, top, bottom } = boundsOf(pathsOf(owned));
  const middle = wrap((left + right) / 2);
  const home = bucketAt(leaves.frame, wholeZoom(band), middle, (top + bottom) / 2);
  whole.at(home).add({ ...facts, shape: northUp(shape) });
  for (const { tile, lines, reference } of parts) {
    near.at(tile).add({
      ...facts,
      shape: {
        type: 'part',
        of: shape.type,
        home,
        lines: lines.map(turned),
        ...(reference === undefined ? {} : { reference: { ...reference, y: -reference.y } }),
      },
    });
  }
}

function pointAt(x: number, y: number, depth: number | undefined): RecordShape {
  const place = { type: 'point', x, y: -y || 0 } as const;
  return depth === undefined ? place : { ...place, depth: Math.round(depth * 1000) / 1000 };
}

/** y points down on the grid and up in a record. */
const turned = (path: Flat): Flat => path.map((value, i) => (i % 2 === 0 ? value : -value || 0));

const northUp = (shape: Shape): RecordShape =>
  shape.type === 'line'
    ? { type: 'line', lines: shape.lines.map(turned) }
    : { type: 'area', polygons: shape.polygons.map((rings) => rings.map(turned)) };

/** The buckets of one kind while they are filled. */
class Shelf {
  readonly #kind: BucketKind;
  readonly #frame: Frame;
  readonly #buckets = new Map<string, { readonly tile: TileId; readonly writer: BucketWriter }>();

  constructor(kind: BucketKind, frame: Frame) {
    this.#kind = kind;
    this.#frame = frame;
  }

  at(tile: TileId): BucketWriter {
    const key = `${tile.z}/${tile.x}/${tile.y}`;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      const { left, right, top, bottom } = this.#frame.box(tile.z, tile.x, tile.y);
      bucket = { tile, writer: new BucketWriter({ left, right, top: -bottom, bottom: -top }) };
      this.#buckets.set(key, bucket);
    }
    return bucket.writer;
  }

  *finish(): Generator<LocalBucket, void, undefined> {
    for (const { tile, writer } of this.#buckets.values()) {
      yield { kind: this.#kind, tile, bytes: writer.finish() };
    }
  }
}
