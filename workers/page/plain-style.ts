// A plain style that shows what the tiles hold: depths, land, lines and points.

import type { StyleSpecification } from 'maplibre-gl';

/** Layers hold an area's outline as lines of its own, which a fill would close and fill. */
const IS_AREA = ['==', ['geometry-type'], 'Polygon'] as never;

export function plainStyle(origin: string, token: string): StyleSpecification {
  const lines = ['COALNE', 'SLCONS', 'DEPCNT', 'RIVERS', 'CBLSUB', 'BRIDGE', 'TSSLPT', 'TSELNE'];
  const points = ['LIGHTS', 'BOYLAT', 'BOYCAR', 'BCNLAT', 'UWTROC', 'WRECKS', 'OBSTRN', 'LNDMRK'];
  return {
    version: 8,
    sources: {
      chart: {
        type: 'vector',
        tiles: [`${origin}/api/v2/tiles/enc-v2/{z}/{x}/{y}.mvt?token=${encodeURIComponent(token)}`],
        maxzoom: 16,
      },
    },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': '#93AEBB' } },
      ...['bg_land', 'LNDARE'].map((layer) => ({
        id: `${layer}-fill`,
        type: 'fill' as const,
        source: 'chart',
        'source-layer': layer,
        filter: IS_AREA,
        paint: { 'fill-color': '#BFBE8F', 'fill-antialias': false },
      })),
      ...['DEPARE', 'DRGARE', 'UNSARE', 'PONTON', 'FLODOC', 'HULKES'].map((layer) => ({
        id: `${layer}-fill`,
        type: 'fill' as const,
        source: 'chart',
        'source-layer': layer,
        filter: IS_AREA,
        paint: {
          'fill-antialias': false,
          'fill-color': [
            'step',
            ['get', 'd1'],
            '#58AF9C',
            0,
            '#61B7FF',
            3,
            '#82CAFF',
            10,
            '#A7D9FB',
            30,
            '#C9EDFF',
          ] as never,
        },
      })),
      ...lines.map((layer) => ({
        id: `${layer}-line`,
        type: 'line' as const,
        source: 'chart',
        'source-layer': layer,
        paint: { 'line-color': layer === 'DEPCNT' ? '#768C97' : '#4C5B63', 'line-width': 1 },
      })),
      ...points.map((layer) => ({
        id: `${layer}-point`,
        type: 'circle' as const,
        source: 'chart',
        'source-layer': layer,
        paint: { 'circle-radius': 3, 'circle-color': '#C045D1' },
      })),
    ],
  };
}
