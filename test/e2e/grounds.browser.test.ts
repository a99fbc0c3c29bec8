// Charted and uncharted areas must look different: images of each kind of area, by the raster painter
// and by MapLibre, in each theme.

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { THEMES } from '../../shared/style/options.ts';
import { paletteFor } from '../../shared/style/palette.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { buildGrounds, PLACES } from '../support/four-grounds.ts';
import { openMapPage } from '../support/map-page.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Service, startService } from '../support/service.ts';

type Place = keyof typeof PLACES;
/** Rows of `#rrggbb`. */
type Patch = readonly (readonly string[])[];
type Picture = Pick<PNG, 'data'>;

const TILE = 256;
/** Raster tiles at this zoom are 0.7° wide. */
const ZOOM = 9;
/** Two periods of the area patterns. Patches begin at a period. */
const SIDE = 32;
const PERIOD = 16;

/** The tile of a position, and the start of a patch around the position in it. */
function patchAt([longitude, latitude]: readonly [number, number]) {
  const world = 2 ** ZOOM * TILE;
  const sine = Math.sin((latitude * Math.PI) / 180);
  const x = ((longitude + 180) / 360) * world;
  const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world;
  const within = (value: number) => {
    const start = Math.round(((value % TILE) - SIDE / 2) / PERIOD) * PERIOD;
    return Math.max(0, Math.min(TILE - SIDE, start));
  };
  const tile = { z: ZOOM, x: Math.floor(x / TILE), y: Math.floor(y / TILE) };
  return { tile, left: within(x), top: within(y) };
}

const cut = ({ data }: Picture, left: number, top: number): Patch =>
  Array.from({ length: SIDE }, (_, row) =>
    Array.from({ length: SIDE }, (_, column) => {
      const at = ((top + row) * TILE + left + column) * 4;
      return `#${Buffer.from(data.subarray(at, at + 3)).toString('hex')}`;
    }),
  );

/** The most frequent colour of a patch. */
function groundColor(patch: Patch): string {
  const counts = new Map<string, number>();
  for (const color of patch.flat()) counts.set(color, (counts.get(color) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** The share of pixels that differ by more than rounding. */
function difference(a: Patch, b: Patch): number {
  const channels = (color: string) => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
  const differs = (one: string, other: string) => {
    const [p, q] = [channels(one), channels(other)];
    return p.some((value, i) => Math.abs(value - q[i]!) > 2);
  };
  const pixels = a.flat();
  const others = b.flat();
  return pixels.filter((color, i) => differs(color, others[i]!)).length / pixels.length;
}

/** The kinds of area that a reader must distinguish at a glance. */
const KINDS: readonly Place[] = [
  'unchartedWater',
  'unchartedLand',
  'chartedWithoutDepths',
  'chartedWater',
  'chartedLand',
];
const PAIRS = KINDS.flatMap((one, i) => KINDS.slice(i + 1).map((other) => [one, other] as const));

function expectGrounds(patches: Readonly<Record<Place, Patch>>, theme: (typeof THEMES)[number]) {
  const palette = paletteFor(theme);
  const colors = Object.fromEntries(
    Object.entries(patches).map(([place, patch]) => [place, groundColor(patch)]),
  );
  expect(colors).toEqual({
    unchartedWater: palette.BGWTR,
    unchartedLake: palette.BGWTR,
    unchartedLand: palette.BGLND,
    unchartedIsland: palette.BGLND,
    chartedWithoutDepths: palette.NODTA,
    chartedWater: palette.DEPDW,
    chartedLand: palette.LANDA,
  });
  for (const [one, other] of PAIRS) {
    expect(difference(patches[one], patches[other]), `${one}, ${other}`).toBeGreaterThan(0.1);
  }
  // A lake is water like the sea around it.
  expect(difference(patches.unchartedLake, patches.unchartedWater)).toBeLessThan(0.02);
}

/** The style without symbols and glyphs, which these positions do not need, so maps open sooner. */
const groundOf = (style: StyleSpecification): StyleSpecification => ({
  ...style,
  layers: style.layers.filter(({ type }) => type !== 'symbol'),
});

async function patchesBy(
  draw: (tile: { z: number; x: number; y: number }) => Promise<Picture>,
): Promise<Readonly<Record<Place, Patch>>> {
  const patches: Partial<Record<Place, Patch>> = {};
  for (const [place, at] of Object.entries(PLACES)) {
    const { tile, left, top } = patchAt(at);
    patches[place as Place] = cut(await draw(tile), left, top);
  }
  return patches as Readonly<Record<Place, Patch>>;
}

describe('areas that must look different', () => {
  const folder = scratchFolder();
  let service: Service;
  let browser: Browser | undefined;
  beforeAll(async () => {
    const charts = await buildGrounds(folder);
    service = await startService({ charts, assetsDir: inject('assets') });
    if (browserPath !== undefined) browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('appear on raster tiles with charted areas without depths as no data, and paler uncharted land', async () => {
    const patches = await patchesBy(async ({ z, x, y }) => {
      const answer = await service.get(`/api/v2/tiles/raster-v1/${z}/${x}/${y}.png`);
      expect(answer.status).toBe(200);
      return PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    });
    expectGrounds(patches, 'day');
  });

  describe.runIf(browserPath !== undefined)('on a map', () => {
    const patchesOnMap = async (parameters: string) => {
      const token = await service.token();
      const answer = await fetch(
        `${service.address}/api/v1/styles/base.json?${parameters}&token=${token}`,
      );
      const map = await openMapPage(browser!, groundOf((await answer.json()) as never));
      try {
        return await patchesBy(async (tile) => (await map.show(tile, [])).picture);
      } finally {
        await map.close();
      }
    };

    test.each(THEMES)('are different with the theme %s', async (theme) => {
      expectGrounds(await patchesOnMap(`theme=${theme}`), theme);
    });

    test('are different without showNoData, by their colours and the pattern of charts without depths', async () => {
      const patches = await patchesOnMap('showNoData=false&theme=yacht');
      for (const [one, other] of PAIRS) {
        expect(difference(patches[one], patches[other]), `${one}, ${other}`).toBeGreaterThan(0.1);
      }
    });
  });
});
