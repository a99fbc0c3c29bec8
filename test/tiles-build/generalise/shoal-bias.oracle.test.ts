// Vector tiles of real cells, checked against the cells as GDAL reads them: at every zoom, near each danger
// and sounding, one that is at least as shoal is shown.

import type { VectorTile } from '@mapbox/vector-tile';
import { beforeAll, describe, expect, test } from 'vitest';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { hasBusyCells, hasEncData } from '../../support/enc-data.ts';
import { hasGdal } from '../../support/gdal.ts';
import { isLong } from '../../support/long-run.ts';
import { realCells, realCharts } from '../../support/real-charts.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { ShoalJudge } from '../../support/shoal-judge.ts';
import { openTiles, type TileReader } from '../../support/tile-geometry.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

const SEED = 20_261_122;
const LAST_ZOOM = 15;
const TILES = isLong ? 10_000 : 140;

const WATERS = [
  ['Boston and the Chesapeake', 'busy'],
  ['five usage bands', 'withCoarse'],
] as const;

describe.runIf(hasBusyCells && hasEncData && hasGdal).each(WATERS)(
  'charts of %s',
  (_waters, set) => {
    let judge: ShoalJudge;
    let tiles: TileReader;
    beforeAll(async () => {
      const { cells } = await findCells(realCells(set));
      judge = new ShoalJudge(await Promise.all(cells.map(loadCell)));
      tiles = openTiles(wholeArchive(await realCharts(), 'enc-v2'));
    });

    test(`show one that is at least as shoal near every danger and sounding (${TILES} random tiles, seed ${SEED})`, async () => {
      const random = seededRandom(SEED);
      const waiting = Array.from({ length: LAST_ZOOM + 1 }, (_, z) =>
        judge.tilesAt(z).map((at) => ({ at, order: random() })),
      ).map((list) => list.sort((a, b) => a.order - b.order));
      const there = waiting.reduce((sum, { length }) => sum + length, 0);
      const failures: string[] = [];
      let looked = 0;
      while (looked < TILES && waiting.some((list) => list.length > 0)) {
        const z = Math.floor(random() * waiting.length);
        const next = waiting[z]!.pop();
        if (next === undefined) continue;
        failures.push(...(await judge.failuresOf(tiles, z, ...next.at)));
        looked++;
      }
      expect(failures).toEqual([]);
      // Boston and the Chesapeake have about three thousand tiles with depths: a long run checks them all.
      expect(looked).toBe(Math.min(TILES, there));
      expect(judge.judged).toBeGreaterThan(looked);
    });

    test.each(['SOUNDG', 'OBSTRN'])(`fail this check without their %s`, async (layer) => {
      const robbed: TileReader = {
        read: async (...at) => {
          const tile = await tiles.read(...at);
          if (tile !== undefined) delete (tile as VectorTile).layers[layer];
          return tile;
        },
      };
      const found: string[] = [];
      for (const at of judge.tilesAt(13)) {
        found.push(...(await judge.failuresOf(robbed, 13, ...at)));
        if (found.length > 0) break;
      }
      expect(found.length).toBeGreaterThan(0);
    });
  },
);
