// Converts the vector tiles of the development charts to MapLibre Tiles (MLT) with @maplibre/mlt, and compares size
// and decoding time with MVT. Each tile is decoded again and compared with the features of the MVT tile. The encoder
// of the package writes the plainest form, without dictionaries; the packages' other encoders need Java or Rust. Tiles
// are compared as they are sent, compressed with gzip, and uncompressed. An endpoint for MLT would be worth its code
// if tiles were 5 % smaller or decoded 1.5 times as fast.

import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { decodeTile, encodeTile, type FeatureInput, type Layer } from '@maplibre/mlt';
import { PbfReader } from 'pbf';
import { tilesOfBuild } from '../support/whole-archive.ts';
import { benchCharts } from './bench-charts.ts';
import { goalLines } from './goals.ts';

/** One tile of so many. */
const STEP = 5;
const ROUNDS = 3;

/** Runs the bench and prints it. */
export async function run(): Promise<void> {
  const { demo, real } = await benchCharts();
  const stored = tilesOfBuild(real ?? demo, 'enc-v2').filter((_, i) => i % STEP === 0);
  const mvt = stored.map(({ bytes }) => gunzipSync(bytes));
  const mlt = mvt.map((bytes) => encodeTile(layersOf(bytes)));
  const hash = createHash('sha256');
  for (const [i, bytes] of mlt.entries()) {
    const found = featuresOf(bytes);
    if (found !== asText(layersOf(mvt[i]!))) throw new Error(`tile ${i} differs after decoding`);
    hash.update(found);
  }
  const [mvtZipped, mltZipped] = [mvt.map(zipped), mlt.map(zipped)];
  const [plain, packed] = [ratioOf(mlt, mvt), ratioOf(mltZipped, mvtZipped)];
  const [slow, fast] = [timeOf(mvt, decodeMvt), timeOf(mlt, decodeMlt)];
  console.log(
    `${mvt.length} tiles of ${real === undefined ? 'the demo' : 'real cells'}, all equal after decoding`,
  );
  console.log(`uncompressed: ${sizeOf(mvt)} MB as MVT, ${sizeOf(mlt)} MB as MLT`);
  console.log(`gzip:         ${sizeOf(mvtZipped)} MB as MVT, ${sizeOf(mltZipped)} MB as MLT`);
  console.log(
    `decoding all properties and geometries: ${slow.toFixed(2)} s as MVT, ${fast.toFixed(2)} s as MLT`,
  );
  const written = `the encoder of the package writes plain columns: uncompressed, an MLT tile has ${(1 / plain).toFixed(2)} times the bytes`;
  const objects = 'the decoder makes all columns, and then an object for each feature and position';
  const goals = [
    { name: 'bytes of MVT to those of MLT, gzip', reached: packed, target: 1.05, cause: written },
    {
      name: 'decoding time of MVT to that of MLT',
      reached: slow / fast,
      target: 1.5,
      cause: objects,
    },
  ];
  for (const line of goalLines(goals)) console.log(line);
  console.log(`checksum ${hash.digest('hex').slice(0, 16)}`);
}

const zipped = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 9 });
const bytesIn = (tiles: readonly Uint8Array[]): number =>
  tiles.reduce((sum, { length }) => sum + length, 0);
const sizeOf = (tiles: readonly Uint8Array[]): string => (bytesIn(tiles) / 1e6).toFixed(2);
const ratioOf = (mlt: readonly Uint8Array[], mvt: readonly Uint8Array[]): number =>
  bytesIn(mvt) / bytesIn(mlt);

/** The layers of an MVT tile, in the form that the encoder takes. */
function layersOf(bytes: Uint8Array): Layer[] {
  return Object.values(new VectorTile(new PbfReader(bytes)).layers).map((layer) => ({
    name: layer.name,
    extent: layer.extent,
    features: Array.from({ length: layer.length }, (_, i) => inputOf(layer.feature(i))),
  }));
}

function inputOf(feature: VectorTileFeature): FeatureInput {
  return {
    ...(feature.id === undefined ? {} : { id: feature.id }),
    geometry: geometryOf(feature),
    properties: { ...feature.properties },
  };
}

function geometryOf(feature: VectorTileFeature): FeatureInput['geometry'] {
  const paths = feature
    .loadGeometry()
    .map((path) => path.map(({ x, y }): [number, number] => [x, y]));
  if (feature.type === 1) {
    const points = paths.flat();
    return points.length === 1
      ? { type: 'Point', coordinates: points[0]! }
      : { type: 'MultiPoint', coordinates: points };
  }
  if (feature.type === 2) {
    return paths.length === 1
      ? { type: 'LineString', coordinates: paths[0]! }
      : { type: 'MultiLineString', coordinates: paths };
  }
  const polygons: [number, number][][][] = [];
  for (const ring of paths.map((path) => path.slice(0, -1))) {
    if (polygons.length === 0 || doubleAreaOf(ring) > 0) polygons.push([ring]);
    else polygons.at(-1)!.push(ring);
  }
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons };
}

const doubleAreaOf = (ring: readonly (readonly [number, number])[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);

/** Replacer of JSON: the decoder gives large integers as `bigint`. */
const plainNumbers = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;

/** A feature as text: rings without their last position, and properties in order of their names. */
function textOf(
  id: unknown,
  paths: unknown,
  properties: Readonly<Record<string, unknown>>,
): string {
  const entries = Object.entries(properties).filter(([, value]) => value != null);
  return JSON.stringify([id, paths, entries.sort(([a], [b]) => (a < b ? -1 : 1))], plainNumbers);
}

/** The layers that were encoded, as text. */
const asText = (layers: readonly Layer[]): string =>
  layers
    .map(({ name, extent, features }) => {
      const lines = features.map(({ id, geometry, properties }) =>
        textOf(id, JSON.stringify(geometry.coordinates).match(/-?\d+/g), properties ?? {}),
      );
      return [name, extent, ...lines].join('\n');
    })
    .join('\n');

/** The layers of an MLT tile as text. */
const featuresOf = (bytes: Uint8Array): string =>
  decodeTile(bytes)
    .map((table) => {
      const lines = table.getFeatures().map(({ id, geometry, properties }) => {
        const isArea = geometry.type === 2 || geometry.type === 5;
        const paths = geometry.coordinates.map((path) => (isArea ? path.slice(0, -1) : path));
        return textOf(id, JSON.stringify(paths).match(/-?\d+/g), properties);
      });
      return [table.name, table.extent, ...lines].join('\n');
    })
    .join('\n');

function decodeMvt(bytes: Uint8Array): number {
  let count = 0;
  for (const layer of Object.values(new VectorTile(new PbfReader(bytes)).layers)) {
    for (let i = 0; i < layer.length; i++) {
      const feature = layer.feature(i);
      count += feature.loadGeometry().length + Object.keys(feature.properties).length;
    }
  }
  return count;
}

function decodeMlt(bytes: Uint8Array): number {
  let count = 0;
  for (const table of decodeTile(bytes)) {
    for (const { geometry, properties } of table.getFeatures()) {
      count += geometry.coordinates.length + Object.keys(properties).length;
    }
  }
  return count;
}

/** The least seconds of some rounds over all tiles. */
function timeOf(tiles: readonly Uint8Array[], decode: (bytes: Uint8Array) => number): number {
  const once = () => {
    const from = process.cpuUsage();
    let count = 0;
    for (const bytes of tiles) count += decode(bytes);
    if (count === 0) throw new Error('The tiles are empty.');
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1e6;
  };
  return Math.min(...Array.from({ length: ROUNDS }, once));
}
