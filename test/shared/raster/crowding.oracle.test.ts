// Limits how crowded raster tiles of harbours are at each zoom. Without point ranks (tiles-build/generalise)
// harbours would be much fuller at low zooms.

import { describe, expect, inject, test } from 'vitest';
import { Painter } from '../../../shared/raster/paint/paint.ts';
import { startCanvas } from '../../support/canvas.ts';
import { CROWDED_WATERS } from '../../support/crowded-waters.ts';
import { type Crowding, crowdingAt } from '../../support/crowding.ts';
import { artworkOf, dayStyle, rasterDrawer } from '../../support/raster-tiles.ts';
import { tileAt } from '../../support/written-chart.ts';

/** Map zooms; raster zooms are greater by one. */
const ZOOMS = [8, 9, 10, 11, 12, 13, 14, 15];

/** Maximum values on nine raster tiles around a harbour's centre, at any zoom. */
const MOST: Omit<Crowding, 'overlaps'> = { ink: 0.38, symbols: 1.3, soundings: 2.5 };

describe.each(CROWDED_WATERS)('$name', ({ charts, center }) => {
  test('a busy chart is readable at every zoom: limited ink, symbols and soundings', async () => {
    const artwork = artworkOf(inject('assets'));
    const drawer = await rasterDrawer(await charts(), artwork, dayStyle());
    const most = { ink: 0, symbols: 0, soundings: 0 };
    for (const zoom of ZOOMS) {
      const found = await crowdingAt(
        drawer,
        new Painter(artwork, startCanvas),
        tileAt(zoom + 1, center),
        1,
      );
      for (const key of ['ink', 'symbols', 'soundings'] as const) {
        most[key] = Math.max(most[key], found[key]);
        expect(found[key], `${key} at zoom ${zoom}`).toBeLessThanOrEqual(MOST[key]);
      }
    }
    await drawer.close();
    // The tiles contain a chart.
    expect(most.ink).toBeGreaterThan(0.05);
    expect(most.soundings).toBeGreaterThan(0.1);
  });
});
