// Reads the kinds of well-known binary that GDAL writes (OGC 06-103r4, clause 8, with the SRID and the Z
// flag of PostGIS) as plain coordinates.

type Position = readonly number[];

/** Positions `[x, y]` or `[x, y, z]`. */
export interface Shape {
  readonly kind: 'POINT' | 'LINE' | 'POLYGON';
  readonly isMulti: boolean;
  /** All points are one part. Each line, and each ring of a polygon, is a part. */
  readonly parts: readonly (readonly Position[])[];
  /** Rings of each polygon, the outer one first; none of anything else. */
  readonly polygons: readonly (readonly (readonly Position[])[])[];
}

const KINDS = ['POINT', 'LINE', 'POLYGON'] as const;
const FIRST_MULTI = 4;
const HAS_Z = 0x80000000;
const HAS_SRID = 0x20000000;

/** A geometry in hexadecimal; undefined for an empty text. @throws Error for what is none of the six kinds */
export function shapeOf(hex: string): Shape | undefined {
  if (hex === '') return undefined;
  const { buffer, byteOffset, length } = Buffer.from(hex, 'hex');
  const view = new DataView(buffer, byteOffset, length);
  let at = 0;
  const count = () => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const times = <T>(many: number, read: () => T): T[] => Array.from({ length: many }, read);
  const head = () => {
    if (view.getUint8(at++) !== 1) throw new Error(`not little-endian: ${hex.slice(0, 20)}`);
    const type = count();
    if ((type & HAS_SRID) !== 0) at += 4;
    return { size: (type & HAS_Z) !== 0 ? 3 : 2, type: type & 0xff };
  };
  const position = (size: number): Position => {
    const one = [view.getFloat64(at, true), view.getFloat64(at + 8, true)];
    if (size === 3) one.push(view.getFloat64(at + 16, true));
    at += 8 * size;
    return one;
  };
  const path = (size: number) => times(count(), () => position(size));

  const { size, type } = head();
  const isMulti = type >= FIRST_MULTI;
  const kind = KINDS[(type - 1) % 3];
  if (kind === undefined || type > 6) throw new Error(`geometry of type ${type}`);
  /** Each of several has a head of its own. */
  const each = <T>(read: (size: number) => T): T[] =>
    isMulti ? times(count(), () => read(head().size)) : [read(size)];
  if (kind === 'POINT') return { kind, isMulti, parts: [each(position)], polygons: [] };
  if (kind === 'LINE') return { kind, isMulti, parts: each(path), polygons: [] };
  const polygons = each((own) => times(count(), () => path(own)));
  return { kind, isMulti, parts: polygons.flat(), polygons };
}

/** As GeoJSON has it, which libraries read. */
export function geoJsonOf({ kind, isMulti, parts, polygons }: Shape) {
  const several = { POINT: parts[0]!, LINE: parts, POLYGON: polygons }[kind];
  const type = { POINT: 'Point', LINE: 'LineString', POLYGON: 'Polygon' }[kind];
  return isMulti
    ? { type: `Multi${type}`, coordinates: several }
    : { type, coordinates: several[0]! };
}
