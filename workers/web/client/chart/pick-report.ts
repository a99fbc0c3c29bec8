// The pick report: lists the features at a clicked position, with details and an outline on the chart. The
// data is from the feature query of the service.

import type { Map as ChartMap, LngLat, MapGeoJSONFeature, StyleSpecification } from 'maplibre-gl';
import { METERS_PER_PIXEL } from '../../../../shared/chart/scale-zoom.ts';
import type { Client } from '../client.ts';
import type { FeatureAnswer } from '../wire.ts';
import type { ClickTool } from './click-order.ts';
import { button, closer, element } from './elements.ts';
import { keepDrawn } from './keep-drawn.ts';
import { groupsOf } from './pick-order.ts';

type Geometry = MapGeoJSONFeature['geometry'];
type Result = FeatureAnswer['results'][number];
/** A result with `extras`, which every request asks for. */
type Picked = Result & { readonly extras: NonNullable<Result['extras']> };

/** Maximum distance of a click from a feature. */
const REACH_PIXELS = 12;
const SOURCE = 'pick-report';

interface Handlers {
  client(): Client;
  /** Whether clicks open the pick report. */
  isWanted(): boolean;
  /** Empty element that shows the report. */
  panel(): HTMLElement;
  isNight(): boolean;
  /** Called with the results before they are shown. @returns whether to show them */
  found(at: LngLat, answer: FeatureAnswer): boolean;
  /** @returns the message to show */
  failed(error: unknown): string;
}

export interface PickReport extends ClickTool {
  /** Opens the report for a position. */
  askAt(at: LngLat): void;
}

export function openPickReport(map: ChartMap, handlers: Handlers): PickReport {
  let question: AbortController | undefined;
  let opened: HTMLElement | undefined;
  const draw = keepDrawn(map, SOURCE, () =>
    highlightLayers(handlers.isNight() ? NIGHT_COLOR : DAY_COLOR),
  );
  /** Outlines a geometry, or removes the outline if `undefined`. */
  const highlight = (geometry: Geometry | undefined) =>
    draw(geometry && { type: 'Feature', properties: {}, geometry });
  const close = () => {
    question?.abort();
    if (opened !== undefined) {
      // Otherwise the keyboard focus would move to the start of the page.
      if (opened.contains(focusIn(opened))) map.getCanvas().focus({ preventScroll: true });
      opened.hidden = true;
    }
    opened = undefined;
    highlight(undefined);
  };
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') close();
  };
  const show = (...content: readonly Node[]) => {
    const panel = handlers.panel();
    if (opened !== panel) panel.addEventListener('keydown', closeByKey);
    opened = panel;
    panel.replaceChildren(closer('Close the report', close), ...content);
    panel.hidden = false;
  };
  const showList = (answer: FeatureAnswer) => {
    highlight(undefined);
    show(...listOf(answer, (picked) => showDetails(picked, answer)));
    opened?.querySelector<HTMLElement>('li button')?.focus({ preventScroll: true });
  };
  const showDetails = (picked: Picked, answer: FeatureAnswer) => {
    highlight(picked.geometry as Geometry);
    const back = button('Back to list', () => showList(answer));
    show(back, ...detailsOf(picked));
    back.focus({ preventScroll: true });
  };
  const askAt = async (at: LngLat) => {
    question?.abort();
    const mine = new AbortController();
    question = mine;
    try {
      const answer = await handlers.client().charts.featuresNear(
        {
          position: { longitude: at.lng, latitude: at.lat },
          radius: REACH_PIXELS * metersPerPixel(map, at),
          zoom: map.getZoom(),
        },
        { extras: true, signal: mine.signal },
      );
      if (mine.signal.aborted) return;
      if (handlers.found(at, answer)) showList(answer);
    } catch (error) {
      if (!mine.signal.aborted) show(element('p', handlers.failed(error)));
    }
  };
  return {
    askAt: (at) => void askAt(at),
    take: ({ lngLat }) => {
      if (!handlers.isWanted()) return false;
      void askAt(lngLat);
      return true;
    },
    makeRoom: close,
  };
}

/** The focused element in the tree of an element. Each shadow tree has its own. */
const focusIn = (at: HTMLElement): Element | null =>
  (at.getRootNode() as Document | ShadowRoot).activeElement;

const metersPerPixel = (map: ChartMap, { lat }: LngLat): number =>
  (METERS_PER_PIXEL * Math.cos((lat * Math.PI) / 180)) / 2 ** map.getZoom();

function listOf({ results, truncation }: FeatureAnswer, choose: (picked: Picked) => void): Node[] {
  const groups = groupsOf(results as Picked[]);
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
      : [element('p', `Showing the nearest ${truncation.returned} of ${truncation.found}.`)];
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
