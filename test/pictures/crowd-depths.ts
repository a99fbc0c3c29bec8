// Pictures of the simulated fleet: true depths, crowdsourced depths, their uncertainty, and their
// differences from the truth, side by side. Run with: npm run pictures:crowd

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { PNG } from 'pngjs';
import type { CrowdBin } from '../../shared/crowd/bin.ts';
import { updateCrowd } from '../../tiles-build/crowd/build-crowd.ts';
import { CrowdStore } from '../../tiles-build/crowd/store.ts';
import { binAt, centreOf, simulateFleet } from '../support/fleet.ts';
import { compareFleet, publicBins } from '../support/fleet-results.ts';

const OUTPUT = join(import.meta.dirname, '../../tiles-build/crowd/simulated.png');
const SIZE = { seed: 40, boats: 100, trips: 12, soundingsPerTrip: 400 } as const;
const GAP = 6;

type Color = readonly [red: number, green: number, blue: number];

const NOTHING: Color = [236, 236, 236];
const LAND: Color = [201, 185, 122];

/** From the first colour at 0 to the last at 1. */
function ramp(value: number, ...colors: readonly Color[]): Color {
  const at = Math.max(0, Math.min(0.999, value)) * (colors.length - 1);
  const [from, to] = [colors[Math.floor(at)]!, colors[Math.floor(at) + 1]!];
  const share = at - Math.floor(at);
  const [r, g, b] = from.map((one, i) => Math.round(one + (to[i]! - one) * share));
  return [r!, g!, b!];
}

const depthColor = (depth: number): Color =>
  depth < 0
    ? LAND
    : ramp(depth / 40, [115, 182, 239], [190, 222, 245], [232, 246, 255], [8, 48, 107]);
const uncertaintyColor = (meters: number): Color =>
  ramp(meters / 1.5, [255, 255, 204], [253, 141, 60], [128, 0, 38]);
/** Blue: the crowd is shoaler than the truth. Red: deeper. */
const differenceColor = (meters: number): Color =>
  ramp((meters + 1) / 2, [5, 48, 97], [247, 247, 247], [178, 24, 43]);

new Command('npm run pictures:crowd')
  .description('draw the depths of a simulated fleet into tiles-build/crowd/simulated.png')
  .parse();

const folder = mkdtempSync(join(tmpdir(), 'crowd-pictures-'));
const fleet = simulateFleet(SIZE);
const store = new CrowdStore(folder);
const { source, tides, chart } = fleet;
const update = await updateCrowd({ store, source, tides, chart, now: 0 });
process.stdout.write(`${JSON.stringify(compareFleet(fleet, store, update), null, 1)}\n`);

const bins = new Map(publicBins(store).map((bin) => [`${bin.x}/${bin.y}`, bin]));
const [west, north] = binAt(-20.055, -29.98);
const [east, south] = binAt(-19.945, -30.075);
const [width, height] = [east - west, south - north];
const panels: readonly ((x: number, y: number, bin: CrowdBin | undefined) => Color)[] = [
  (x, y) => depthColor(fleet.depthAt(...centreOf(x, y))),
  (_x, _y, bin) => (bin === undefined ? NOTHING : depthColor(bin.median)),
  (_x, _y, bin) => (bin === undefined ? NOTHING : uncertaintyColor(bin.unc)),
  (x, y, bin) =>
    bin === undefined ? NOTHING : differenceColor(bin.median - fleet.depthAt(...centreOf(x, y))),
];
const png = new PNG({ width: 2 * width + GAP, height: 2 * height + GAP });
png.data.fill(255);
for (const [number, colorOf] of panels.entries()) {
  const [left, top] = [(number % 2) * (width + GAP), (number >> 1) * (height + GAP)];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [west + column, north + row];
      const color = colorOf(x, y, bins.get(`${x}/${y}`));
      const at = ((top + row) * png.width + left + column) * 4;
      for (let i = 0; i < 3; i++) png.data[at + i] = color[i]!;
    }
  }
}
writeFileSync(OUTPUT, PNG.sync.write(png));
rmSync(folder, { recursive: true });
