// The cells of the charts as boxes on a map, coloured by scale. The list below it has the same facts.

import { html } from 'lit';
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import { boundsAround, middleOf, unrolledBounds } from '../../../shared/chart/bounds.ts';
import type { ChartCells } from '../client/portal-wire.ts';
import { mapNote } from './map-note.ts';
import { PortalElement } from './portal-element.ts';

type Cell = ChartCells['cells'][number];

/** Colours by compilation scale, from detailed to coarse. They differ in lightness too. */
export const SCALES = [
  { most: 25_000, title: '1:25,000 and larger', color: '#a50f15' },
  { most: 100_000, title: '1:25,000 to 1:100,000', color: '#e6550d' },
  { most: 500_000, title: '1:100,000 to 1:500,000', color: '#3182bd' },
  { most: Number.POSITIVE_INFINITY, title: 'smaller than 1:500,000', color: '#756bb1' },
] as const;
const colorOf = ({ scaleDenominator }: Cell): string =>
  SCALES.find(({ most }) => scaleDenominator <= most)!.color;

/** A box of a detailed cell is smaller than a dot below this zoom. */
const DOTS_BELOW = 8;
const isSmall = ({ scaleDenominator }: Cell): boolean => scaleDenominator <= SCALES[1].most;

class PortalCellMap extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    cells: {},
    hasChart: { state: true },
  };
  declare cells: readonly Cell[];
  declare protected hasChart: boolean | undefined;
  #map: MapLibreMap | undefined;
  /** Bounds that the map was last moved to, as text. */
  #seen = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#map?.remove();
  }

  protected override firstUpdated(): void {
    void this.attempt(async () => {
      const { openChartMap } = await import('./chart-map.ts');
      const place = this.querySelector<HTMLElement>('.map')!;
      const { map, hasChart } = await openChartMap(place, 'Map of the cells', {
        bounds: boundsOf(this.cells),
      });
      if (!this.isConnected) return map.remove();
      this.#map = map;
      this.hasChart = hasChart;
      this.#draw();
    });
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('cells')) this.#draw();
  }

  #draw(): void {
    const map = this.#map;
    if (map === undefined) return;
    const data = {
      type: 'FeatureCollection' as const,
      features: [...this.cells.map(boxOf), ...this.cells.filter(isSmall).map(dotOf)],
    };
    const known = map.getSource<GeoJSONSource>('cells');
    const bounds = boundsOf(this.cells);
    if (known !== undefined) {
      known.setData(data);
      // New cells may be elsewhere.
      if (this.#seen !== `${bounds}`) map.fitBounds(bounds, { padding: 40, maxZoom: 15 });
    }
    this.#seen = `${bounds}`;
    if (known !== undefined) return;
    map.addSource('cells', { type: 'geojson', data });
    const paint = { 'line-color': ['get', 'color'], 'line-width': 2 } as const;
    map.addLayer({ id: 'cells', type: 'line', source: 'cells', paint: paint as never });
    map.addLayer({
      ...{ id: 'small-cells', type: 'circle', source: 'cells', maxzoom: DOTS_BELOW },
      // A polygon would have a circle at each corner.
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-color': ['get', 'color'] as never, 'circle-radius': 4 },
    });
  }

  protected override render() {
    return html`<link rel="stylesheet" href="/page/chart-map.css" />
      ${this.messageBox()}
      <div class="map"></div>
      <ul class="legend">${SCALES.map(
        ({ title, color }) =>
          html`<li><svg width="14" height="14" aria-hidden="true"><rect x="1" y="1" width="12" height="12" fill="none" stroke=${color} stroke-width="2" /></svg> ${title}</li>`,
      )}</ul>
      ${mapNote(this.hasChart)}`;
  }
}

/** A box across 180° continues beyond it. */
function boxOf(cell: Cell) {
  const [west, south, east, north] = unrolledBounds(cell.bounds);
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    type: 'Feature' as const,
    properties: { color: colorOf(cell) },
    geometry: { type: 'Polygon' as const, coordinates: [ring] },
  };
}

function dotOf(cell: Cell) {
  const { longitude, latitude } = middleOf(cell.bounds);
  return {
    type: 'Feature' as const,
    properties: { color: colorOf(cell) },
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  };
}

/** The smallest box around all cells; the world without cells. */
function boundsOf(cells: readonly Cell[]): [[number, number], [number, number]] {
  if (cells.length === 0)
    return [
      [-180, -60],
      [180, 70],
    ];
  const around = boundsAround(cells.map(({ bounds }) => bounds));
  const [west, south, east, north] = unrolledBounds(around);
  return [
    [west, Math.max(south, -85)],
    [east, Math.min(north, 85)],
  ];
}

customElements.define('portal-cell-map', PortalCellMap);
