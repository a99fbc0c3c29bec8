// Loads the user reports in view, refreshes them regularly, and draws them like a style with
// `showUserReports`.

import type { LayerSpecification, MapLibreMap, PointLike } from 'maplibre-gl';
import {
  REPORTS_LAYER,
  REPORTS_SOURCE,
  reportLayer,
} from '../../../../shared/style/layers/reports.ts';
import type { Client } from '../client.ts';
import type { Report } from '../wire.ts';
import { boxOf } from './box.ts';
import { type Collection, keepDrawn } from './keep-drawn.ts';

const FRESH_MS = 30_000;
/** Delay after the last movement of the map. */
const REST_MS = 300;
/** Margin on every side, as a fraction of the view. */
const MARGIN = 0.25;
const REACH_PIXELS = 6;

interface Handlers {
  client(): Client;
  /** Reports were loaded. @param isCut whether there are more than the response contains */
  shown(isCut: boolean): void;
  failed(error: unknown): void;
}

export interface ReportPins {
  /** @param isAnew whether the client has changed, so that the reports are not those of its account */
  show(isWanted: boolean, isAnew: boolean): void;
  refresh(): void;
  /** The report at a screen position. */
  at(point: { readonly x: number; readonly y: number }): Report | undefined;
  stop(): void;
}

export function openReportPins(map: MapLibreMap, { client, shown, failed }: Handlers): ReportPins {
  let isWanted = false;
  let reports = new Map<string, Report>();
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // If pins are off, the page may draw reports itself in a source of this name.
  const draw = keepDrawn(map, REPORTS_SOURCE, () => [reportLayer() as LayerSpecification]);
  const take = (next: readonly Report[]) => {
    reports = new Map(next.map((report) => [report.id, report]));
    draw(next.length === 0 ? undefined : collectionOf(next));
  };
  const ask = async () => {
    clearTimeout(timer);
    running?.abort();
    if (!isWanted) return;
    const mine = new AbortController();
    running = mine;
    try {
      const { west, south, east, north } = boxOf(map, MARGIN);
      const bbox = [west, south, east, north] as const;
      const page = await client().reports.list({ bbox }, { signal: mine.signal });
      if (mine.signal.aborted) return;
      take(page.reports);
      shown(page.nextCursor !== null);
    } catch (error) {
      if (mine.signal.aborted) return;
      failed(error);
    }
    askAfter(FRESH_MS);
  };
  const askAfter = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => (document.hidden ? askAfter(FRESH_MS) : void ask()), ms);
  };
  map.on('moveend', () => {
    if (isWanted) askAfter(REST_MS);
  });
  return {
    show: (next, isAnew) => {
      if (next === isWanted && !(next && isAnew)) return;
      isWanted = next;
      take([]);
      void ask();
    },
    refresh: () => void ask(),
    at: ({ x, y }) => {
      if (map.getLayer(REPORTS_LAYER) === undefined || !isWanted) return undefined;
      const box: [PointLike, PointLike] = [
        [x - REACH_PIXELS, y - REACH_PIXELS],
        [x + REACH_PIXELS, y + REACH_PIXELS],
      ];
      const [found] = map.queryRenderedFeatures(box, { layers: [REPORTS_LAYER] });
      return found === undefined ? undefined : reports.get(String(found.properties['id']));
    },
    stop: () => {
      clearTimeout(timer);
      running?.abort();
    },
  };
}

const collectionOf = (reports: readonly Report[]): Collection => ({
  type: 'FeatureCollection',
  features: reports.map(({ id, reportType, latitude, longitude }) => ({
    type: 'Feature',
    properties: { id, reportType },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  })),
});
