// A map for sections of the portal. Its chart is that of the landing page, if the service has one.

import {
  MapLibreMap,
  type MapOptions,
  NavigationControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';

setWorkerUrl('/page/maplibre-gl-worker.mjs');

interface ChartMap {
  /** Its style is loaded. */
  readonly map: MapLibreMap;
  /** Whether it shows a chart. Otherwise it is empty. */
  readonly hasChart: boolean;
}

/** What a map shows first. */
type View = Pick<MapOptions, 'bounds' | 'center' | 'zoom'> & {
  /** By default the style of the landing page, if the service has one. */
  readonly style?: StyleSpecification;
};

/** Show a map in an element. The caller adds the stylesheet `/page/chart-map.css`. @param title for screen readers */
export async function openChartMap(
  container: HTMLElement,
  title: string,
  view: View,
): Promise<ChartMap> {
  const { style, ...camera } = view;
  const chart = style ?? (await chartStyle());
  const map = new MapLibreMap({
    ...camera,
    container,
    style: chart ?? EMPTY,
    fitBoundsOptions: { padding: 40, maxZoom: 15 },
    locale: { 'Map.Title': title },
    // One finger or a wheel scrolls the page.
    cooperativeGestures: true,
    // The button of a compact one is too small to touch.
    attributionControl: { compact: false },
  });
  map.addControl(new NavigationControl({ showCompass: false }));
  // A missing tile leaves a gap. Without a listener, the library writes it to the console.
  map.on('error', () => undefined);
  await map.once('style.load');
  return { map, hasChart: chart !== undefined };
}

export const EMPTY: StyleSpecification = { version: 8, sources: {}, layers: [] };

async function read(path: string): Promise<unknown> {
  const answer = await fetch(path);
  return answer.ok ? answer.json() : {};
}

/** A session is no token for charts, so the map uses the public token of the landing page. */
async function chartStyle(): Promise<StyleSpecification | undefined> {
  const { token } = (await read('/api/v1/demo-token').catch(() => ({}))) as {
    readonly token?: string | null;
  };
  return token == null ? undefined : styleOf(token);
}

/** The style of the charts that a token sees; `undefined` without a style. */
export async function styleOf(token: string): Promise<StyleSpecification | undefined> {
  try {
    const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dusk' : 'day';
    const query = new URLSearchParams({ token, theme });
    const style = (await read(`/api/v1/styles/base.json?${query}`)) as Partial<StyleSpecification>;
    return style.version === undefined ? undefined : (style as StyleSpecification);
  } catch {
    return undefined;
  }
}
