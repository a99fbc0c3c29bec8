// The charts of the account with the boxes of their cells, coloured by scale or by age. The list below the
// map has the same facts.

import { html } from 'lit';
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import { boundsAround, middleOf, unrolledBounds } from '../../../shared/chart/bounds.ts';
import type { ChartCells } from '../client/portal-wire.ts';
import { ask } from './api.ts';
import { PortalElement } from './portal-element.ts';

type Cell = ChartCells['cells'][number];

/** Colours by compilation scale, from detailed to coarse. They differ in lightness too. */
export const SCALES = [
  { most: 25_000, title: '1:25,000 and larger', color: '#a50f15' },
  { most: 100_000, title: '1:25,000 to 1:100,000', color: '#e6550d' },
  { most: 500_000, title: '1:100,000 to 1:500,000', color: '#3182bd' },
  { most: Number.POSITIVE_INFINITY, title: 'smaller than 1:500,000', color: '#756bb1' },
] as const;
/** Colours by years since the day of issue. */
const AGES = [
  { most: 1, title: 'issued in the last year', color: '#00441b' },
  { most: 5, title: '1 to 5 years ago', color: '#41ab5d' },
  { most: 10, title: '5 to 10 years ago', color: '#f16913' },
  { most: Number.POSITIVE_INFINITY, title: 'earlier, or the day is unknown', color: '#7f2704' },
] as const;
const CLASSES = { scale: SCALES, age: AGES } as const;
type Fact = keyof typeof CLASSES;

const YEAR_MS = 365.25 * 86_400_000;
/** @param issueDate YYYYMMDD; another text gives no number */
const yearsSince = (issueDate: string): number =>
  (Date.now() - Date.parse(issueDate.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))) / YEAR_MS;

function colorOf({ scaleDenominator, issueDate }: Cell, fact: Fact): string {
  const value = fact === 'scale' ? scaleDenominator : yearsSince(issueDate);
  return (CLASSES[fact].find(({ most }) => value <= most) ?? CLASSES[fact].at(-1)!).color;
}

/** A box of a detailed cell is smaller than a dot below this zoom. */
const DOTS_BELOW = 8;
const isSmall = ({ scaleDenominator }: Cell): boolean => scaleDenominator <= SCALES[1].most;
/** The token of the map is valid for an hour of the service's clock. That of the device may differ. */
const RENEW_AFTER_MS = 3_300_000;
/** A new token is asked for again after this time if that failed. */
const RETRY_MS = 30_000;

class PortalCellMap extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    cells: {},
    buildId: {},
    fact: { state: true },
    hasChart: { state: true },
  };
  declare cells: readonly Cell[];
  /** The build that the map shows; another one has other tiles. */
  declare buildId: string;
  /** What the colours show. */
  declare protected fact: Fact;
  declare protected hasChart: boolean | undefined;
  #map: MapLibreMap | undefined;
  /** Whether layers can be added. */
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Bounds that the map was last moved to, as text. */
  #seen = '';

  constructor() {
    super();
    this.fact = 'scale';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#map?.remove();
    // Late answers still change `cells`, and a removed map would begin a new style.
    this.#map = undefined;
  }

  protected override firstUpdated(): void {
    void this.attempt(async () => {
      const { openChartMap, EMPTY } = await import('./chart-map.ts');
      const place = this.querySelector<HTMLElement>('.map')!;
      const style = (await this.#style()) ?? EMPTY;
      const bounds = boundsOf(this.cells);
      const { map } = await openChartMap(place, 'Map of the cells', { bounds, style });
      if (!this.isConnected) return map.remove();
      this.#map = map;
      const ready = () => {
        this.#isReady = true;
        this.#draw();
      };
      map.on('style.load', ready);
      ready();
    });
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('cells') || changed.has('fact')) this.#draw();
    // Not before the map has its first style.
    if (changed.has('buildId') && this.#map !== undefined) void this.#renew();
  }

  /** The style of the charts of the account, with a token that is replaced before it expires. */
  async #style() {
    clearTimeout(this.#timer);
    const { styleOf } = await import('./chart-map.ts');
    const { token } = await ask<{ token: string }>('POST', '/charts/mapToken');
    const style = await styleOf(token);
    this.hasChart = style !== undefined;
    if (this.isConnected) {
      this.#timer = setTimeout(() => void this.#renew(), RENEW_AFTER_MS);
    }
    return style;
  }

  async #renew(): Promise<void> {
    const style = await this.#style().catch(() => {
      // Otherwise the map would be empty when its token expires.
      if (this.isConnected) this.#timer = setTimeout(() => void this.#renew(), RETRY_MS);
      return undefined;
    });
    if (style === undefined) return;
    this.#isReady = false;
    this.#map?.setStyle(style, { diff: false });
  }

  #draw(): void {
    const map = this.#map;
    if (map === undefined || !this.#isReady) return;
    const of = (shape: typeof boxOf | typeof dotOf) => (cell: Cell) =>
      shape(cell, colorOf(cell, this.fact));
    const data = {
      type: 'FeatureCollection' as const,
      features: [...this.cells.map(of(boxOf)), ...this.cells.filter(isSmall).map(of(dotOf))],
    };
    const known = map.getSource<GeoJSONSource>('cells');
    const bounds = boundsOf(this.cells);
    // New cells may be elsewhere.
    if (this.#seen !== '' && this.#seen !== `${bounds}`) {
      map.fitBounds(bounds, { padding: 40, maxZoom: 15 });
    }
    this.#seen = `${bounds}`;
    if (known !== undefined) {
      known.setData(data);
      return;
    }
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
    const choose = (event: Event) => {
      this.fact = (event.target as HTMLSelectElement).value as Fact;
    };
    return html`<link rel="stylesheet" href="/page/chart-map.css" />
      ${this.messageBox()}
      <label for="cell-colors">Colours of the boxes</label>
      <select id="cell-colors" @change=${choose}>
        <option value="scale">Scale</option>
        <option value="age">Age</option>
      </select>
      <div class="map"></div>
      <ul class="legend">${CLASSES[this.fact].map(
        ({ title, color }) =>
          html`<li><svg width="14" height="14" aria-hidden="true"><rect x="1" y="1" width="12" height="12" fill="none" stroke=${color} stroke-width="2" /></svg> ${title}</li>`,
      )}</ul>
      <p>${
        this.hasChart === false
          ? 'The chart is not available. Open this page again later.'
          : 'The map shows the charts of your account.'
      } Not for navigation.</p>`;
  }
}

/** A box across 180° continues beyond it. */
function boxOf(cell: Cell, color: string) {
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
    properties: { color },
    geometry: { type: 'Polygon' as const, coordinates: [ring] },
  };
}

function dotOf(cell: Cell, color: string) {
  const { longitude, latitude } = middleOf(cell.bounds);
  return {
    type: 'Feature' as const,
    properties: { color },
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
