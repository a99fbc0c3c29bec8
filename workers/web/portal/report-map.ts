// The map of the section Reports, with a marker for each listed report.

import { LngLatBounds, Marker } from 'maplibre-gl';
import type { ModeratedReport } from '../../../shared/contract/moderation.ts';
import { openChartMap } from './chart-map.ts';

const WORLD = [-180, -60, 180, 75] as const;
const FIT = { padding: 48, maxZoom: 12, animate: false } as const;

export interface ReportMap {
  /** Whether the map has a chart below the markers. */
  readonly hasChart: boolean;
  show(reports: readonly ModeratedReport[]): void;
  /** Move the map so that all markers are visible. */
  fit(): void;
  /** Highlight a marker, and move the map to it if it is not visible. */
  select(id: string | undefined): void;
  stop(): void;
}

/** @param pick is called with the id of a report */
export async function openReportMap(
  place: HTMLElement,
  pick: (id: string) => void,
): Promise<ReportMap> {
  const { map, hasChart } = await openChartMap(place, 'Map of the reports', {
    bounds: [...WORLD],
  });
  let markers = new Map<string, Marker>();
  return {
    hasChart,
    show: (reports) => {
      for (const marker of markers.values()) marker.remove();
      markers = new Map(reports.map((one) => [one.id, markerOf(one, pick).addTo(map)]));
    },
    fit: () => {
      if (markers.size === 0) return;
      const bounds = new LngLatBounds();
      for (const marker of markers.values()) bounds.extend(marker.getLngLat());
      map.fitBounds(bounds, FIT);
    },
    select: (id) => {
      for (const [one, marker] of markers) {
        marker.getElement().setAttribute('aria-pressed', `${one === id}`);
      }
      const at = id === undefined ? undefined : markers.get(id)?.getLngLat();
      if (at !== undefined && !map.getBounds().contains(at)) map.easeTo({ center: at });
    },
    stop: () => map.remove(),
  };
}

/** The list has a button for each report, so the Tab key omits the markers. */
function markerOf({ id, reportType, state, ...at }: ModeratedReport, pick: (id: string) => void) {
  const element = document.createElement('button');
  element.type = 'button';
  element.tabIndex = -1;
  element.className = `report-marker ${state}`;
  element.setAttribute('aria-label', `${reportType}, ${state}`);
  element.addEventListener('click', () => pick(id));
  return new Marker({ element }).setLngLat([at.longitude, at.latitude]);
}
