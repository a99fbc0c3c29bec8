// What lies under a click: a list of the chart's features there, each with its details in words and
// its outline on the chart. The answers are the feature query's own.

import type {
  Map as ChartMap,
  GeoJSONSource,
  LngLat,
  MapGeoJSONFeature,
  StyleSpecification,
} from 'maplibre-gl';
import { METERS_PER_PIXEL } from '../../shared/chart/scale-zoom.ts';
import type { ClickTool } from './parts/click-order.ts';
import { button, closer, element } from './parts/elements.ts';
import { groupsOf } from './pick-order.ts';

type Geometry = MapGeoJSONFeature['geometry'];

interface Picked {
  readonly id: string;
  readonly parentCellName: string;
  readonly layerId: string;
  readonly geometry: Geometry;
  readonly rawAttributes: Readonly<Record<string, unknown>>;
  readonly extras: {
    readonly distance: number;
    readonly title: string;
    readonly light?: string;
    readonly depth?: number;
    readonly attributes: readonly { readonly name: string; readonly value: string }[];
  };
}

interface Answer {
  readonly results: readonly Picked[];
  readonly truncation?: { readonly found: number; readonly returned: number };
}

/** How far from a feature a finger or a cursor may be. */
const REACH_PIXELS = 12;
const SOURCE = 'pick-report';

/** Answer every click on the map in a panel, which holds nothing of its own. */
export function openPickReport(map: ChartMap, panel: HTMLElement, token: string): ClickTool {
  let highlighted: Geometry | undefined;
  let asked = 0;
  const highlight = (geometry: Geometry | undefined) => {
    highlighted = geometry;
    drawHighlight(map, highlighted);
  };
  const close = () => {
    asked++;
    panel.hidden = true;
    highlight(undefined);
  };
  const show = (...content: readonly Node[]) => {
    panel.replaceChildren(closer('Close the report', close), ...content);
    panel.hidden = false;
  };
  const showList = (answer: Answer) => {
    highlight(undefined);
    show(...listOf(answer, (picked) => showDetails(picked, answer)));
    panel.querySelector<HTMLElement>('li button')?.focus({ preventScroll: true });
  };
  const showDetails = (picked: Picked, answer: Answer) => {
    highlight(picked.geometry);
    const back = button('All here', () => showList(answer));
    show(back, ...detailsOf(picked));
    back.focus({ preventScroll: true });
  };
  const answerAt = async (lngLat: LngLat) => {
    asked++;
    const mine = asked;
    try {
      const answer = await ask(token, lngLat, map.getZoom());
      if (mine === asked) showList(answer);
    } catch (error) {
      if (mine === asked) show(element('p', (error as Error).message));
    }
  };
  panel.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
  // A change of style takes away all that was added to it.
  map.on('styledata', () => drawHighlight(map, highlighted));
  return {
    take: ({ lngLat }) => {
      void answerAt(lngLat);
      return true;
    },
    makeRoom: close,
  };
}

async function ask(token: string, { lat, lng }: LngLat, zoom: number): Promise<Answer> {
  const metersPerPixel = (METERS_PER_PIXEL * Math.cos((lat * Math.PI) / 180)) / 2 ** zoom;
  const answer = await fetch('/api/v1/enc_query?extras=true', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      position: { longitude: lng, latitude: lat },
      radius: REACH_PIXELS * metersPerPixel,
      zoom,
    }),
  });
  if (answer.status === 403) throw new Error('This token may not ask the chart.');
  if (!answer.ok) throw new Error('The chart cannot be asked right now. Try again in a moment.');
  return (await answer.json()) as Answer;
}

function listOf({ results, truncation }: Answer, choose: (picked: Picked) => void): Node[] {
  const groups = groupsOf(results);
  if (groups.length === 0) return [element('p', 'The chart shows nothing here.')];
  const list = document.createElement('ul');
  for (const { first, count } of groups) {
    const row = document.createElement('li');
    const heading = headingOf(first);
    const chosen = button(count === 1 ? heading : `${heading} (${count})`, () => choose(first));
    chosen.dataset['class'] = first.layerId;
    row.append(chosen);
    list.append(row);
  }
  const cut =
    truncation === undefined || truncation.returned === truncation.found
      ? []
      : [element('p', `The nearest ${truncation.returned} of ${truncation.found}.`)];
  return [element('h2', 'Here on the chart'), list, ...cut];
}

function headingOf({ extras: { title, light, depth }, rawAttributes }: Picked): string {
  if (depth !== undefined) return `${title} ${depth} m`;
  if (light !== undefined) return `${title} ${light}`;
  const { drval1: least, drval2: most } = rawAttributes;
  if (typeof least !== 'number') return title;
  return typeof most === 'number'
    ? `${title} ${least}\u2009–\u2009${most} m`
    : `${title} ${least} m`;
}

function detailsOf(picked: Picked): Node[] {
  const { extras, id, layerId, parentCellName } = picked;
  const facts = document.createElement('dl');
  const rows = [
    ...(extras.light === undefined ? [] : [['Light', extras.light]]),
    ...(extras.depth === undefined ? [] : [['Depth', `${extras.depth} m`]]),
    ...extras.attributes.map(({ name, value }) => [name, value]),
    ['Object class', layerId],
    ['Cell', parentCellName],
    ['Id', id],
  ];
  for (const [name, value] of rows) facts.append(element('dt', name!), element('dd', value!));
  return [element('h2', extras.title), facts, element('p', 'Not for navigation')];
}

const DAY_COLOR = '#d81fd8';
/** On a dark bridge. */
const NIGHT_COLOR = '#7a2a7a';

const highlightLayers = (color: string): StyleSpecification['layers'] => [
  {
    id: `${SOURCE}-line`,
    source: SOURCE,
    type: 'line',
    filter: ['!=', ['geometry-type'], 'Point'],
    paint: { 'line-color': color, 'line-width': 3, 'line-opacity': 0.8 },
  },
  {
    id: `${SOURCE}-point`,
    source: SOURCE,
    type: 'circle',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': 16,
      'circle-opacity': 0,
      'circle-stroke-color': color,
      'circle-stroke-width': 3,
      'circle-stroke-opacity': 0.8,
    },
  },
];

/** Outline a geometry above everything else; none where it is undefined. */
function drawHighlight(map: ChartMap, geometry: Geometry | undefined): void {
  const data: Parameters<GeoJSONSource['setData']>[0] = {
    type: 'FeatureCollection',
    features: geometry === undefined ? [] : [{ type: 'Feature', properties: {}, geometry }],
  };
  const source = map.getSource<GeoJSONSource>(SOURCE);
  if (source === undefined) {
    if (geometry === undefined) return;
    map.addSource(SOURCE, { type: 'geojson', data });
    const isNight = document.body.dataset['theme'] === 'night';
    for (const layer of highlightLayers(isNight ? NIGHT_COLOR : DAY_COLOR)) map.addLayer(layer);
  } else if (shown.get(source) !== geometry) source.setData(data);
  const now = map.getSource<GeoJSONSource>(SOURCE);
  if (now !== undefined) shown.set(now, geometry);
}

/** What each source shows: setting data tells of a change of style, which asks to set them again. */
const shown = new WeakMap<GeoJSONSource, Geometry | undefined>();
