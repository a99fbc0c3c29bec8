// The pick report: lists the features at a clicked position, with details and an outline on the chart. The
// data is from the feature query of the service.

import type { Map as ChartMap, LngLat, MapGeoJSONFeature, StyleSpecification } from 'maplibre-gl';
import { METERS_PER_PIXEL } from '../../../../shared/chart/scale-zoom.ts';
import type { Client } from '../client.ts';
import type { FeatureAnswer, StyleParameters } from '../wire.ts';
import type { ChartTool } from './click-order.ts';
import { crowdAt } from './crowd-pick.ts';
import { button, closer, element } from './elements.ts';
import { keepDrawn } from './keep-drawn.ts';
import { groupsOf, type ListedGroup } from './pick-order.ts';

type Geometry = MapGeoJSONFeature['geometry'];
type Result = FeatureAnswer['results'][number];
/** A result with `extras`, which every request asks for. */
type Picked = Result & { readonly extras: NonNullable<Result['extras']> };
/** Results of one row, the nearest first. */
type Members = ListedGroup<Picked>['members'];

/** Maximum distance of a click from a feature. */
const REACH_PIXELS = 12;
const SOURCE = 'pick-report';

interface Handlers {
  /** Ends the listeners on the panel. */
  readonly signal: AbortSignal;
  client(): Client;
  /** Whether clicks open the pick report. */
  isWanted(): boolean;
  /** Empty element that shows the report. */
  panel(): HTMLElement;
  isNight(): boolean;
  /** Unit of depths on the chart. */
  units(): NonNullable<StyleParameters['depthUnits']>;
  /** Called with the results before they are shown. @returns whether to show them */
  found(at: LngLat, answer: FeatureAnswer): boolean;
  /** @returns the message to show */
  failed(error: unknown): string;
}

export function openPickReport(map: ChartMap, handlers: Handlers): ChartTool {
  let running: AbortController | undefined;
  let opened: HTMLElement | undefined;
  /** The crowdsourced depth at the position. */
  let crowd: readonly Node[] = [];
  const draw = keepDrawn(map, SOURCE, () =>
    highlightLayers(handlers.isNight() ? NIGHT_COLOR : DAY_COLOR),
  );
  /** Outlines a geometry, or removes the outline if `undefined`. */
  const highlight = (geometry: Geometry | undefined) =>
    draw(geometry && { type: 'Feature', properties: {}, geometry });
  const close = () => {
    running?.abort();
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
    if (opened !== panel) {
      panel.addEventListener('keydown', closeByKey, { signal: handlers.signal });
    }
    opened = panel;
    panel.replaceChildren(closer('Close the report', close), ...content);
    panel.hidden = false;
  };
  const showList = (answer: FeatureAnswer) => {
    highlight(undefined);
    show(...listOf(answer, (members) => showDetails(members, answer)), ...crowd);
    focusContent();
  };
  /** Focuses the first row, or the message if there are no rows, so that screen readers read it. */
  const focusContent = () =>
    opened?.querySelector<HTMLElement>('li button, [tabindex]')?.focus({ preventScroll: true });
  const showDetails = (members: Members, answer: FeatureAnswer) => {
    highlight(members[0].geometry as Geometry);
    const back = button('Back to list', () => showList(answer));
    show(back, ...detailsOf(members));
    back.focus({ preventScroll: true });
  };
  const askAt = async (at: LngLat) => {
    running?.abort();
    crowd = crowdAt(map, at, handlers.units());
    const mine = new AbortController();
    running = mine;
    // The report of another place must not remain.
    highlight(undefined);
    if (opened !== undefined) show(element('p', 'Loading…'));
    try {
      const answer = await handlers.client().charts.featuresNear(
        {
          position: { longitude: at.lng, latitude: at.lat },
          radius: REACH_PIXELS * metersPerPixel(map, at),
          zoom: map.getZoom(),
        },
        { extras: true, depthUnits: handlers.units(), signal: mine.signal },
      );
      if (mine.signal.aborted) return;
      if (handlers.found(at, answer)) showList(answer);
      else close();
    } catch (error) {
      if (mine.signal.aborted) return;
      show(messageOf(handlers.failed(error)));
      focusContent();
    }
  };
  return {
    take: ({ lngLat }) => {
      if (!handlers.isWanted()) return false;
      void askAt(lngLat);
      return true;
    },
    makeRoom: close,
  };
}

/** A message that can have the focus. */
function messageOf(text: string): HTMLElement {
  const message = element('p', text);
  message.tabIndex = -1;
  return message;
}

/** The focused element in the tree of an element. Each shadow tree has its own. */
const focusIn = (at: HTMLElement): Element | null =>
  (at.getRootNode() as Document | ShadowRoot).activeElement;

const metersPerPixel = (map: ChartMap, { lat }: LngLat): number =>
  (METERS_PER_PIXEL * Math.cos((lat * Math.PI) / 180)) / 2 ** map.getZoom();

function listOf(
  { results, truncation }: FeatureAnswer,
  choose: (members: Members) => void,
): Node[] {
  const groups = groupsOf(results as Picked[]);
  if (groups.length === 0) return [messageOf('The chart shows nothing here.')];
  const list = document.createElement('ul');
  for (const { members, count } of groups) {
    const row = document.createElement('li');
    const { sentence } = members[0].extras;
    const chosen = button(count === 1 ? sentence : `${sentence} (${count})`, () => choose(members));
    chosen.append(...abbreviationOf(members));
    chosen.dataset['class'] = members[0].layerId;
    row.append(chosen);
    list.append(row);
  }
  const cut =
    truncation === undefined || truncation.returned === truncation.found
      ? []
      : [element('p', `Showing the nearest ${truncation.returned} of ${truncation.found}.`)];
  return [element('h2', 'Here on the chart'), list, ...cut];
}

/** A light as charts print it: each sector that differs. */
function abbreviationOf(members: Members): HTMLElement[] {
  const texts = new Set(members.flatMap(({ extras: { light } }) => light ?? []));
  return texts.size === 0 ? [] : [element('small', [...texts].join(', '))];
}

function detailsOf(members: Members): Node[] {
  const { sentence } = members[0].extras;
  const [heading = sentence] = sentence.split(/[,;:] |\. |\.$/);
  const details = document.createElement('details');
  details.append(element('summary', 'Details of the chart data'), ...members.map(factsOf));
  return [
    element('h2', heading),
    element('p', sentence),
    ...abbreviationOf(members),
    details,
    element('p', 'Not for navigation'),
  ];
}

/** The attributes in the terms of S-57. */
function factsOf({ extras, id, layerName, parentCellName }: Picked): HTMLElement {
  const facts = document.createElement('dl');
  const rows = [
    ['Object class', layerName],
    ...extras.attributes.map(({ name, value }) => [name, value]),
    ['Chart', parentCellName],
    ['Id', id],
  ];
  for (const [name, value] of rows) facts.append(element('dt', name!), element('dd', value!));
  return facts;
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
