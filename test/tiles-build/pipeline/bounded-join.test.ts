// Tiles with so many owners that their fragments do not fit in memory: memory stays bounded, and the
// tile still shows every danger.

import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import { describe, expect, it } from 'vitest';
import { decodeTile } from '../../../shared/mvt/decode.ts';
import { encodeTile, LayerBuilder, pointCommands } from '../../../shared/mvt/encode.ts';
import { MAX_TILE_BYTES } from '../../../tiles-build/generalise/fit-tile.ts';
import { boundedJoin } from '../../../tiles-build/pipeline/bounded-join.ts';
import { joinsOf } from '../../../tiles-build/pipeline/tileset-merge.ts';
import { NOT_DRAWN } from '../../../tiles-build/slice/fit-raw.ts';
import { RawJoin } from '../../../tiles-build/slice/merge-raw.ts';
import { seededRandom } from '../../support/seeded-random.ts';

describe('boundedJoin', () => {
  it('never holds or condenses more than one fragment above the limit', () => {
    const given: number[] = [];
    const join = boundedJoin({
      mostBytes: 1000,
      condense: (fragments) => {
        given.push(fragments.reduce((sum, { length }) => sum + length, 0));
        return { bytes: new Uint8Array(100), removedParts: fragments.length - 1 };
      },
      merge: (fragments) => ({ bytes: new Uint8Array(fragments.length), removedParts: 0 }),
    });
    for (let i = 0; i < 5000; i++) join.add(new Uint8Array(90));
    const [tile] = [...join.finish()];
    expect(Math.max(...given)).toBeLessThanOrEqual(1000 + 90);
    expect(tile!.bytes.length).toBeLessThanOrEqual(12);
    // Each of the others is represented by one that is left.
    expect(tile!.removedParts! + tile!.bytes.length).toBe(5000);
  });

  it('does not condense again for each fragment if fragments do not shrink', () => {
    let rounds = 0;
    const join = boundedJoin({
      mostBytes: 1000,
      condense: (fragments) => {
        rounds++;
        return { bytes: new Uint8Array(fragments.reduce((sum, { length }) => sum + length, 0)) };
      },
      merge: ([bytes]) => ({ bytes: bytes! }),
    });
    for (let i = 0; i < 10_000; i++) join.add(new Uint8Array(100));
    join.finish();
    expect(rounds).toBeLessThan(30);
  });
});

describe('joinsOf', () => {
  it('makes a vector tile of many dense owners fit and keeps its shoalest danger', async () => {
    const begin = await joinsOf('enc-v2', { mostBytes: 1 << 19 });
    const random = seededRandom(9);
    const join = begin(0, '');
    const owners = 75;
    const dangers = 400;
    let shoalest = Number.POSITIVE_INFINITY;
    let given = 0;
    for (let owner = 0; owner < owners; owner++) {
      const layer = new LayerBuilder('UWTROC');
      for (let i = 0; i < dangers; i++) {
        const dd = Math.round(random() * 1e6) / 1e4;
        shoalest = Math.min(shoalest, dd);
        const name = `${owner} ${i} ${'x'.repeat(20)}`;
        const at = [Math.floor(random() * 4096), Math.floor(random() * 4096)];
        layer.add(owner * dangers + i + 1, 1, { sy: 'UWTROC04', dd, name }, pointCommands(at));
      }
      const bytes = encodeTile([layer]);
      given += bytes.length;
      join.add(bytes);
    }
    expect(given).toBeGreaterThan(2 << 19);
    const [tile] = [...join.finish()];
    expect(gzipSync(tile!.bytes).length).toBeLessThanOrEqual(MAX_TILE_BYTES);
    const left = decodeTile(tile!.bytes).flatMap(({ features }) => features);
    expect(Math.min(...left.map(({ properties }) => Number(properties['dd'])))).toBe(shoalest);
    const counted = left.reduce((sum, { properties }) => sum + Number(properties['n'] ?? 1), 0);
    expect(counted).toBe(owners * dangers);
    expect(tile!.removedParts).toBe(owners * dangers - left.length);
  });

  it('keeps every drawn feature of a GeoJSON tile and counts all others', () => {
    const zoom = 10;
    const limit = 60_000;
    const join = new RawJoin({ zoom, bytes: limit });
    const random = seededRandom(4);
    const drawn: string[] = [];
    for (let owner = 0; owner < 300; owner++) {
      const lines = [0, 1, 2].map((i) => {
        const id = `${owner}.${i}`;
        const isDrawn = i === 0;
        if (isDrawn) drawn.push(id);
        const coordinates = Array.from({ length: 150 }, (_, k) => [
          10 + k * 1e-5,
          50 + random() * 1e-5,
        ]);
        const geometry = { type: 'LineString', coordinates };
        const feature = { type: 'Feature', id, properties: {}, geometry };
        return (isDrawn ? '' : NOT_DRAWN) + JSON.stringify(feature);
      });
      join.add(new TextEncoder().encode(lines.join('\n')));
    }
    const { bytes, removedParts } = join.finish();
    expect(bytes.length).toBeLessThanOrEqual(limit);
    const tile = JSON.parse(new TextDecoder().decode(bytes));
    const ids = tile.features.map(({ id }: { id: string }) => id);
    expect(ids.filter((id: string) => id.endsWith('.0'))).toEqual(drawn);
    expect(tile.leftOut).toBe(900 - ids.length);
    expect(removedParts).toBe(tile.leftOut);
  });

  it('joins the shorelines of many owners into one land area', async () => {
    const begin = await joinsOf('data-shoreline-v1', { mostBytes: 100_000 });
    // Teeth of land, far more than the limit; neighbours touch, so together they are one area.
    const [z, x, y] = [8, 70, 90];
    const join = begin(zxyToTileId(z, x, y), '');
    const teeth = 40;
    const steps = 1000;
    let given = 0;
    for (let i = 0; i < teeth; i++) {
      const left = i * 200;
      const ring = [left, 0, left + 200, 0, left + 200, 8000];
      for (let k = steps; k > 0; k--) ring.push(left + (k % 2) * 90 + 10, (8000 * k) / steps);
      const fragment = new TextEncoder().encode(JSON.stringify({ z, x, y, rings: [ring] }));
      given += fragment.length;
      join.add(fragment);
    }
    expect(given).toBeGreaterThan(300_000);
    const [tile] = [...join.finish()];
    const { features } = JSON.parse(new TextDecoder().decode(tile!.bytes));
    expect(features).toHaveLength(1);
  });
});
