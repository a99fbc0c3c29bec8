// The edges of the map plane: at 180°, where it wraps around, and near the poles.

import { beforeAll, describe, expect, inject, test } from 'vitest';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { depthOfCode } from '../../../shared/route/depth-code.ts';
import { SEA_FLAGS } from '../../../shared/route/sea.ts';
import { type Clipper, loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { fullSquare } from '../../support/full-square.ts';
import { isLong } from '../../support/long-run.ts';
import { openSeaFile, type SeaFile } from '../../support/sea-file.ts';
import { ChartBuilder } from '../portray/chart-builder.ts';
import { seaOf } from './sea-of-cell.ts';

describe('a cell across 180°', () => {
  let clipper: Clipper;
  beforeAll(async () => {
    clipper = await loadClipper();
  });

  test('has its water, its island and its edges on both sides', () => {
    const chart = new ChartBuilder();
    const west = 179.99;
    const east = -179.99;
    const ring = (w: number, e: number, s: number, n: number) =>
      [
        [w, s],
        [e, s],
        [e, n],
        [w, n],
      ] as const;
    chart.polygon('M_COVR', ring(west, east, 10, 10.02), { CATCOV: 1 });
    chart.polygon('DEPARE', ring(west, east, 10, 10.02), { DRVAL1: 12 });
    chart.polygon('LNDARE', ring(179.999, -179.999, 10.009, 10.011));
    chart.point('UWTROC', [180, 10.005], { VALSOU: 3 });
    const sea = seaOf([chart.cell()], clipper);
    const depthAt = (longitude: number, latitude: number) => {
      const { square, index } = sea.cellAt(mercatorX(longitude), mercatorY(latitude));
      return depthOfCode(square.leastDepth[index]!);
    };
    for (const longitude of [179.9985, -179.9985]) expect(depthAt(longitude, 10.01)).toBe(12);
    for (const longitude of [179.9995, -179.9995]) {
      expect(depthAt(longitude, 10.01)).toBe(Number.NEGATIVE_INFINITY);
      expect(depthAt(longitude, 10.015)).toBe(12);
    }
    // A disc of 10 m extends across the meridian.
    for (const longitude of [179.999_95, -179.999_95]) expect(depthAt(longitude, 10.005)).toBe(3);
    const lands = sea.hazards().filter(({ kind }) => kind === 0);
    expect(lands.some(({ ends }) => ends[0]! > 0.99)).toBe(true);
    expect(lands.some(({ ends }) => ends[0]! < 0.01)).toBe(true);
  });

  test('may extend near the pole, up to the edge of the projected plane', () => {
    const chart = new ChartBuilder();
    chart.box('M_COVR', [20, 84.9], [20.3, 85.2], { CATCOV: 1 });
    chart.box('DEPARE', [20, 84.9], [20.3, 85.2], { DRVAL1: 30 });
    chart.point('LNDARE', [20.1, 84.95]);
    const sea = seaOf([chart.cell()], clipper);
    const at = (longitude: number, latitude: number) => {
      const { square, index } = sea.cellAt(mercatorX(longitude), mercatorY(latitude));
      return square.leastDepth[index]!;
    };
    expect(at(20.1, 84.95)).toBe(0);
    expect(depthOfCode(at(20.2, 84.95))).toBeGreaterThan(25);
    expect(depthOfCode(at(20.2, 85.051))).toBeGreaterThan(25);
  });
});

describe('the background', () => {
  let sea: SeaFile;
  beforeAll(async () => {
    sea = await openSeaFile(inject('demoCharts'));
  });
  const at = (longitude: number, latitude: number) => {
    const { square, index } = sea.cellAt(mercatorX(longitude), mercatorY(latitude));
    const flags = square.flags?.[index] ?? 0;
    return {
      isWater: square.leastDepth[index] === 255,
      isBackground: (flags & SEA_FLAGS.background) !== 0,
      isLand: square.leastDepth[index] === 0,
    };
  };
  const WATER = { isWater: true, isBackground: true, isLand: false };
  const LAND = { isWater: false, isBackground: false, isLand: true };

  test.each([
    ['the Arctic Ocean', 10, 85],
    ['the Bering Sea at 180°', 180, 58],
    ['the same from the other side', -180, 58],
    ['the Pacific', -150, -40],
    // Natural Earth has an island of a metre at 0, 0.
    ['the Gulf of Guinea', 0, 0.2],
    ['the Strait of Gibraltar', -5.6, 35.95],
    ['Drake Passage', -64, -58],
    ['the Ross Sea', -175, -75],
  ])('%s is water, and marked', (_, longitude, latitude) => {
    expect(at(longitude, latitude)).toEqual(WATER);
  });

  test.each([
    ['Greenland', -42, 75],
    ['Antarctica at the edge of the plane', 100, -85.04],
    ['Chukotka at 180°', 180, 68],
    ['Taveuni, Fiji, across 180°', -179.98, -16.8],
    ['Panama', -79.8, 9.1],
    ['the shore of Gibraltar, wider than drawn', -5.345, 36.1],
  ])('%s is land', (_, longitude, latitude) => {
    expect(at(longitude, latitude)).toEqual(LAND);
  });

  test('every square of the coarsest zoom is present', () => {
    for (let x = 0; x < 4; x++)
      for (let y = 0; y < 4; y++) expect(sea.square(2, x, y)).toBeDefined();
  });

  test('coarse cells are never deeper than finer ones, and contain all their dangers', () => {
    let compared = 0;
    const astray: string[] = [];
    for (const { z, x, y } of sea.packed.values()) {
      const rarely = isLong ? 1 : 6;
      const oneOf = {
        2: 5,
        5: 90 * rarely,
        8: 2 * rarely,
        11: 9 * rarely,
        14: Number.POSITIVE_INFINITY,
      }[z];
      if ((17 * x + y) % oneOf !== 0) continue;
      const coarse = fullSquare(sea.square(z, x, y)!);
      coarse.hasFiner.forEach((has, i) => {
        const [column, row] = [8 * x + (i % 8), 8 * y + Math.floor(i / 8)];
        const stored = sea.square((z + 3) as 5, column, row);
        const finer = stored && fullSquare(stored);
        if ((finer !== undefined) !== (has === 1)) astray.push(`${z}/${x}/${y} ${i}`);
        if (finer === undefined) return;
        compared++;
        for (let cell = 0; cell < 32 * 32; cell += 13) {
          const [cx, cy] = [cell % 32, Math.floor(cell / 32)];
          const at = ((i >> 3) * 32 + cy) * 256 + (i & 7) * 32 + cx;
          let [least, most, flags, lowest] = [255, 0, 0, 255];
          for (let k = 0; k < 64; k++) {
            const below = (8 * cy + (k >> 3)) * 256 + 8 * cx + (k & 7);
            least = Math.min(least, finer.leastDepth[below]!);
            most = Math.max(most, finer.mostDepth[below]!);
            flags |= finer.flags?.[below] ?? 0;
            lowest = Math.min(lowest, finer.clearance?.[below] ?? 255);
          }
          const found = [
            coarse.leastDepth[at],
            coarse.mostDepth[at],
            coarse.flags?.[at] ?? 0,
            coarse.clearance?.[at] ?? 255,
          ];
          if (found.join() !== [least, most, flags, lowest].join()) {
            expect({ z, x, y, i, cell, found }).toEqual({
              z,
              x,
              y,
              i,
              cell,
              found: [least, most, flags, lowest],
            });
          }
        }
      });
    }
    expect(astray).toEqual([]);
    expect(compared).toBeGreaterThan(100);
  });
});
