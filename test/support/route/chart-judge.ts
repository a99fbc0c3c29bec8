// Judges legs over real charts: features as GDAL reads them, on the Mercator plane, measured by JSTS.
// On the ground that a cell has to itself, a leg must lie in charted water that is deep enough and
// keep clear of everything that is not. Nothing of Leadline's reading, quilting or painting is used.

import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import PrecisionModel from 'jsts/org/locationtech/jts/geom/PrecisionModel.js';
import STRtree from 'jsts/org/locationtech/jts/index/strtree/STRtree.js';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import DistanceOp from 'jsts/org/locationtech/jts/operation/distance/DistanceOp.js';
import OverlayOp from 'jsts/org/locationtech/jts/operation/overlay/OverlayOp.js';
import GeometryPrecisionReducer from 'jsts/org/locationtech/jts/precision/GeometryPrecisionReducer.js';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import type { Position, Trip } from '../../../shared/route/trip.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { findCells } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { locationOf, readLocation } from '../../../tiles-build/pipeline/cell-location.ts';
import { type GdalFeature, readWithGdal } from '../gdal.ts';
import { geoJsonOf, shapeOf } from '../wkb.ts';

type Typed = InstanceType<typeof import('jsts/org/locationtech/jts/geom/Geometry.js').default>;
/** What the library's own types leave out. */
type Geometry = Typed & {
  isEmpty(): boolean;
  getDimension(): number;
  getCoordinates(): { x: number; y: number }[];
};

/** The overlay fails for some edges that nearly coincide: then with coordinates rounded to 0.3 metres. */
function overlaid(operation: 'difference' | 'union', a: Geometry, b: Geometry): Geometry {
  const rounded = (geometry: Geometry) =>
    GeometryPrecisionReducer.reduce(geometry, new PrecisionModel(2 ** 27)) as Geometry;
  try {
    return OverlayOp[operation](a, b);
  } catch {
    return OverlayOp[operation](rounded(a), rounded(b));
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const NEVER = words(
  'LNDARE PONTON HULKES FLODOC SLCONS COALNE DYKCON DAMCON CAUSWY PYLONS PILPNT MORFAC OFSPLF FSHFAC',
);
const DANGERS = words('OBSTRN WRECKS UWTROC MARCUL SOUNDG');
const OVERHEAD = words('BRIDGE CBLOHD PIPOHD CONVYR');
const WATER = words('DEPARE DRGARE');
const OPENING = words('2 3 4 5 7');
const PLANE_METERS = 2 * Math.PI * 6_378_137;
const factory = new GeometryFactory();

/** Something charted that some vessels must keep off. */
interface Charted {
  readonly feature: GdalFeature;
  readonly geometry: Geometry;
}

interface JudgedCell {
  readonly name: string;
  /** Ground that it has to itself. */
  readonly own: Geometry;
  readonly tree: InstanceType<typeof STRtree>;
}

export interface Verdict {
  readonly wrong: readonly string[];
  /** Length of the leg outside all cells, on the plane. */
  readonly uncharted: number;
}

export class ChartJudge {
  readonly #cells: readonly JudgedCell[];

  private constructor(cells: readonly JudgedCell[]) {
    this.#cells = cells;
  }

  static async of(folders: readonly string[]): Promise<ChartJudge> {
    const { cells } = await findCells(folders);
    const read: { name: string; order: readonly (number | string)[]; features: GdalFeature[] }[] =
      [];
    for (const source of cells) {
      const files = await readLocation(locationOf(source));
      const { usageBand, scaleDenominator, editionDate } = readCell(files).cell!.header;
      const age = -Number(editionDate.replaceAll('-', ''));
      const order = [-usageBand, scaleDenominator, age, files.name];
      read.push({ name: files.name, order, features: readWithGdal(files) });
    }
    read.sort((a, b) => compare(a.order, b.order));
    let taken: Geometry = factory.createPolygon();
    const judged = read.map(({ name, features }): JudgedCell => {
      let coverage: Geometry = factory.createPolygon();
      const tree = new STRtree();
      for (const feature of features) {
        const isCoverage = feature.acronym === 'M_COVR' && feature.attributes['CATCOV'] === '1';
        if (!isCoverage && !matters(feature)) continue;
        for (const charted of chartedOf(feature)) {
          const { geometry } = charted;
          if (isCoverage) coverage = OverlayOp.union(coverage, geometry);
          else tree.insert(geometry.getEnvelopeInternal(), charted);
        }
      }
      const own = overlaid('difference', coverage, taken);
      taken = overlaid('union', taken, coverage);
      return { name, own, tree };
    });
    return new ChartJudge(judged);
  }

  /** Whatever is wrong with a leg for a trip. */
  judge(from: Position, to: Position, trip: Trip): Verdict {
    const [ax, ay] = onPlane(from);
    const [bx, by] = onPlane(to);
    // Across 180° the western end is taken to the other side, and judged there as well.
    const shift = Math.abs(bx - ax) > 0.5 ? Math.sign(ax - bx) : 0;
    const leg = lineOf([
      [ax, ay],
      [bx + shift, by],
    ]);
    const wrong: string[] = [];
    let uncharted: Geometry = leg;
    for (const cell of this.#cells) {
      if (!cell.own.getEnvelopeInternal().intersects(leg.getEnvelopeInternal())) continue;
      const part = OverlayOp.intersection(leg, cell.own) as Geometry;
      uncharted = OverlayOp.difference(uncharted, cell.own);
      wrong.push(...this.#judgePart(cell, leg, part, trip, (ay + by) / 2));
    }
    return { wrong, uncharted: uncharted.getLength() };
  }

  /** Whether a cell covers a place. */
  covers(place: Position): boolean {
    return this.ownerAt(place) !== undefined;
  }

  /** Name of the cell that a place belongs to; undefined outside the charts. */
  ownerAt(place: Position): string | undefined {
    const [x, y] = onPlane(place);
    const point = factory.createPoint(new Coordinate(x, y));
    return this.#cells.find(({ own }) => DistanceOp.distance(point, own) === 0)?.name;
  }

  #judgePart(cell: JudgedCell, leg: Geometry, part: Geometry, trip: Trip, y: number): string[] {
    const wrong: string[] = [];
    const metersPerUnit = PLANE_METERS / Math.cosh(2 * Math.PI * (0.5 - y));
    const box = leg.getEnvelopeInternal().copy();
    box.expandBy((trip.safety.lateralClearance + 60) / metersPerUnit);
    const near = cell.tree.query(box).toArray() as Charted[];
    let dry: Geometry = part;
    for (const { feature, geometry } of near) {
      if (isPlain(feature, geometry, near)) continue;
      if (!isUnsafe(feature, trip)) {
        if (WATER.has(feature.acronym)) dry = OverlayOp.difference(dry, geometry);
        continue;
      }
      const keep = trip.safety.lateralClearance + radiusOf(feature, geometry);
      const limit = keep * 0.99;
      if (DistanceOp.distance(leg, geometry) * metersPerUnit > limit) continue;
      // Only what lies on the cell's own ground counts.
      const owned = OverlayOp.intersection(geometry, cell.own) as Geometry;
      if (owned.isEmpty()) continue;
      const meters = DistanceOp.distance(leg, owned) * metersPerUnit;
      if (meters < limit || meters === 0) {
        const { acronym, lnam, attributes } = feature;
        wrong.push(
          `${cell.name} ${acronym} ${lnam} at ${meters.toFixed(2)} m ${JSON.stringify(attributes)}`,
        );
      }
    }
    if (dry.getLength() * metersPerUnit > 0.01) {
      wrong.push(
        `${cell.name}: ${(dry.getLength() * metersPerUnit).toFixed(2)} m not in charted water`,
      );
    }
    return wrong;
  }
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [i, value] of a.entries()) if (value !== b[i]) return value < b[i]! ? -1 : 1;
  return 0;
}

function matters({ acronym, attributes }: GdalFeature): boolean {
  if (acronym === 'UNSARE') return true;
  if (NEVER.has(acronym) || DANGERS.has(acronym) || OVERHEAD.has(acronym) || WATER.has(acronym)) {
    return true;
  }
  return listOf(attributes['RESTRN']).includes('7');
}

function isUnsafe({ acronym, attributes }: GdalFeature, { vessel, safety }: Trip): boolean {
  const depth = vessel.draft + safety.underKeelClearance - safety.waterLevel;
  if (NEVER.has(acronym) || listOf(attributes['RESTRN']).includes('7')) return true;
  if (acronym === 'UNSARE') return !safety.allowUnknownDepth;
  if (WATER.has(acronym)) {
    const shallow = attributes['DRVAL1'];
    return shallow === undefined ? !safety.allowUnknownDepth : Number(shallow) < depth;
  }
  if (DANGERS.has(acronym)) return !(Number(attributes['VALSOU'] ?? 'NaN') >= depth);
  if (!OVERHEAD.has(acronym) || vessel.airDraft === undefined) return false;
  const category = acronym === 'BRIDGE' ? listOf(attributes['CATBRG']) : [];
  const isLifting = category.includes('4') && attributes['VERCOP'] === undefined;
  const isOpening = !isLifting && category.some((code) => OPENING.has(code));
  const names = isOpening ? ['VERCOP'] : ['VERCLR', 'VERCCL', 'VERCSA'];
  const known = names.flatMap((name) => attributes[name] ?? []).map(Number);
  const least = known.length > 0 ? Math.min(...known) : isOpening ? Number.POSITIVE_INFINITY : 0;
  return least < vessel.airDraft + safety.overheadClearance;
}

/** A sounding no shoaler than the area it lies in says nothing that the area does not. */
function isPlain(
  { acronym, attributes }: GdalFeature,
  geometry: Geometry,
  near: readonly Charted[],
): boolean {
  if (acronym !== 'SOUNDG') return false;
  return near.some(
    (area) =>
      WATER.has(area.feature.acronym) &&
      Number(area.feature.attributes['DRVAL1'] ?? 'NaN') <= Number(attributes['VALSOU']) &&
      DistanceOp.distance(geometry, area.geometry) === 0,
  );
}

/** Points are discs of 10 m. */
function radiusOf({ acronym }: GdalFeature, geometry: Geometry): number {
  if (geometry.getDimension() > 0) return 0;
  return NEVER.has(acronym) || DANGERS.has(acronym) ? 10 : 0;
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? '').replace(/^\(\d+:|\)$/g, '').split(',');
}

function onPlane([longitude, latitude]: readonly number[]): [number, number] {
  return [mercatorX(longitude!), mercatorY(latitude!)];
}

function lineOf(path: readonly (readonly [number, number])[]): Geometry {
  return factory.createLineString(path.map(([x, y]) => new Coordinate(x, y)));
}

const reader = new GeoJSONReader(factory);

/** Each sounding is a danger of its own; everything else is one geometry. */
function chartedOf(feature: GdalFeature): Charted[] {
  const shape = shapeOf(feature.wkb);
  if (shape === undefined) return [];
  if (shape.kind === 'POINT') {
    return shape.parts.flat().map((position) => {
      const geometry = factory.createPoint(new Coordinate(...onPlane(position)));
      if (feature.acronym !== 'SOUNDG') return { feature, geometry };
      const attributes = { VALSOU: `${position[2]}` };
      return { feature: { ...feature, attributes }, geometry };
    });
  }
  const geometry = reader.read(geoJsonOf(shape)) as Geometry;
  for (const coordinate of geometry.getCoordinates()) {
    [coordinate.x, coordinate.y] = onPlane([coordinate.x, coordinate.y]);
  }
  geometry.geometryChanged();
  return [{ feature, geometry }];
}
