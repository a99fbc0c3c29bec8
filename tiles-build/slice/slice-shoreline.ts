// The land of one owner, cut to the ground that it owns, for shoreline tiles.

import { ringsApart, withTouchedVertices } from '../../shared/geo/apart-rings.ts';
import type { Flat } from '../../shared/geo/clip-box.ts';
import { latitudeAt, longitudeAt } from '../../shared/geo/mercator.ts';
import { groupRings, oriented } from '../../shared/geo/ring.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { DEGREE } from '../quilt/coverage.ts';
import { type IsMade, madeVectorTiles } from '../quilt/made-tiles.ts';
import { BACKGROUND, finestFace, type Ownership } from '../quilt/ownership.ts';
import { cutShape } from './cut-shape.ts';
import { EdgeShapes } from './edge-shapes.ts';
import { type Fragment, inTileOrder, tileIdOf } from './fragment.ts';
import { pictureFrame } from './frame.ts';
import { territoryOf } from './territory.ts';

/**
 * Zooms at which shorelines are stored; other zooms are served from their ancestors. The
 * coarsest tiles are too large to be cut when they are requested.
 */
const SHORE_ZOOMS: readonly number[] = [0, 1, 2, 3, 4, 6, 7, 8, 9, 11, 13, 15];
/** Below this zoom only the background provides the shore (contract: data-shoreline-v1). */
const FIRST_CHART_ZOOM = 4;
/** Twice as many as in vector tiles, because each tile also serves the next zoom. */
const UNITS = 8192;

/** Source layers whose areas are land. */
const LAND = new Set(['LNDARE', 'bg_land']);

/** A fragment is JSON: the tile, and its rings in tile units. */
interface ShoreFragment {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly rings: readonly Flat[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Shoreline fragments of one owner, in tile id order: the land of the finest cell everywhere.
 * @param isZoom selects the zooms; default: all
 * @param isWanted selects the tiles; default: all
 */
export function* sliceShoreline(
  drawables: readonly Drawable[],
  ownership: Ownership,
  clipper: Clipper,
  isZoom: (zoom: number) => boolean = () => true,
  isWanted: IsMade = () => true,
): Generator<Fragment, void, undefined> {
  const isBackground = ownership.name === BACKGROUND;
  const edges = new EdgeShapes();
  const land = drawables.filter(
    ({ layer, geometry }) => LAND.has(layer) && geometry.type === 'area',
  );
  const made = madeVectorTiles(ownership.makers);
  const isMade: IsMade = (...tile) => isWanted(...tile) && made(...tile);
  // A chart that covers ground without land or water on it does not turn known land into water.
  const ground = ownership.shore ?? finestFace(ownership).rings;
  for (const zoom of SHORE_ZOOMS.filter(isZoom)) {
    if (zoom < FIRST_CHART_ZOOM && !isBackground) continue;
    const owned = zoom < FIRST_CHART_ZOOM ? ownership.coverage : ground;
    if (owned.length === 0) continue;
    const frame = pictureFrame(zoom, UNITS, 0);
    const rings = owned.map((ring) =>
      ring.map((value, i) => (i % 2 === 0 ? frame.x(value) : frame.y(value))),
    );
    const territory = territoryOf(rings, frame, isMade);
    if (territory.tiles.size === 0) continue;
    edges.begin(frame, UNITS);
    const tiles = new Map<number, ShoreFragment & { rings: Flat[] }>();
    // An owned tile without land is a fragment too: it records that the ground is water.
    for (const { column, row } of territory.tiles.values()) {
      const tileId = tileIdOf(zoom, column, row);
      tiles.set(tileId, { z: zoom, x: wrapped(column, zoom), y: row, rings: [] });
    }
    for (const { geometry } of land) {
      if (geometry.type !== 'area') continue;
      const shape = { type: 'area', polygons: edges.polygons(geometry.polygons) } as const;
      cutShape(shape, frame, territory, clipper, (tile, cut) => {
        if (cut.type !== 'area') return;
        const { rings: kept } = tiles.get(tileIdOf(zoom, tile.column, tile.row))!;
        for (const polygon of cut.polygons) {
          polygon.forEach((ring, i) => {
            const moved = ring.map((value, k) =>
              Math.round(value - (k % 2 === 0 ? tile.column : tile.row) * UNITS),
            );
            kept.push(oriented(moved, i === 0));
          });
        }
      });
    }
    const fragments = [...tiles].map(([tileId, fragment]) => ({
      tileId,
      bytes: encoder.encode(JSON.stringify(fragment)),
    }));
    yield* inTileOrder(fragments);
  }
}

const wrapped = (column: number, zoom: number): number => {
  const size = 2 ** zoom;
  return ((column % size) + size) % size;
};

/** Joins the fragments of several owners into one, without borders between their lands. */
export function joinShoreline(fragments: readonly Uint8Array[], clipper: Clipper): Uint8Array {
  const parts = fragments.map((bytes) => JSON.parse(decoder.decode(bytes)) as ShoreFragment);
  const rings = clipper.union(parts.flatMap((part) => part.rings));
  return encoder.encode(JSON.stringify({ ...parts[0]!, rings } satisfies ShoreFragment));
}

/**
 * The shoreline tile of several owners: a FeatureCollection with at most one feature, a Polygon or
 * MultiPolygon of land, valid according to OGC; without features if all is water.
 */
export function mergeShoreline(fragments: readonly Uint8Array[], clipper: Clipper): Uint8Array {
  const parts = fragments.map((bytes) => JSON.parse(decoder.decode(bytes)) as ShoreFragment);
  const rings = parts.flatMap((part) => part.rings);
  // Borders between owners are removed in tile units, in which they are equal.
  const land = parts.length === 1 ? rings : clipper.union(rings);
  const grid = onGrid({ ...parts[0]!, rings: withTouchedVertices(land) });
  // Joined on the grid of the answer, because edges that do not cross in tile units can cross there.
  const polygons = grid.length === 0 ? [] : groupRings(ringsApart(clipper.union(grid)));
  const coordinates = polygons.map((polygon) =>
    polygon.map((ring) => {
      const line: [number, number][] = [];
      // Reversed, because clockwise on the screen is anticlockwise in GeoJSON.
      for (let i = ring.length - 2; i >= 0; i -= 2) {
        line.push([ring[i]! / DEGREE, -ring[i + 1]! / DEGREE]);
      }
      return [...line, line[0]!];
    }),
  );
  const geometry =
    coordinates.length === 1
      ? { type: 'Polygon', coordinates: coordinates[0] }
      : { type: 'MultiPolygon', coordinates };
  const features = coordinates.length === 0 ? [] : [{ type: 'Feature', properties: {}, geometry }];
  return encoder.encode(JSON.stringify({ type: 'FeatureCollection', features }));
}

/** The rings in grid coordinates (see coverage.ts), which are the decimals of answers. */
function onGrid({ z, x, y, rings }: ShoreFragment): Flat[] {
  return rings.map((ring) => {
    const out: Flat = [];
    for (let i = 0; i < ring.length; i += 2) {
      out.push(
        Math.round(longitudeAt((x + ring[i]! / UNITS) / 2 ** z) * DEGREE),
        Math.round(-latitudeAt((y + ring[i + 1]! / UNITS) / 2 ** z) * DEGREE),
      );
    }
    return out;
  });
}
