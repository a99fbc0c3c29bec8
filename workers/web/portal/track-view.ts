// A track on a map, and its depths over time.

import { html } from 'lit';
import type { MapLibreMap } from 'maplibre-gl';
import type { PortalCalls } from '../client/portal-wire.ts';
import { ask, isoOf } from './api.ts';
import { drawChart } from './line-chart.ts';
import { mapNote } from './map-note.ts';
import { PortalElement } from './portal-element.ts';

type TrackFile = PortalCalls['GET /tracks/{id}.geojson']['answer'];

class PortalTrackView extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    track: {},
    hasChart: { state: true },
  };
  /** Id of the track. */
  declare track: string;
  declare protected hasChart: boolean | undefined;

  #map: MapLibreMap | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Browsers limit the number of maps.
    this.#map?.remove();
  }

  protected override firstUpdated(): void {
    void this.attempt(async () => {
      const { features } = await ask<TrackFile>('GET', `/tracks/${this.track}.geojson`);
      drawProfile(this.querySelector<HTMLElement>('.usage-chart')!, features);
      const drawn = await drawTrack(this.querySelector<HTMLElement>('.map')!, features);
      if (!this.isConnected) return drawn.map.remove();
      this.#map = drawn.map;
      this.hasChart = drawn.hasChart;
    });
  }

  protected override render() {
    return html`<link rel="stylesheet" href="/page/chart-map.css" />
      ${this.messageBox()}
      <div class="map"></div>
      ${mapNote(this.hasChart)}
      <div class="usage-chart" role="img" aria-label="Depths over time; the CSV file has the numbers"></div>
      <p>Depths in metres over time in UTC.</p>`;
  }
}

function drawProfile(place: HTMLElement, features: TrackFile['features']): void {
  const times = features.map(({ properties }) => Date.parse(properties.time) / 1000);
  drawChart(place, {
    data: [times, features.map(({ properties }) => properties.depth)],
    // Deeper is lower.
    scales: { y: { dir: -1, range: (_, least, most) => [Math.min(least, 0), Math.max(most, 1)] } },
    series: [{ fill: 'transparent', points: { show: features.length === 1 } }],
    times: (_, seconds) => seconds.map((one) => isoOf(one * 1000).slice(11, 16)),
    values: (_, depths) => depths.map((depth) => `${depth} m`),
  });
}

async function drawTrack(place: HTMLElement, features: TrackFile['features']) {
  const line = continuous(features.map(({ geometry }) => geometry.coordinates));
  const edge = (side: 0 | 1, pick: 'min' | 'max') =>
    line.reduce((found, place) => Math[pick](found, place[side]), line[0]![side]);
  const { openChartMap } = await import('./chart-map.ts');
  const { map, hasChart } = await openChartMap(place, 'Map of the track', {
    bounds: [
      [edge(0, 'min'), edge(1, 'min')],
      [edge(0, 'max'), edge(1, 'max')],
    ],
  });
  const { outlineColor: color } = getComputedStyle(place);
  map.addSource('track', {
    type: 'geojson',
    // A line has two points at least.
    data: { type: line.length > 1 ? 'LineString' : 'MultiPoint', coordinates: line },
  });
  const source = 'track';
  map.addLayer({
    id: 'line',
    type: 'line',
    source,
    paint: { 'line-color': color, 'line-width': 2 },
  });
  map.addLayer({
    id: 'points',
    type: 'circle',
    source,
    paint: { 'circle-color': color, 'circle-radius': 2.5 },
  });
  return { map, hasChart };
}

/** The positions with longitudes that count on across 180°. */
function continuous(places: readonly (readonly [number, number])[]): [number, number][] {
  let turns = 0;
  return places.map(([longitude, latitude], at) => {
    const step = longitude - (places[at - 1]?.[0] ?? longitude);
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return [longitude + 360 * turns, latitude];
  });
}

customElements.define('portal-track-view', PortalTrackView);
