// CPU time of a raster tile in the runtime, painted by our own painter and by resvg, for a whole town and
// for three kinds of places. Compared with MapLibre GL in Chromium and mapnik, which show the same tiles.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { PNG } from 'pngjs';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { windowOf } from '../../shared/raster/window.ts';
import { bundleWorker } from '../../workers/host/bundle/bundle.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { openMapPage } from '../support/map-page.ts';
import { type Service, startService } from '../support/service.ts';
import { benchCharts } from './bench-charts.ts';
import { type Goal, goalLines } from './goals.ts';
import { hasMapnik, mapnikCpuMs } from './mapnik.ts';
import { type RasterParts, rasterParts } from './raster-parts.ts';
import { runtimeCpuMs } from './runtime-cpu.ts';

/** CPU milliseconds per tile, in the order of the places. */
const GOALS_MS = [8, 10, 15, 5];
const GOAL_P95_MS = 25;
const MAP_TILES = 4;

interface Place {
  readonly name: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
  /** Tiles to each side of the middle. */
  readonly reach: number;
}

const REAL: readonly Place[] = [
  { name: 'a whole town (Tacoma)', longitude: -122.43, latitude: 47.27, zoom: 14, reach: 5 },
  { name: 'dense harbour', longitude: -122.42, latitude: 47.27, zoom: 15, reach: 1 },
  { name: 'coast', longitude: -151.5, latitude: 59.6, zoom: 12, reach: 1 },
  { name: 'open sea', longitude: -130, latitude: 45, zoom: 9, reach: 1 },
];
const DEMO: readonly Place[] = [
  { name: 'a whole town (demo)', longitude: -20, latitude: -30.01, zoom: 15, reach: 5 },
  { name: 'dense harbour', longitude: -20.005, latitude: -30.005, zoom: 14, reach: 1 },
  { name: 'coast', longitude: -20.3, latitude: -30, zoom: 11, reach: 1 },
  { name: 'open sea', longitude: -24, latitude: -33, zoom: 9, reach: 1 },
];

export async function run(): Promise<void> {
  const { demo, artwork, real } = await benchCharts();
  const charts = real ?? demo;
  const places = real === undefined ? DEMO : REAL;
  const options = { charts, assetsDir: artwork };
  const ours = await measureAll(options, 'direct', places);
  const theirs = await measureAll(options, 'resvg', places);
  const reading = await measureReading(options, places);
  const parts = await rasterParts(charts, artwork, places.map(tilesOf));
  const map = browserPath === undefined ? undefined : await measureMap(options, places);
  for (const [i, { name }] of places.entries()) {
    const [a, b] = [ours[i]!, theirs[i]!];
    const chromium = map === undefined ? '' : `; MapLibre in Chromium ${map[i]!.toFixed(0)} ms`;
    const mapnik = hasMapnik
      ? `; mapnik, simpler style, ${(await mapnikCpuMs(charts, tilesOf(places[i]!))).toFixed(1)} ms`
      : '';
    console.log(
      `${name}: CPU ${a.cpuMs.toFixed(1)} ms a tile, p95 ${a.p95Ms.toFixed(1)} ms, ${a.bytes.toFixed(0)} bytes` +
        ` (resvg ${b.cpuMs.toFixed(1)} ms, ${(b.cpuMs / a.cpuMs).toFixed(1)} times${chromium}${mapnik})`,
    );
  }
  const causes = places.map((_, i) => causeOf(parts[i]!, reading[i]!));
  const goals: Goal[] = places.map(({ name }, i) => ({
    name: `CPU a tile, ${name}`,
    reached: ours[i]!.cpuMs,
    most: GOALS_MS[i]!,
    unit: 'ms',
    cause: causes[i]!,
  }));
  const slowest = {
    name: `p95 of a tile, ${places[0]!.name}`,
    reached: ours[0]!.p95Ms,
    most: GOAL_P95_MS,
    unit: 'ms',
    cause: causes[0]!,
  };
  for (const line of goalLines([...goals, slowest])) console.log(line);
  const modules = await bundleWorker();
  const size = modules.reduce((sum, one) => sum + gzipSync(one.contents).length, 0);
  console.log(`Worker bundle ${(size / 1024).toFixed(0)} KiB gzipped (not minified), goal 3 MB`);
  console.log(`checksum of pixels ${ours[0]!.checksum}`);
}

/** The parts of a tile's time: each step in this process, and requests for vector tiles only. */
const causeOf = ({ layingOut, painting, packing }: RasterParts, reading: number): string =>
  `each alone, laying out takes ${layingOut.toFixed(1)} ms, painting and the palette ${painting.toFixed(1)}, ` +
  `packing the PNG ${packing.toFixed(1)}, asking for its blocks as vector tiles ${reading.toFixed(1)}`;

interface Figures {
  readonly cpuMs: number;
  readonly p95Ms: number;
  readonly bytes: number;
  readonly checksum: string;
}

type Options = Parameters<typeof startService>[0];

async function measureAll(
  options: Options,
  painter: string,
  places: readonly Place[],
): Promise<Figures[]> {
  const service = await startService({
    ...options,
    isDirect: true,
    settings: { RASTER_PAINTER: painter },
  });
  try {
    // Warm-up two zooms deeper: other tiles of the same kind, as each tile is drawn once.
    await measure(service, { ...places[0]!, zoom: places[0]!.zoom + 2 });
    const figures: Figures[] = [];
    for (const place of places) figures.push(await measure(service, place));
    return figures;
  } finally {
    await service.stop();
  }
}

async function measure(service: Service, place: Place): Promise<Figures> {
  const hash = createHash('sha256');
  const times: number[] = [];
  let bytes = 0;
  const cpuBefore = runtimeCpuMs();
  const tiles = tilesOf(place);
  for (const { z, x, y } of tiles) {
    const started = performance.now();
    const answer = await service.get(`/api/v2/tiles/raster-v1/${z}/${x}/${y}.png`);
    const file = Buffer.from(await answer.arrayBuffer());
    times.push(performance.now() - started);
    if (answer.status !== 200) throw new Error(`${z}/${x}/${y}: ${answer.status}`);
    bytes += file.length;
    hash.update(PNG.sync.read(file).data);
  }
  const cpuMs = (runtimeCpuMs() - cpuBefore) / tiles.length;
  times.sort((a, b) => a - b);
  return {
    cpuMs,
    p95Ms: times[Math.floor(times.length * 0.95)]!,
    bytes: bytes / tiles.length,
    checksum: hash.digest('hex').slice(0, 16),
  };
}

/**
 * CPU time, by place, to only request the vector tiles of a raster tile. On one machine, the reads of the
 * runtime's own bucket are part of the same process.
 */
async function measureReading(options: Options, places: readonly Place[]): Promise<number[]> {
  const service = await startService({ ...options, isDirect: true });
  try {
    const means: number[] = [];
    // The same warm-up as before painting.
    for (const place of [{ ...places[0]!, zoom: places[0]!.zoom + 2 }, ...places]) {
      const tiles = tilesOf(place);
      const blocks = new Set(
        tiles.flatMap((tile) => windowOf(tile).blocks.map(({ tile: t }) => `${t.z}/${t.x}/${t.y}`)),
      );
      const before = runtimeCpuMs();
      for (const block of blocks) {
        const answer = await service.get(`/api/v2/tiles/enc-v2/${block}.mvt`);
        await answer.arrayBuffer();
        // 404: no chart there.
        if (!answer.ok && answer.status !== 404) throw new Error(`${block}: ${answer.status}`);
      }
      means.push((runtimeCpuMs() - before) / tiles.length);
    }
    return means.slice(1);
  } finally {
    await service.stop();
  }
}

/** Milliseconds until the map is idle, by place. */
async function measureMap(options: Options, places: readonly Place[]): Promise<number[]> {
  const service = await startService({ ...options, isDirect: true });
  const browser = await openBrowser();
  try {
    const query = `?token=${await service.token()}`;
    const served = await fetch(`${service.address}/api/v1/styles/base.json${query}`);
    const map = await openMapPage(browser, (await served.json()) as StyleSpecification);
    const means: number[] = [];
    for (const place of places) {
      const tiles = tilesOf(place).slice(0, MAP_TILES);
      await map.show(tiles[0]!, []);
      const started = performance.now();
      for (const tile of tiles) await map.show(tile, []);
      means.push((performance.now() - started) / tiles.length);
    }
    return means;
  } finally {
    await browser.close();
    await service.stop();
  }
}

function tilesOf({ longitude, latitude, zoom, reach }: Place): TileId[] {
  const column = Math.floor(mercatorX(longitude) * 2 ** zoom);
  const row = Math.floor(mercatorY(latitude) * 2 ** zoom);
  const side = 2 * reach + 1;
  return Array.from({ length: side * side }, (_, i) => ({
    z: zoom,
    x: column - reach + (i % side),
    y: row - reach + Math.floor(i / side),
  }));
}
