// Well-known text of the kinds GDAL writes, as plain coordinates.

/** Positions `[x, y]` or `[x, y, z]` by part; polygons are a list of rings each. */
export interface WktGeometry {
  readonly kind: 'POINT' | 'LINE' | 'POLYGON';
  readonly parts: readonly (readonly number[])[][];
}

/** Parts of a geometry: points as one part, lines one a part, the rings of all polygons one a part. */
export function parseWkt(wkt: string): WktGeometry | undefined {
  if (wkt === '') return undefined;
  const [, name = ''] = /^(?:MULTI)?([A-Z]+)/.exec(wkt) ?? [];
  const kind = name.startsWith('POINT') ? 'POINT' : name === 'POLYGON' ? 'POLYGON' : 'LINE';
  const lists = [...wkt.matchAll(/\(([^()]+)\)/g)].map(([, list]) =>
    list!.split(',').map((position) => position.trim().split(/\s+/).map(Number)),
  );
  return { kind, parts: kind === 'POINT' ? [lists.flat()] : lists };
}
