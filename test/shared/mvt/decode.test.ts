// Compares the vector tile decoder with Mapbox's.

import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader, PbfWriter } from 'pbf';
import { expect, it } from 'vitest';
import { decodeTile, type TileFeature } from '../../../shared/mvt/decode.ts';
import { encodeTile, type GeometryType, LayerBuilder } from '../../../shared/mvt/encode.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const POINT = 1;
const LINE = 2;
const POLYGON = 3;
const zigzag = (step: number): number => (step << 1) ^ (step >> 31);
const deltas = (...values: readonly number[]): number[] => values.map(zigzag);
const moveTo = (count: number): number => 1 | (count << 3);
const lineTo = (count: number): number => 2 | (count << 3);
const CLOSE = 7 | (1 << 3);
const TRIANGLE = [moveTo(1), ...deltas(3, 4), lineTo(2), ...deltas(10, 0, 0, 10), CLOSE];

function tileOf(type: GeometryType, geometry: readonly number[]): Uint8Array {
  const layer = new LayerBuilder('depare');
  layer.add(7, type, { name: 'Næs', depth: -2, share: 0.5, isDry: true }, geometry);
  return encodeTile([layer]);
}

const pathsOf = (type: GeometryType, geometry: readonly number[]): TileFeature['paths'] =>
  decodeTile(tileOf(type, geometry))[0]!.features[0]!.paths;

/** Coordinates from Mapbox's decoder, flattened, without the repeated last point of a ring. */
function theirPaths(feature: VectorTileFeature): number[][] {
  const parts = feature.loadGeometry().map((part) => part.flatMap(({ x, y }) => [x, y]));
  if (feature.type === POINT) return [parts.flat()];
  return feature.type === POLYGON ? parts.map((part) => part.slice(0, -2)) : parts;
}

it('decodeTile agrees with Mapbox on random geometries of every type', () => {
  const random = seededRandom(7);
  const randomBelow = (below: number): number => Math.floor(random() * below);
  const randomDelta = (): number[] => {
    const reach = 2 ** randomBelow(24);
    return deltas(randomBelow(2 * reach) - reach, randomBelow(2 * reach) - reach);
  };
  const layer = new LayerBuilder('random');
  for (let i = 0; i < 600; i++) {
    const type = (1 + (i % 3)) as GeometryType;
    const count = 1 + randomBelow(40);
    const path = () => [
      ...[moveTo(1), ...randomDelta(), lineTo(count)],
      ...Array.from({ length: count }, randomDelta).flat(),
      ...(type === POLYGON ? [CLOSE] : []),
    ];
    const geometry =
      type === POINT
        ? [moveTo(count), ...Array.from({ length: count }, randomDelta).flat()]
        : Array.from({ length: 1 + randomBelow(3) }, path).flat();
    layer.add(
      randomBelow(2 ** 31),
      type,
      { name: `n${randomBelow(50)}`, depth: randomBelow(9) - 4 },
      geometry,
    );
  }
  const bytes = encodeTile([layer]);
  const theirs = new VectorTile(new PbfReader(bytes)).layers['random']!;
  const [ours] = decodeTile(bytes);
  expect(ours!.extent).toBe(theirs.extent);
  expect(ours!.features).toHaveLength(theirs.length);
  for (const [i, feature] of ours!.features.entries()) {
    const their = theirs.feature(i);
    expect([feature.id, feature.type]).toEqual([their.id ?? 0, their.type]);
    expect(feature.properties).toEqual(their.properties);
    expect(feature.paths).toEqual(theirPaths(their));
  }
});

it('decodeTile keeps every point of a ring that is not closed', () => {
  const open = TRIANGLE.slice(0, -1);
  expect(pathsOf(POLYGON, open)).toEqual([[3, 4, 13, 4, 13, 14]]);
  expect(pathsOf(POLYGON, open)).toEqual(pathsOf(POLYGON, TRIANGLE));
});

it('decodeTile accepts keys and values after the features that use them', () => {
  const pbf = new PbfWriter();
  pbf.writeMessage(
    3,
    (_, inner) => {
      inner!.writeMessage(
        2,
        (__, feature) => {
          feature!.writePackedVarint(2, [0, 0]);
          feature!.writeVarintField(3, POLYGON);
          feature!.writePackedVarint(4, [...TRIANGLE]);
        },
        undefined,
      );
      inner!.writeStringField(1, 'late');
      inner!.writeStringField(3, 'name');
      inner!.writeMessage(4, (__, value) => value!.writeStringField(1, 'Skagen'), undefined);
    },
    undefined,
  );
  const [layer] = decodeTile(pbf.finish());
  expect(layer!.extent).toBe(4096);
  expect(layer!.features[0]!.properties).toEqual({ name: 'Skagen' });
});

it.each([
  ['a line without a start point', LINE, [lineTo(1), ...deltas(1, 1)], /without a start point/],
  ['an unknown command', LINE, [5 | (1 << 3), ...deltas(1, 1)], /unknown command: 5/],
  ['fewer points than it promises', LINE, TRIANGLE.slice(0, 5), /ends within a command/],
  ['a varint longer than 32 bits', POINT, [moveTo(1), 2 ** 45, 0], /varint longer than 32 bits/],
] as const)('decodeTile rejects a geometry with %s', (_, type, geometry, message) => {
  expect(() => decodeTile(tileOf(type, geometry))).toThrow(message);
});

it('decodeTile rejects a tile truncated at any byte', () => {
  const bytes = tileOf(POLYGON, TRIANGLE);
  for (let length = 1; length < bytes.length; length++) {
    expect(() => decodeTile(bytes.subarray(0, length))).toThrow();
  }
});
