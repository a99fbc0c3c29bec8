// The navigable area, computed without the code of Leadline for reading, quilting or painting: features
// as GDAL reads them, and JSTS to find the areas that contain a position.

import IndexedPointInAreaLocator from 'jsts/org/locationtech/jts/algorithm/locate/IndexedPointInAreaLocator.js';
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import Envelope from 'jsts/org/locationtech/jts/geom/Envelope.js';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import STRtree from 'jsts/org/locationtech/jts/index/strtree/STRtree.js';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { type GdalFeature, readWithGdal } from './gdal.ts';
import { geoJsonOf, shapeOf } from './wkb.ts';

export interface OracleHeader {
  readonly band: number;
  readonly scale: number;
  readonly editionDate: string;
}

/** The worst charted values at a position. */
export interface Facts {
  readonly cell: string;
  /** Metres; NaN if no vessel may pass, or if no depth is charted. */
  readonly depth: number;
  readonly isUnknown: boolean;
  /** Metres; 0 if an overhead obstruction has an unknown clearance. */
  readonly clearance: number;
  readonly isProhibited: boolean;
}

type XY = readonly [longitude: number, latitude: number];

/** A line that no vessel may cross, or only vessels that are low enough. */
export interface OracleLine {
  readonly acronym: string;
  readonly path: readonly XY[];
  /** Undefined if the line is not an overhead obstruction. */
  readonly clearance: number | undefined;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const GROUND = words('DEPARE DRGARE LNDARE UNSARE FLODOC HULKES PONTON');
const NEVER = words(
  'LNDARE PONTON HULKES FLODOC SLCONS COALNE DYKCON DAMCON CAUSWY PYLONS PILPNT MORFAC OFSPLF FSHFAC',
);
const DANGERS = words('OBSTRN WRECKS UWTROC MARCUL');
const OVERHEAD = words('BRIDGE CBLOHD PIPOHD CONVYR');
const OPENING = words('2 3 4 5 7');
const POINT_METERS = 10;
const SHOAL_METERS = 10;

interface Area {
  readonly feature: GdalFeature;
  readonly holds: (place: XY) => boolean;
}

interface Spot {
  readonly at: XY;
  readonly depth: number;
  readonly isSounding: boolean;
}

export class RouteOracleCell {
  readonly name: string;
  readonly header: OracleHeader;
  readonly lines: readonly OracleLine[];
  /** All vertices, used to choose positions where values change. */
  readonly vertices: readonly XY[];
  /** The vertices of features that stop most vessels. */
  readonly shoals: readonly XY[];
  readonly #coverage: readonly Area[];
  readonly #areas = new STRtree();
  readonly #spots = new STRtree();

  constructor(files: CellFiles, header: OracleHeader) {
    this.name = files.name;
    this.header = header;
    const features = readWithGdal(files);
    const lines: OracleLine[] = [];
    const vertices: XY[] = [];
    const shoals: XY[] = [];
    const coverage: Area[] = [];
    for (const feature of features) {
      const geometry = shapeOf(feature.wkb);
      if (geometry === undefined) continue;
      const paths = geometry.parts as unknown as readonly (readonly XY[])[];
      const { acronym, attributes } = feature;
      if (acronym === 'M_COVR' && attributes['CATCOV'] === '1') {
        coverage.push(areaOf(feature).area);
        continue;
      }
      if (!this.#matters(feature)) continue;
      if (geometry.kind === 'POINT') {
        for (const position of geometry.parts.flat()) this.#addSpot(feature, position);
        continue;
      }
      for (const path of paths) vertices.push(...path);
      if (!(Number(attributes['DRVAL1']) > SHOAL_METERS))
        for (const path of paths) shoals.push(...path);
      if (geometry.kind === 'POLYGON') {
        const { area, envelope } = areaOf(feature);
        this.#areas.insert(envelope, area);
      } else if (NEVER.has(acronym) || OVERHEAD.has(acronym)) {
        const clearance = OVERHEAD.has(acronym) ? clearanceOf(feature) : undefined;
        for (const path of paths) lines.push({ acronym, path, clearance });
      }
    }
    this.lines = lines;
    this.vertices = vertices;
    this.shoals = shoals;
    this.#coverage = coverage;
  }

  covers(place: XY): boolean {
    return this.#coverage.some(({ holds }) => holds(place));
  }

  factsAt(place: XY): Facts {
    let depth = Number.POSITIVE_INFINITY;
    let clearance = Number.POSITIVE_INFINITY;
    let [isUnknown, isProhibited, isGround] = [false, false, false];
    const envelope = new Envelope(place[0], place[0], place[1], place[1]);
    for (const { feature, holds } of this.#areas.query(envelope).toArray() as Area[]) {
      if (!holds(place)) continue;
      const { acronym, attributes } = feature;
      if (GROUND.has(acronym)) isGround = true;
      if (NEVER.has(acronym)) depth = Number.NaN;
      const shallow = attributes['DRVAL1'];
      if (acronym === 'UNSARE') isUnknown = true;
      if (acronym === 'DEPARE' || acronym === 'DRGARE') {
        if (shallow === undefined) isUnknown = true;
        else depth = Math.min(depth, Number(shallow));
      }
      if (DANGERS.has(acronym)) depth = Math.min(depth, Number(attributes['VALSOU'] ?? 'NaN'));
      if (OVERHEAD.has(acronym)) clearance = Math.min(clearance, clearanceOf(feature));
      if (restrictions(feature).includes('7')) isProhibited = true;
    }
    if (!isGround) depth = Number.NaN;
    for (const spot of this.#spots.query(around(place)).toArray() as Spot[]) {
      if (metersBetween(place, spot.at) >= POINT_METERS || this.#isPlain(spot)) continue;
      depth = Math.min(depth, spot.depth);
    }
    return { cell: this.name, depth, isUnknown, clearance, isProhibited };
  }

  /** A sounding that is not shoaler than its area adds no information. */
  #isPlain({ at, depth, isSounding }: Spot): boolean {
    if (!isSounding) return false;
    const areas = this.#areas.query(new Envelope(at[0], at[0], at[1], at[1])).toArray() as Area[];
    return areas.some(({ feature: { acronym, attributes }, holds }) => {
      const shallow = Number(attributes['DRVAL1'] ?? 'NaN');
      return (acronym === 'DEPARE' || acronym === 'DRGARE') && shallow <= depth && holds(at);
    });
  }

  #matters(feature: GdalFeature): boolean {
    const { acronym } = feature;
    if (GROUND.has(acronym) || NEVER.has(acronym) || DANGERS.has(acronym)) return true;
    return acronym === 'SOUNDG' || OVERHEAD.has(acronym) || restrictions(feature).includes('7');
  }

  #addSpot({ acronym, attributes }: GdalFeature, [x, y, z]: readonly number[]): void {
    if (!NEVER.has(acronym) && !DANGERS.has(acronym) && acronym !== 'SOUNDG') return;
    const sounded = attributes['VALSOU'];
    const depth = acronym === 'SOUNDG' ? z! : sounded === undefined ? Number.NaN : Number(sounded);
    const at: XY = [x!, y!];
    this.#spots.insert(new Envelope(x, x, y, y), {
      at,
      depth: NEVER.has(acronym) ? Number.NaN : depth,
      isSounding: acronym === 'SOUNDG',
    });
  }
}

export class RouteOracle {
  readonly cells: readonly RouteOracleCell[];

  constructor(cells: readonly RouteOracleCell[]) {
    this.cells = [...cells].sort(({ header: a, name: an }, { header: b, name: bn }) => {
      if (a.band !== b.band) return b.band - a.band;
      if (a.scale !== b.scale) return a.scale - b.scale;
      if (a.editionDate !== b.editionDate) return a.editionDate > b.editionDate ? -1 : 1;
      return an < bn ? -1 : 1;
    });
  }

  /** The value of the best cell; undefined if no cell covers the position. */
  factsAt(place: XY): Facts | undefined {
    return this.ownerAt(place)?.factsAt(place);
  }

  ownerAt(place: XY): RouteOracleCell | undefined {
    return this.cells.find((cell) => cell.covers(place));
  }
}

const reader = new GeoJSONReader(new GeometryFactory());

function areaOf(feature: GdalFeature): { readonly area: Area; readonly envelope: unknown } {
  const geometry = reader.read(geoJsonOf(shapeOf(feature.wkb)!));
  let locator: { locate: (at: unknown) => number } | undefined;
  const envelope = geometry.getEnvelopeInternal();
  const holds = ([x, y]: XY): boolean => {
    if (!envelope.contains(x, y)) return false;
    locator ??= new IndexedPointInAreaLocator(geometry);
    // JTS: interior 0, boundary 1, exterior 2.
    return locator.locate(new Coordinate(x, y)) !== 2;
  };
  return { area: { feature, holds }, envelope };
}

function restrictions({ attributes }: GdalFeature): readonly string[] {
  return (attributes['RESTRN'] ?? '').replace(/^\(\d+:|\)$/g, '').split(',');
}

function clearanceOf({ acronym, attributes }: GdalFeature): number {
  const category = (attributes['CATBRG'] ?? '').replace(/^\(\d+:|\)$/g, '').split(',');
  if (acronym === 'BRIDGE' && category.some((code) => OPENING.has(code))) {
    const open = attributes['VERCOP'];
    if (open !== undefined || !category.includes('4')) return Number(open ?? 'Infinity');
  }
  const known = ['VERCLR', 'VERCCL', 'VERCSA'].flatMap((name) => attributes[name] ?? []);
  return known.length === 0 ? 0 : Math.min(...known.map(Number));
}

const METERS_PER_DEGREE = 111_195;

/** Uses a local plane, which is accurate for tens of metres. */
export function metersBetween([x1, y1]: XY, [x2, y2]: XY): number {
  const narrow = Math.cos(((y1 + y2) / 2) * (Math.PI / 180));
  return Math.hypot((x2 - x1) * narrow, y2 - y1) * METERS_PER_DEGREE;
}

function around([x, y]: XY): unknown {
  const high = (2 * POINT_METERS) / METERS_PER_DEGREE;
  const wide = high / Math.cos(y * (Math.PI / 180));
  return new Envelope(x - wide, x + wide, y - high, y + high);
}
