// The style document that the map shows. What the document holds as state (safety depth, units and
// toggles) changes without a request; for anything else another document is asked for.

import type { MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { DEPTH_LIMIT_RANGE, DEPTH_UNITS } from '../../../../shared/style/options.ts';
import type { Client } from '../client.ts';
import type { ChartParameters } from './parameters.ts';
import { styleOf } from './style-of.ts';

export interface ChartStyle {
  /**
   * Show the chart with these parameters; of several calls the last one counts.
   *
   * @param isAnew the document is asked for in any case
   */
  show(client: Client, parameters: ChartParameters, isAnew: boolean): Promise<void>;
  stop(): void;
}

interface Handlers {
  /** A document is being asked for. */
  asking(): void;
  /** The chart is as it was asked for. */
  shown(): void;
  /** Whether something that the document names could not be loaded: the next one is drawn from the beginning. */
  isBroken(): boolean;
  /** Another document is about to be drawn. @param isFresh from the beginning, not as what differs */
  changing(style: StyleSpecification, isFresh: boolean): void;
  /** Another document is on the map. */
  changed(): void;
  failed(error: unknown): void;
}

/** Whether a value is one that the service would take, where the service is not asked. */
export function isKnownGood(name: string, value: unknown): boolean {
  if (name === 'depthUnits') return DEPTH_UNITS.some((units) => units === value);
  if (name !== 'depthLimit') return typeof value === 'boolean';
  const [least, most] = DEPTH_LIMIT_RANGE;
  return typeof value === 'number' && value >= least && value <= most;
}

/** What is on the map. */
interface Shown {
  readonly client: Client;
  /** What the document was asked with. */
  readonly asked: ChartParameters;
  /** What it shows: the same, but for what was changed by its state. */
  readonly parameters: ChartParameters;
}

export function openChartStyle(map: MapLibreMap, handlers: Handlers): ChartStyle {
  let wanted: { readonly client: Client; readonly parameters: ChartParameters } | undefined;
  let onMap: Shown | undefined;
  let question: AbortController | undefined;

  const load = async (isAnew: boolean) => {
    question?.abort();
    if (wanted === undefined) return;
    const mine = new AbortController();
    question = mine;
    handlers.asking();
    const { client, parameters } = wanted;
    try {
      const document = await client.charts.style(
        // Reports are drawn from what was asked a moment ago, whatever a saved style says.
        { ...parameters, live: true, showUserReports: false },
        { signal: mine.signal, withToken: true },
      );
      if (mine.signal.aborted) return;
      const style = document as unknown as StyleSpecification;
      // A new document with the old one's defaults would keep what was set since.
      setState(map, stateOf(style));
      const isFresh = onMap === undefined || isAnew || handlers.isBroken();
      handlers.changing(style, isFresh);
      // Until this one is read, whatever is asked for next is another than what is on the map.
      onMap = undefined;
      map.setStyle(style, { diff: !isFresh });
      // Only then layers can be added to it. A document that differs little is there at once.
      if (styleOf(map) === undefined) {
        await new Promise<void>((done) => void map.once('style.load', () => done()));
        if (mine.signal.aborted) return;
      }
      onMap = { client, asked: parameters, parameters };
      handlers.shown();
      handlers.changed();
    } catch (error) {
      if (!mine.signal.aborted) handlers.failed(error);
    }
  };

  /** Change what the document's state can at once, and say whether that is all. */
  const isChangedLive = (client: Client, next: ChartParameters): boolean => {
    if (onMap === undefined || onMap.client !== client) return false;
    const { asked, parameters } = onMap;
    const state = stateOf(styleOf(map));
    const others = namesOf({ ...parameters, ...next }).filter(
      (name) => String(parameters[name]) !== String(next[name]),
    );
    const live = others.filter(
      (name) =>
        Object.hasOwn(state, name) &&
        isKnownGood(name, next[name] ?? state[name]) &&
        // What was asked for is the document's default: without it the service's own is not known.
        (next[name] !== undefined || asked[name] === undefined),
    );
    const values = live.map((name) => [name, next[name] ?? state[name]] as const);
    if (!setState(map, Object.fromEntries(values))) return false;
    const changes = Object.fromEntries(live.map((name) => [name, next[name]]));
    onMap = { ...onMap, parameters: { ...parameters, ...changes } };
    return live.length === others.length;
  };

  return {
    show: async (client, parameters, isAnew) => {
      wanted = { client, parameters };
      if (!isChangedLive(client, parameters) || isAnew) return load(isAnew);
      question?.abort();
      handlers.shown();
    },
    stop: () => question?.abort(),
  };
}

const namesOf = (parameters: ChartParameters) =>
  Object.keys(parameters) as (keyof ChartParameters)[];

/** Names and defaults of a document's state. */
function stateOf(style: StyleSpecification | undefined): Record<string, unknown> {
  const entries = Object.entries(style?.state ?? {});
  return Object.fromEntries(entries.map(([name, { default: value }]) => [name, value]));
}

/** Set state of the map; false while a style is being read, which MapLibre refuses. */
function setState(map: MapLibreMap, values: Readonly<Record<string, unknown>>): boolean {
  try {
    for (const [name, value] of Object.entries(values)) map.setGlobalStateProperty(name, value);
    return true;
  } catch {
    return false;
  }
}
