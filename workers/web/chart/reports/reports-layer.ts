// Reports on the chart, drawn as by a style document with showUserReports, from what the page knows.
// Where pins would hide one another they are counted in a circle, which tells of hazards among them.

import type { Map as ChartMap, GeoJSONSource, LayerSpecification, PointLike } from 'maplibre-gl';
import { fontsFor } from '../../../../shared/style/document/build-style.ts';
import { REPORTS_SOURCE, reportLayer } from '../../../../shared/style/layers/symbols.ts';
import type { Theme } from '../../../../shared/style/options.ts';
import { paletteFor } from '../../../../shared/style/palette.ts';
import { styleOf } from '../../client/chart/style-of.ts';
import type { Report } from './report.ts';

/** How far from a pin a finger may be. */
const REACH_PIXELS = 6;
/** Nearer than this, pins and circles would lie over one another. */
const CROWD_PIXELS = 32;
/** From here on every pin stands alone. */
const ALONE_FROM_ZOOM = 15;

type Collection = Exclude<Parameters<GeoJSONSource['setData']>[0], string>;

export interface ReportsLayer {
  show(reports: readonly Report[]): void;
  /** Mark one of them; none where it is undefined. */
  choose(report: Report | undefined): void;
  /** Ids of the reports drawn at a place of the screen. */
  idsAt(point: { readonly x: number; readonly y: number }): readonly string[];
  /** Where there is a circle of several: go nearer, and say so. */
  openCluster(point: { readonly x: number; readonly y: number }): boolean;
}

export function openReportsLayer(map: ChartMap, themeOf: () => Theme): ReportsLayer {
  let collection = collectionOf([], undefined);
  let reports: readonly Report[] = [];
  let chosen: Report | undefined;
  const drawn = new WeakMap<GeoJSONSource, Collection>();
  const draw = () => {
    let source = map.getSource<GeoJSONSource>(REPORTS_SOURCE);
    if (source === undefined) {
      if (collection.features.length === 0 || styleOf(map) === undefined) return;
      map.addSource(REPORTS_SOURCE, sourceOf(collection));
      for (const layer of layersOf(themeOf())) map.addLayer(layer);
      source = map.getSource<GeoJSONSource>(REPORTS_SOURCE)!;
      drawn.set(source, collection);
    }
    // Setting data tells of a change of style, which asks to set it again.
    if (drawn.get(source) === collection) return;
    drawn.set(source, collection);
    source.setData(collection);
  };
  const redraw = () => {
    collection = collectionOf(reports, chosen);
    draw();
  };
  // A change of style takes away all that was added to it.
  map.on('styledata', draw);

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
      ...new Set(drawnAt(point, PINS).map(({ properties }) => String(properties['id']))),
    ],
    openCluster: (point) => {
      const [cluster] = drawnAt(point, `${REPORTS_SOURCE}-cluster`);
      if (cluster === undefined || cluster.geometry.type !== 'Point') return false;
      const center = cluster.geometry.coordinates as [number, number];
      const id = Number(cluster.properties['cluster_id']);
      const source = map.getSource<GeoJSONSource>(REPORTS_SOURCE);
      source?.getClusterExpansionZoom(id).then(
        (zoom) => map.easeTo({ center, zoom }),
        // The circle went while it was asked about.
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

const sourceOf = (data: Collection) => ({
  type: 'geojson' as const,
  data,
  cluster: true,
  clusterRadius: CROWD_PIXELS,
  clusterMinPoints: 3,
  clusterMaxZoom: ALONE_FROM_ZOOM - 1,
  clusterProperties: { hazards: ['+', ['case', ['==', ['get', 'reportType'], 'hazard'], 1, 0]] },
});

const PINS = reportLayer().id;
const isCluster = ['has', 'point_count'] as const;

function layersOf(theme: Theme): LayerSpecification[] {
  const colors = paletteFor(theme);
  const ring = {
    id: `${REPORTS_SOURCE}-chosen`,
    source: REPORTS_SOURCE,
    type: 'circle',
    filter: ['all', ['!', isCluster], ['get', 'isChosen']],
    paint: {
      'circle-radius': 16,
      // Around the round part of the pin, whose point is on the place.
      'circle-translate': [0, -17],
      'circle-opacity': 0,
      'circle-stroke-color': colors.CHMGD,
      'circle-stroke-width': 3,
    },
  };
  const circle = {
    id: `${REPORTS_SOURCE}-cluster`,
    source: REPORTS_SOURCE,
    type: 'circle',
    filter: isCluster,
    paint: {
      'circle-radius': 13,
      'circle-color': ['case', ['>', ['get', 'hazards'], 0], colors.UREPH, colors.UREPW],
      'circle-stroke-color': colors.OUTLW,
      'circle-stroke-width': 1.2,
    },
  };
  const count = {
    id: `${REPORTS_SOURCE}-count`,
    source: REPORTS_SOURCE,
    type: 'symbol',
    filter: isCluster,
    layout: {
      'text-field': ['get', 'point_count_abbreviated'],
      'text-font': fontsFor(undefined).bold,
      'text-size': 12,
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: { 'text-color': colors.OUTLW },
  };
  const pins = { ...reportLayer(), filter: ['!', isCluster] };
  // The specification's types and the map library's are the same document in two packages.
  return [ring, pins, circle, count] as unknown as LayerSpecification[];
}
