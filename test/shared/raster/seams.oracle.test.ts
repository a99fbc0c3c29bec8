// Marks across the seams of raster tiles: neighbouring tiles show both parts.

import { beforeAll, describe, expect, inject, test } from 'vitest';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import type { DisplayItem } from '../../../shared/raster/display-list.ts';
import type { Artwork } from '../../../shared/raster/paint/paint.ts';
import { hasEncData } from '../../support/enc-data.ts';
import { artworkOf, dayStyle, rasterDrawer } from '../../support/raster-tiles.ts';
import { realCharts } from '../../support/real-charts.ts';

const SIDE = 256;
/** Marks that extend less than this into the neighbour are ignored. */
const REACH_PIXELS = 1.5;

interface Town {
  readonly name: string;
  readonly charts: () => Promise<string> | string;
  /** Longitude and latitude of the centre. */
  readonly middle: readonly [number, number];
  /** Zoom, and number of tiles on each side of the centre. */
  readonly extents: readonly (readonly [zoom: number, tiles: number])[];
}

const TOWNS: readonly Town[] = [
  {
    name: 'the demo port',
    charts: () => inject('demoCharts'),
    middle: [-20, -30.01],
    extents: [
      [9, 2],
      [12, 4],
      [14, 6],
      [15, 6],
      [17, 3],
    ],
  },
  ...(hasEncData
    ? [
        {
          name: 'Tacoma',
          charts: realCharts,
          middle: [-122.43, 47.275] as const,
          extents: [
            [11, 3],
            [13, 4],
            [14, 5],
            [16, 6],
          ] as const,
        },
      ]
    : []),
];

describe.each(TOWNS)('$name', ({ charts, middle, extents }) => {
  let folder: string;
  beforeAll(async () => {
    folder = await charts();
  });

  test.each(extents)('at zoom %i every mark across a seam is complete', async (zoom, reach) => {
    const artwork = artworkOf(inject('assets'));
    const drawer = await rasterDrawer(folder, artwork, dayStyle());
    const [column, row] = tileAt(middle, zoom) as [number, number];
    const marks = new Map<string, Map<string, Box>>();
    for (let y = row - reach; y <= row + reach; y++) {
      for (let x = column - reach; x <= column + reach; x++) {
        const { items } = await drawer.displayList({ z: zoom, x, y });
        marks.set(`${x}/${y}`, marksOf(items, artwork, x * SIDE, y * SIDE));
      }
    }
    await drawer.close();
    let crossing = 0;
    const missed: string[] = [];
    for (const [tile, own] of marks) {
      const [x, y] = tile.split('/').map(Number) as [number, number];
      for (let ny = y - 1; ny <= y + 1; ny++) {
        for (let nx = x - 1; nx <= x + 1; nx++) {
          const neighbour = marks.get(`${nx}/${ny}`);
          if (neighbour === undefined || (nx === x && ny === y)) continue;
          for (const [key, box] of own) {
            if (!reaches(box, nx, ny)) continue;
            crossing++;
            if (!neighbour.has(key)) missed.push(`${key} of ${tile} is not in ${nx}/${ny}`);
          }
        }
      }
    }
    expect(crossing).toBeGreaterThan(0);
    expect(missed).toEqual([]);
  });
});

const tileAt = ([longitude, latitude]: readonly [number, number], zoom: number) => [
  Math.floor(mercatorX(longitude) * 2 ** zoom),
  Math.floor(mercatorY(latitude) * 2 ** zoom),
];

/** Left, top, right, bottom in pixels of the world. */
type Box = readonly [number, number, number, number];

function marksOf(
  items: readonly DisplayItem[],
  artwork: Artwork,
  originX: number,
  originY: number,
): Map<string, Box> {
  const found = new Map<string, Box>();
  for (const item of items) {
    if (item.kind !== 'icon' && item.kind !== 'text') continue;
    const x = originX + item.x;
    const y = originY + item.y;
    const name = item.kind === 'icon' ? `${item.image} ${item.turnDegrees}` : item.text;
    const key = `${item.kind} ${name} ${x.toFixed(2)} ${y.toFixed(2)}`;
    if (item.kind === 'icon') {
      const image = artwork.images(item.image);
      // The circle inside a rotated image.
      const half = image === undefined ? 0 : Math.min(image.width, image.height) / 2;
      found.set(key, [x - half, y - half, x + half, y + half]);
      continue;
    }
    const xs = item.glyphs.map((glyph) => glyph.x);
    const ys = item.glyphs.map((glyph) => glyph.y);
    found.set(key, [
      x + Math.min(...xs),
      y + Math.min(...ys),
      x + Math.max(...xs),
      y + Math.max(...ys),
    ]);
  }
  return found;
}

function reaches([left, top, right, bottom]: Box, x: number, y: number): boolean {
  return (
    right > x * SIDE + REACH_PIXELS &&
    left < (x + 1) * SIDE - REACH_PIXELS &&
    bottom > y * SIDE + REACH_PIXELS &&
    top < (y + 1) * SIDE - REACH_PIXELS
  );
}
