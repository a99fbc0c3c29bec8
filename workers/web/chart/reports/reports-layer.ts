// Draws the known reports on the chart, like a style document with showUserReports. Overlapping pins are
// grouped in a circle with their number, which has another colour if it contains a hazard.

import type {
  Map as ChartMap,
  GeoJSONSource,
  GeoJSONSourceSpecification,
  LayerSpecification,
  PointLike,
} from 'maplibre-gl';
import { fontsFor } from '../../../../shared/style/document/build-style.ts';
import {
  CLUSTERS_LAYER,
  REPORTS_LAYER,
  REPORTS_SOURCE,
  reportLayers,
} from '../../../../shared/style/layers/reports.ts';
import type { Theme } from '../../../../shared/style/options.ts';
import { paletteFor } from '../../../../shared/style/palette.ts';
import { type Collection, keepDrawn } from '../../client/chart/keep-drawn.ts';
import type { Report } from './report.ts';

/** Maximum distance of a click from a pin. */
const REACH_PIXELS = 6;
/** Minimum distance of pins and circles. Closer pins are grouped. */
const CROWD_PIXELS = 32;
/** From this zoom, pins are not grouped. */
const ALONE_FROM_ZOOM = 15;

export interface ReportsLayer {
  show(reports: readonly Report[]): void;
  /** Highlights a report, or none if `undefined`. */
  choose(report: Report | undefined): void;
  /** Returns the ids of the reports at a screen position. */
  idsAt(point: { readonly x: number; readonly y: number }): readonly string[];
  /** Zooms in if there is a circle at a screen position. Returns whether there is one. */
  openCluster(point: { readonly x: number; readonly y: number }): boolean;
}

export function openReportsLayer(map: ChartMap, themeOf: () => Theme): ReportsLayer {
  let reports: readonly Report[] = [];
  let chosen: Report | undefined;
  const draw = keepDrawn(map, REPORTS_SOURCE, () => layersOf(themeOf()), CLUSTERS);
  const redraw = () => draw(reports.length === 0 ? undefined : collectionOf(reports, chosen));

  const drawnAt = ({ x, y }: { x: number; y: number }, layer: string) => {
    if (map.getLayer(layer) === undefined) return [];
    const box: [PointLike, PointLike] = [
      [x - REACH_PIXELS, y - REACH_PIXELS],
      [x + REACH_PIXELS, y + REACH_PIXELS],
    ];
    return map.queryRenderedFeatures(box, { layers: [layer] });
  };
  return {
    show: (next) => {
      reports = next;
      redraw();
    },
    choose: (next) => {
      chosen = next;
      redraw();
    },
    idsAt: (point) => [
      ...new Set(drawnAt(point, REPORTS_LAYER).map(({ properties }) => String(properties['id']))),
    ],
    openCluster: (point) => {
      const [cluster] = drawnAt(point, CLUSTERS_LAYER);
      if (cluster === undefined || cluster.geometry.type !== 'Point') return false;
      const center = cluster.geometry.coordinates as [number, number];
      const id = Number(cluster.properties['cluster_id']);
      const source = map.getSource<GeoJSONSource>(REPORTS_SOURCE);
      source?.getClusterExpansionZoom(id).then(
        (zoom) => map.easeTo({ center, zoom }),
        // The circle no longer exists.
        () => undefined,
      );
      return true;
    },
  };
}

function collectionOf(reports: readonly Report[], chosen: Report | undefined): Collection {
  return {
    type: 'FeatureCollection',
    features: reports.map(({ id, reportType, latitude, longitude }) => ({
      type: 'Feature',
      properties: { id, reportType, isChosen: id === chosen?.id },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  };
}

const CLUSTERS: Omit<GeoJSONSourceSpecification, 'type' | 'data'> = {
  cluster: true,
  clusterRadius: CROWD_PIXELS,
  clusterMinPoints: 3,
  clusterMaxZoom: ALONE_FROM_ZOOM - 1,
  clusterProperties: { hazards: ['+', ['case', ['==', ['get', 'reportType'], 'hazard'], 1, 0]] },
};

function layersOf(theme: Theme): LayerSpecification[] {
  const colors = paletteFor(theme);
  const ring = {
    id: `${REPORTS_SOURCE}-chosen`,
    source: REPORTS_SOURCE,
    type: 'circle',
    filter: ['all', ['!', ['has', 'point_count']], ['get', 'isChosen']],
    paint: {
      'circle-radius': 16,
      // Centre the ring on the head of the pin, whose tip is at the position.
      'circle-translate': [0, -17],
      'circle-opacity': 0,
      'circle-stroke-color': colors.CHMGD,
      'circle-stroke-width': 3,
    },
  };
  // The style specification and MapLibre declare the same types in two packages.
  const fonts = fontsFor(undefined);
  return [ring, ...reportLayers({ colors, fonts })] as unknown as LayerSpecification[];
}
