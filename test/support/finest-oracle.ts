// Computes the expected content of a data tile without Leadline's reader, quilt or cutting code: features as GDAL
// reads them, cut by JSTS to the tile and to the ground on which their cell is the finest.

import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import DistanceOp from 'jsts/org/locationtech/jts/operation/distance/DistanceOp.js';
import OverlayOp from 'jsts/org/locationtech/jts/operation/overlay/OverlayOp.js';
import { type TileId, tileBounds } from '../../shared/geo/tile.ts';
import type { ReadFiles } from './data-tiles.ts';
import { readWithGdal } from './gdal.ts';
import { shapeOf } from './wkb.ts';

type Typed = InstanceType<typeof import('jsts/org/locationtech/jts/geom/Geometry.js').default>;
/** Members that are missing in the library's types. */
export type Geometry = Typed & {
  isEmpty(): boolean;
  getBoundary(): Geometry;
  getArea(): number;
  getLength(): number;
  getNumGeometries(): number;
  getGeometryN(i: number): Geometry;
  getCoordinates(): { readonly x: number; readonly y: number }[];
};

type XY = readonly number[];
type Path = readonly XY[];
type Box = readonly [west: number, south: number, east: number, north: number];

interface OracleFeature {
  readonly id: string;
  readonly acronym: string;
  readonly kind: 'POINT' | 'LINE' | 'POLYGON';
  /** As in `Shape`. */
  readonly parts: readonly Path[];
  /** Polygons, each the outer ring and its holes. */
  readonly polygons: readonly (readonly Path[])[];
}

interface OracleCell {
  readonly name: string;
  readonly coverage: readonly OracleFeature[];
  readonly features: readonly OracleFeature[];
}

/** The expected part of one feature in a tile. */
export interface Expected {
  readonly id: string;
  readonly acronym: string;
  /** Positions of points; on the border of the ground either cell may show them. */
  readonly points: readonly { readonly at: XY; readonly isOnBorder: boolean }[];
  /** Geometry within the tile, for lines and areas. */
  readonly shape: Geometry | undefined;
}

const factory = new GeometryFactory();
const BANDS = [1, 2, 3, 4, 5, 6, 5, 5, 6];

export class FinestOracle {
  /** The finest cell first. */
  readonly #cells: readonly OracleCell[];

  constructor(read: readonly ReadFiles[]) {
    const order = ({ cell: { header } }: ReadFiles) => [
      -BANDS[header.usageBand - 1]!,
      header.scaleDenominator,
      -Number(header.editionDate),
      header.name,
    ];
    const sorted = [...read].sort((a, b) => {
      const [from, to] = [order(a), order(b)];
      const i = from.findIndex((value, at) => value !== to[at]);
      return i < 0 ? 0 : from[i]! < to[i]! ? -1 : 1;
    });
    this.#cells = sorted.map(({ files }) => {
      const all = readWithGdal(files);
      const features = all.flatMap(({ acronym, lnam, wkb }): OracleFeature[] => {
        const shape = shapeOf(wkb);
        if (shape === undefined) return [];
        const part = (from: number, to: number) => Number.parseInt(lnam.slice(from, to), 16);
        const id = `${files.name}.${part(0, 4)}.${part(4, 12)}.${part(12, 16)}`;
        const { kind, parts, polygons } = shape;
        return [{ id, acronym, kind, parts, polygons }];
      });
      const covering = new Set(
        all
          .filter(({ acronym, attributes }) => acronym === 'M_COVR' && attributes['CATCOV'] === '1')
          .map(({ wkb }) => wkb),
      );
      const coverage = [...covering].map((wkb) => {
        const { parts, polygons } = shapeOf(wkb)!;
        return { id: '', acronym: 'M_COVR', kind: 'POLYGON' as const, parts, polygons };
      });
      return { name: files.name, coverage, features };
    });
  }

  /** One box inside the coverage of each cell. */
  coveredBoxes(): readonly { readonly name: string; readonly box: Box }[] {
    return this.#cells.map(({ name, coverage }) => {
      const first = coverage[0]!.parts[0]![0]![0]!;
      return {
        name,
        box: boxOf(
          coverage.flatMap(({ parts }) => parts),
          first,
        ),
      };
    });
  }

  /** The expected part of every feature in a tile, unordered, without empty ones. */
  contentOf(tile: TileId): Expected[] {
    const box = tileBounds(tile);
    const found: Expected[] = [];
    let left: Geometry = rectangle(box);
    for (const cell of this.#cells) {
      if (left.isEmpty()) break;
      const coverage = near(cell.coverage, box).map((area) => areaOf(area, box));
      if (coverage.length === 0) continue;
      const covered = coverage.reduce((a, b) => OverlayOp.union(a, b) as Geometry);
      const ground = areasOnly(OverlayOp.intersection(left, covered) as Geometry);
      left = areasOnly(OverlayOp.difference(left, covered) as Geometry);
      if (ground.isEmpty() || ground.getArea() === 0) continue;
      found.push(...contentOn(ground, near(cell.features, box), box));
    }
    return found;
  }

  /**
   * Whether a place is land in the finest cell that covers it; `undefined` if no cell does. `gap` is the distance to
   * where that may change, up to `reach`; all in degrees.
   */
  landAt(x: number, y: number, reach: number): { readonly land?: boolean; readonly gap: number } {
    const box: Box = [x - reach, y - reach, x + reach, y + reach];
    const point = factory.createPoint(new Coordinate(x, y)) as Geometry;
    let gap = reach;
    const gapTo = (area: Geometry) => {
      gap = Math.min(gap, DistanceOp.distance(area.getBoundary(), point));
      return DistanceOp.distance(area, point) === 0;
    };
    let land: boolean | undefined;
    for (const cell of this.#cells) {
      const covers = near(cell.coverage, box).map((area) => gapTo(areaOf(area, box)));
      if (covers.length === 0) continue;
      const areas = near(cell.features, box).filter(({ acronym }) => acronym === 'LNDARE');
      const isLand = areas
        .filter(({ kind }) => kind === 'POLYGON')
        .map((area) => gapTo(areaOf(area, box)))
        .includes(true);
      if (covers.includes(true)) land ??= isLand;
      if (land !== undefined) break;
    }
    return land === undefined ? { gap } : { land, gap };
  }

  /** Land of the finest cells in a tile, and the ground that no cell covers. */
  shoreOf(tile: TileId): {
    readonly area: number;
    /** Total length of the borders of land. */
    readonly length: number;
    readonly uncharted: Geometry;
  } {
    const box = tileBounds(tile);
    let [area, length] = [0, 0];
    let left: Geometry = rectangle(box);
    for (const cell of this.#cells) {
      const coverage = near(cell.coverage, box).map((one) => areaOf(one, box));
      if (coverage.length === 0 || left.isEmpty()) continue;
      const covered = coverage.reduce((a, b) => OverlayOp.union(a, b) as Geometry);
      const ground = areasOnly(OverlayOp.intersection(left, covered) as Geometry);
      left = areasOnly(OverlayOp.difference(left, covered) as Geometry);
      const land = near(cell.features, box).filter(
        ({ acronym, kind }) => acronym === 'LNDARE' && kind === 'POLYGON',
      );
      // Areas of group 1 do not overlap, so they add up.
      for (const { shape } of contentOn(ground, land, box)) {
        area += shape?.getArea() ?? 0;
        length += shape?.getLength() ?? 0;
      }
    }
    return { area, length, uncharted: left };
  }
}

function contentOn(ground: Geometry, features: readonly OracleFeature[], box: Box): Expected[] {
  return features.flatMap((feature): Expected[] => {
    const { id, acronym, kind } = feature;
    if (kind === 'POINT') {
      const points = feature.parts.flat().flatMap((at) => {
        const [x, y] = [beside(at[0]!, box), at[1]!];
        // The western and northern borders belong to the tile.
        if (x < box[0] || x >= box[2] || y <= box[1] || y > box[3]) return [];
        const point = factory.createPoint(new Coordinate(x, y)) as Geometry;
        if (DistanceOp.distance(ground, point) > 0) return [];
        return [{ at, isOnBorder: DistanceOp.distance(ground.getBoundary(), point) < 1e-7 }];
      });
      return points.length === 0 ? [] : [{ id, acronym, points, shape: undefined }];
    }
    const whole = kind === 'LINE' ? linesOf(feature, box) : areaOf(feature, box);
    const met = OverlayOp.intersection(whole, ground) as Geometry;
    const shape = kind === 'LINE' ? met : areasOnly(met);
    const size = kind === 'LINE' ? shape.getLength() : shape.getArea();
    return size === 0 ? [] : [{ id, acronym, points: [], shape }];
  });
}

function near(features: readonly OracleFeature[], box: Box): OracleFeature[] {
  return features.filter((feature) => {
    const [w, s, e, n] = remembered(boxes, feature, box, () =>
      boxOf(feature.parts, (box[0] + box[2]) / 2),
    );
    return w <= box[2] && e >= box[0] && s <= box[3] && n >= box[1];
  });
}

type Memory<T> = WeakMap<OracleFeature, Map<number, T>>;
const boxes: Memory<Box> = new WeakMap();
const areas: Memory<Geometry> = new WeakMap();

/** Caches a result per feature and side of the earth. */
function remembered<T>(memory: Memory<T>, feature: OracleFeature, box: Box, make: () => T): T {
  const side = Math.round((box[0] + box[2]) / 180);
  const made = memory.get(feature) ?? new Map<number, T>();
  memory.set(feature, made);
  const known = made.get(side) ?? make();
  made.set(side, known);
  return known;
}

/** The longitude, shifted by 360° if necessary, on the tile's side of the earth. */
const beside = (longitude: number, box: Box): number => sideOf(longitude, (box[0] + box[2]) / 2);
const sideOf = (longitude: number, middle: number): number =>
  longitude - 360 * Math.round((longitude - middle) / 360);

function boxOf(parts: readonly Path[], middle: number): Box {
  const places = parts.flat();
  const xs = places.map(([x]) => sideOf(x!, middle));
  const ys = places.map(([, y]) => y!);
  const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity);
  return [least(xs), least(ys), most(xs), most(ys)];
}

const coordinates = (path: Path, box: Box) =>
  path.map(([x, y]) => new Coordinate(beside(x!, box), y!));

function linesOf({ parts }: OracleFeature, box: Box): Geometry {
  const lines = parts.map((path) => factory.createLineString(coordinates(path, box)));
  return factory.createMultiLineString(lines as never) as unknown as Geometry;
}

function areaOf(feature: OracleFeature, box: Box): Geometry {
  return remembered(areas, feature, box, () => computeArea(feature, box));
}

function computeArea({ polygons }: OracleFeature, box: Box): Geometry {
  const made = polygons.map(([outer, ...holes]) =>
    factory.createPolygon(
      factory.createLinearRing(coordinates(outer!, box)) as never,
      holes.map((hole) => factory.createLinearRing(coordinates(hole, box))) as never,
    ),
  );
  return (made.length === 1 ? made[0] : factory.createMultiPolygon(made as never)) as Geometry;
}

/** Without lines and points along which areas only touch. */
function areasOnly(geometry: Geometry): Geometry {
  const parts = Array.from({ length: geometry.getNumGeometries() }, (_, i) =>
    geometry.getGeometryN(i),
  ).filter((part) => part.getArea() > 0);
  return factory.createMultiPolygon(parts as never) as unknown as Geometry;
}

export const rectangle = ([west, south, east, north]: Box): Geometry =>
  areaOf(
    {
      id: '',
      acronym: '',
      kind: 'POLYGON',
      parts: [],
      polygons: [
        [
          [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        ],
      ],
    },
    [west, south, east, north],
  );
