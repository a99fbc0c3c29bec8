// Symbols of overlapping and neighbouring areas, in the vector tiles of written cells.

import { describe, expect, it } from 'vitest';
import { SIGN_PLACES } from '../../../shared/chart/sign-places.ts';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { EXTENT } from '../../../shared/mvt/encode.ts';
import { AreaSigns } from '../../../tiles-build/generalise/area-signs.ts';
import type { Drawable } from '../../../tiles-build/portray/features/drawable.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import {
  tileAt,
  WrittenChart,
  type WrittenPlan,
  writtenCell,
} from '../../support/written-chart.ts';

const TILE_PIXELS = 512;
/** Minimum size of a symbol. */
const SIGN_PIXELS = 18;
const SIDE = 0.1;
/** First whole zoom of 1:12,000 at this latitude. */
const SCALE_ZOOM = 15;

type Areas = WrittenPlan['areas'];
type Corner = readonly [west: number, south: number];

const HERE: Corner = [5.01, 43.01];

const harbour = ([west, south]: Corner, areas: Areas): WrittenPlan => ({
  name: 'ZZ5HARBR',
  usageBand: 5,
  scaleDenominator: 12_000,
  areas: [
    ['M_COVR', [west, south, west + SIDE, south + SIDE], { CATCOV: 1 }],
    ['DEPARE', [west, south, west + SIDE, south + SIDE], { DRVAL1: 5, DRVAL2: 20 }],
    ...areas,
  ],
});

/** A square around a place in the harbour, in fractions of the harbour's side. */
const square = ([west, south]: Corner, x: number, y: number, side = 0.05) =>
  [
    west + (x - side / 2) * SIDE,
    south + (y - side / 2) * SIDE,
    west + (x + side / 2) * SIDE,
    south + (y + side / 2) * SIDE,
  ] as const;

interface Sign {
  readonly symbol: unknown;
  /** Pixels at the zoom. */
  readonly x: number;
  readonly y: number;
  /** Zoom from which it is visible. */
  readonly from: number;
}

async function chartOf(
  areas: Areas,
  corner = HERE,
  more: Partial<WrittenPlan> = {},
): Promise<(zoom: number) => Sign[]> {
  const cell = writtenCell({ ...harbour(corner, areas), ...more });
  const chart = await WrittenChart.of([cell], { floors: false });
  return (zoom) => {
    const first = tileAt(zoom, [corner[0], corner[1] + SIDE]);
    const last = tileAt(zoom, [corner[0] + SIDE, corner[1]]);
    const signs: Sign[] = [];
    for (let x = first.x; x <= last.x; x++) {
      for (let y = first.y; y <= last.y; y++) {
        for (const { properties, paths } of chart.tile('AREASYM', { z: zoom, x, y })) {
          if (properties['sy'] === undefined) continue;
          const [px, py] = paths[0]!;
          const [dx, dy] = SIGN_PLACES[Number(properties['sl'] ?? 0)]!;
          signs.push({
            symbol: properties['sy'],
            x: (x + px! / EXTENT) * TILE_PIXELS + dx,
            y: (y + py! / EXTENT) * TILE_PIXELS + dy,
            from: Number(properties['mz'] ?? 0),
          });
        }
      }
    }
    return signs;
  };
}

/** Number of pairs of symbols that overlap. */
const piled = (signs: readonly Sign[]): number =>
  signs.flatMap((a, i) =>
    signs
      .slice(i + 1)
      .filter((b) => Math.abs(a.x - b.x) < SIGN_PIXELS && Math.abs(a.y - b.y) < SIGN_PIXELS),
  ).length;

const symbols = (signs: readonly Sign[]) => signs.map(({ symbol }) => symbol).sort();

const OVER_ONE_ANOTHER: Areas = [
  ['ACHARE', square(HERE, 0.5, 0.5), { CATACH: '1' }],
  ['RESARE', square(HERE, 0.5, 0.5), { RESTRN: '3' }],
  ['CTNARE', square(HERE, 0.5, 0.5)],
  ['CBLARE', square(HERE, 0.5, 0.5)],
  ['DMPGRD', square(HERE, 0.5, 0.5), { CATDPG: '2' }],
];

describe('AreaSigns', () => {
  it.each([9, 12, 14, 15])(
    'places the symbols of five areas of the same ground side by side at zoom %d',
    async (zoom) => {
      const signs = (await chartOf(OVER_ONE_ANOTHER))(zoom);
      expect(symbols(signs)).toEqual(['ACHARE51', 'CHINFO07', 'CTNARE51', 'FSHRES51', 'INFARE51']);
      expect(piled(signs)).toBe(0);
    },
  );

  it('places the most important symbol in the middle', async () => {
    const areas: Areas = [...OVER_ONE_ANOTHER, ['RESARE', square(HERE, 0.5, 0.5), { RESTRN: '7' }]];
    const middle = [mercatorX(HERE[0] + SIDE / 2), mercatorY(HERE[1] + SIDE / 2)];
    const [x, y] = middle.map((unit) => unit * TILE_PIXELS * 2 ** 13);
    const sign = (await chartOf(areas))(13).find(({ symbol }) => symbol === 'ENTRES51');
    expect(Math.hypot(sign!.x - x!, sign!.y - y!)).toBeLessThan(2);
  });

  it('shows few symbols of a row of cable areas below the scale, and all from the scale on', async () => {
    const row: Areas = Array.from({ length: 30 }, (_, i) => [
      'CBLARE',
      square(HERE, 0.02 + i / 31, 0.5, 0.02),
    ]);
    const signsAt = await chartOf(row);
    expect(signsAt(SCALE_ZOOM)).toHaveLength(30);
    expect(signsAt(10).length).toBeLessThan(5);
    expect(signsAt(10).length).toBeGreaterThan(0);
    expect(signsAt(12).length).toBeGreaterThan(signsAt(10).length);
  });

  it.each([
    ['in the north', HERE],
    ['in the south', [-70.05, -33.05] as const],
    ['beside 180°', [179.85, -18] as const],
  ])('never overlaps symbols of random areas below the scale, %s', async (_, corner) => {
    const random = seededRandom(3);
    const kinds = ['ACHARE', 'CTNARE', 'CBLARE', 'PIPARE', 'DMPGRD', 'PRCARE', 'RESARE'] as const;
    const areas: Areas = Array.from({ length: 150 }, () => [
      kinds[Math.floor(random() * kinds.length)]!,
      square(corner, 0.05 + 0.9 * random(), 0.05 + 0.9 * random(), 0.01 + 0.06 * random()),
    ]);
    const signsAt = await chartOf(areas, corner);
    for (let zoom = 8; zoom < SCALE_ZOOM; zoom++) {
      expect(piled(signsAt(zoom)), `zoom ${zoom}`).toBe(0);
      expect(signsAt(zoom).length, `zoom ${zoom}`).toBeGreaterThan(0);
    }
    expect(signsAt(SCALE_ZOOM)).toHaveLength(150);
  });

  it('does not hide a symbol for an area that is charted on some days only', async () => {
    const dated: Areas = [
      ['CBLARE', square(HERE, 0.5, 0.5), { DATSTA: '20260101', DATEND: '20260301' }],
      ['CBLARE', square(HERE, 0.52, 0.5)],
    ];
    expect((await chartOf(dated))(11)).toHaveLength(2);
  });

  it('keeps arrows of traffic lanes in place and moves other symbols next to them', async () => {
    const areas: Areas = [
      ['TSSLPT', square(HERE, 0.5, 0.5), { ORIENT: 90 }],
      ['CTNARE', square(HERE, 0.5, 0.5)],
    ];
    const signs = (await chartOf(areas))(13);
    expect(symbols(signs)).toEqual(['CTNARE51', 'TSSLPT51']);
    expect(piled(signs)).toBe(0);
  });

  describe('next to dangers, aids and soundings', () => {
    const MIDDLE = [HERE[0] + SIDE / 2, HERE[1] + SIDE / 2] as const;
    const AREA: Areas = [['RESARE', square(HERE, 0.5, 0.5), { RESTRN: '7' }]];
    /** Pixels right and down from the middle of the area at a zoom. */
    const fromMiddle = ({ x, y }: Sign, zoom: number) => {
      const perZoom = TILE_PIXELS * 2 ** zoom;
      return [x - mercatorX(MIDDLE[0]) * perZoom, y - mercatorY(MIDDLE[1]) * perZoom] as const;
    };

    it.each([
      ['a wreck', { points: [['WRECKS', MIDDLE, { CATWRK: '2' }]] }],
      ['a rock', { points: [['UWTROC', MIDDLE, { WATLEV: 4 }]] }],
      ['a buoy', { points: [['BOYLAT', MIDDLE, { BOYSHP: 2, COLOUR: '3', CATLAM: '2' }]] }],
      ['a sounding', { soundings: [[...MIDDLE, 2]] }],
    ] as [string, Partial<WrittenPlan>][])('moves a symbol away from %s', async (_, more) => {
      const signsAt = await chartOf(AREA, HERE, more);
      for (const zoom of [11, 13, SCALE_ZOOM]) {
        const signs = signsAt(zoom);
        expect(symbols(signs)).toEqual(['ENTRES51']);
        const [right, down] = fromMiddle(signs[0]!, zoom);
        expect(Math.max(Math.abs(right), Math.abs(down)), `zoom ${zoom}`).toBeGreaterThan(22);
      }
    });

    it('does not let a danger reach the symbol before the next zoom', async () => {
      const zoom = 13;
      const perPixel = 360 / (TILE_PIXELS * 2 ** zoom);
      const rock = [MIDDLE[0] + 27 * perPixel, MIDDLE[1]] as const;
      const wreck = [MIDDLE[0], MIDDLE[1]] as const;
      const points = [rock, wreck].map((at) => ['UWTROC', at, { WATLEV: 4 }] as const);
      const [sign] = (await chartOf(AREA, HERE, { points }))(zoom);
      const [right, down] = fromMiddle(sign!, zoom);
      for (const times of [1, 1.5]) {
        const apart = Math.max(Math.abs(27 * times - right), Math.abs(down));
        expect(apart).toBeGreaterThan(22);
      }
    });

    it('drops a symbol among dangers without a free place until they are apart, but not one among soundings', async () => {
      const step = 12 * (360 / (TILE_PIXELS * 2 ** SCALE_ZOOM));
      const rocks = Array.from({ length: 121 }, (_, i) => [
        MIDDLE[0] + ((i % 11) - 5) * step,
        MIDDLE[1] + (Math.floor(i / 11) - 5) * step,
      ]) as [number, number][];
      const points = rocks.map((at) => ['UWTROC', at, { WATLEV: 4 }] as const);
      const signsAt = await chartOf(AREA, HERE, { points });
      expect(signsAt(SCALE_ZOOM - 1)).toEqual([]);
      // The last tiles are also shown at all deeper zooms.
      const [later] = signsAt(SCALE_ZOOM);
      expect(later!.from).toBeGreaterThan(SCALE_ZOOM);
      const inSummer = points.map(
        ([name, at, values]) =>
          [name, at, { ...values, PERSTA: '--0401', PEREND: '--1001' }] as const,
      );
      const [always] = (await chartOf(AREA, HERE, { points: inSummer }))(SCALE_ZOOM);
      expect(always!.from).toBe(0);
      const soundings = rocks.map((at) => [...at, 2] as const);
      expect((await chartOf(AREA, HERE, { soundings }))(SCALE_ZOOM)).toHaveLength(1);
    });
  });

  it('keeps the name of an area whose symbol is hidden', async () => {
    const areas: Areas = Array.from({ length: 12 }, (_, i) => [
      'ACHARE',
      square(HERE, 0.4 + i / 100, 0.5, 0.01),
      { OBJNAM: `Berth ${i}`, CATACH: '1' },
    ]);
    const chart = await WrittenChart.of([writtenCell(harbour(HERE, areas))], { floors: false });
    const found = chart.features('AREASYM', 10, [HERE[0] + SIDE / 2, HERE[1] + SIDE / 2]);
    const without = found.filter(({ properties }) => properties['sy'] === undefined);
    expect(without.length).toBeGreaterThan(5);
    expect(without.every(({ properties }) => properties['nm'] !== undefined)).toBe(true);
  });
});

describe('AreaSigns in the deepest tiles, which are enlarged', () => {
  const DEEPEST = 15;
  type Pixels = readonly [right: number, down: number];
  const drawn = (
    layer: string,
    [right, down]: Pixels,
    more: Drawable['properties'] = {},
  ): Drawable => {
    const [longitude, latitude] = [right, -down].map(
      (n) => (n * 360) / (TILE_PIXELS * 2 ** DEEPEST),
    );
    return {
      ...{ layer, properties: { sy: 'ACHARE51', ...more }, minZoom: 0, key: `${right} ${down}` },
      geometry: { type: 'point', longitude: longitude!, latitude: latitude! },
    };
  };
  const rocksAt = (places: readonly Pixels[]) => places.map((at) => drawn('UWTROC', at));
  /** Place in pixels, and zoom from which it is visible, of each sign at the zoom 15. */
  const laidOut = (signs: readonly Drawable[], others: readonly Drawable[], deepest = DEEPEST) => {
    const seenFrom = ({ properties }: Drawable) => Number(properties['mz'] ?? 0);
    const layout = new AreaSigns([...signs, ...others], 14, deepest, seenFrom);
    return signs.map((sign) => {
      const { sl, mz } = layout.at(sign, sign.properties, DEEPEST) ?? {};
      return { place: SIGN_PLACES[Number(sl ?? 0)]!, from: Number(mz ?? 0) };
    });
  };
  /** No place of a symbol is free among these. */
  const CROWD = Array.from(
    { length: 121 },
    (_, i): Pixels => [((i % 11) - 5) * 12, (Math.floor(i / 11) - 5) * 12],
  );

  it('never places a symbol where a danger is at a deeper zoom', () => {
    const random = seededRandom(5);
    const offset = () => (random() - 0.5) * 10 ** (2 * random());
    const layouts = Array.from({ length: 300 }, (_, i) =>
      Array.from({ length: 1 + (i % 6) }, (): Pixels => [offset(), offset()]),
    );
    layouts.push(
      [
        [8, -0.2],
        [-3.9, -14.4],
      ],
      CROWD,
    );
    for (const rocks of layouts) {
      const [sign] = laidOut([drawn('AREASYM', [0, 0])], rocksAt(rocks));
      const [right, down] = sign!.place;
      let apart = Number.POSITIVE_INFINITY;
      for (let factor = Math.max(1, 2 ** (sign!.from - DEEPEST)); factor <= 64; factor *= 1.02)
        for (const [x, y] of rocks)
          apart = Math.min(
            apart,
            Math.max(Math.abs(x * factor - right), Math.abs(y * factor - down)),
          );
      expect(apart, rocks.join(' ')).toBeGreaterThan(20);
    }
  });

  it('shows a symbol among dangers later, also in tiles deeper than those of its own chart', () => {
    const [sign] = laidOut([drawn('AREASYM', [0, 0])], rocksAt(CROWD), 13);
    expect(sign!.from).toBeGreaterThan(DEEPEST);
  });

  it('places symbols that appear at a deeper zoom, and keeps away from aids that do', () => {
    const later = drawn('AREASYM', [0, 0], { mz: 17.3 });
    const [moved] = laidOut([later], rocksAt([[0, 0]]));
    expect(moved).toEqual({ place: SIGN_PLACES[1], from: 17.3 });
    const dense = CROWD.map(([x, y]): Pixels => [x / 8, y / 8]);
    expect(laidOut([later], rocksAt(dense))[0]!.from).toBeGreaterThan(18);
    const sign = drawn('AREASYM', [0, 0]);
    const buoyAt = (at: Pixels) => [drawn('BOYLAT', at, { mz: 18 })];
    expect(laidOut([sign], buoyAt([1, 0]))[0]!.place).not.toEqual([0, 0]);
    // The buoy is 80 pixels away when it appears.
    expect(laidOut([sign], buoyAt([10, 0]))[0]!.place).toEqual([0, 0]);
  });

  it('gives two symbols that appear later different places', () => {
    const signs = [drawn('AREASYM', [0, 0]), drawn('AREASYM', [0, 0], { sy: 'CTNARE51' })];
    const [a, b] = laidOut(signs, rocksAt(CROWD)).map(({ place }) => place);
    expect(Math.max(Math.abs(a![0] - b![0]), Math.abs(a![1] - b![1]))).toBeGreaterThan(22);
  });
});
