// Hatches tiles that failed to load, which would otherwise look like empty sea, and retries them.

import type { ErrorEvent, MapLibreMap, Tile } from 'maplibre-gl';
import { tileBounds } from '../../../../shared/geo/tile.ts';
import { type Collection, keepDrawn } from './keep-drawn.ts';

/** The source of the chart's tiles in every style document. */
export const CHART_SOURCE = 'chart';
const SOURCE = 'leadline-missing';
const HATCH = 'leadline-missing-hatch';
const FIRST_WAIT_MS = 4000;
const MAX_WAIT_MS = 60_000;

/** Properties of MapLibre's source events. Absent for other errors. */
interface TileEvent {
  readonly sourceId?: string;
  readonly tile?: Tile;
}

interface Handlers {
  /** @param missing number of missing tiles in view @param error set if a tile has just failed */
  changed(missing: number, error: unknown): void;
}

export interface MissingTiles {
  /** Retries all missing tiles now. */
  retry(): void;
  stop(): void;
}

export function watchTiles(map: MapLibreMap, { changed }: Handlers): MissingTiles {
  const missing = new Set<Tile>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;
  const draw = keepDrawn(map, SOURCE, () => {
    addHatch(map);
    return [{ id: SOURCE, source: SOURCE, type: 'fill', paint: { 'fill-pattern': HATCH } }];
  });
  const tell = (error?: unknown) => {
    draw(missing.size === 0 ? undefined : collectionOf([...missing]));
    changed(missing.size, error);
  };
  const retry = () => {
    clearTimeout(timer);
    timer = undefined;
    if (missing.size === 0 || map.getSource(CHART_SOURCE) === undefined) return;
    const places = [...missing].map(({ tileID: { canonical } }) => canonical);
    map.refreshTiles(CHART_SOURCE, places);
    schedule();
  };
  const schedule = () => {
    if (timer !== undefined) return;
    timer = setTimeout(retry, waitMs);
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
  };
  /** Removes tiles that have loaded or are out of view. */
  const forget = () => {
    const before = missing.size;
    for (const tile of missing) {
      if (tile.uses <= 0 || tile.state === 'loaded') missing.delete(tile);
    }
    if (missing.size === before) return;
    if (missing.size === 0) {
      clearTimeout(timer);
      timer = undefined;
      waitMs = FIRST_WAIT_MS;
    }
    tell();
  };
  const lost = (event: ErrorEvent) => {
    const { sourceId, tile } = event as TileEvent;
    if (sourceId !== CHART_SOURCE || tile === undefined) return;
    missing.add(tile);
    tell(event.error);
    schedule();
  };
  map.on('error', lost);
  map.on('sourcedata', ({ sourceId }) => {
    if (sourceId === CHART_SOURCE) forget();
  });
  map.on('idle', forget);
  return { retry, stop: () => clearTimeout(timer) };
}

/** The outline of each tile, in the copy of the world in which it is shown. */
function collectionOf(tiles: readonly Tile[]): Collection {
  return {
    type: 'FeatureCollection',
    features: tiles.map(({ tileID: { canonical, wrap } }) => {
      const { z, x, y } = canonical;
      const [west, south, east, north] = tileBounds({ z, x: x + wrap * 2 ** z, y });
      const ring = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ];
      return {
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates: [ring] },
      };
    }),
  };
}

const SIDE = 16;
/** A stripe that differs from all chart colours and is visible by day and night. */
const STRIPE = [128, 64, 64, 255] as const;
const BETWEEN = [96, 96, 96, 235] as const;

function addHatch(map: MapLibreMap): void {
  if (map.hasImage(HATCH)) return;
  const pixels = Array.from({ length: SIDE * SIDE }, (_, i) => {
    const along = ((i % SIDE) + Math.floor(i / SIDE)) % SIDE;
    return along < SIDE / 4 ? STRIPE : BETWEEN;
  });
  map.addImage(HATCH, { width: SIDE, height: SIDE, data: new Uint8ClampedArray(pixels.flat()) });
}
