// Loads the style document of the map. Options in the `state` of the document (safety depth, units and
// toggles) change without a request. All other changes load a new document.

import type { MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { STYLE_PARAMETERS, type StyleParameter } from '../../../../shared/style/options.ts';
import type { Client } from '../client.ts';
import { type ChartParameters, PARAMETERS } from './parameters.ts';
import { styleOf } from './style-of.ts';

export interface ChartStyle {
  /**
   * Shows the chart with these parameters. A new call replaces a pending one.
   *
   * @param isAnew whether to load the document in any case
   */
  show(client: Client, parameters: ChartParameters, isAnew: boolean): Promise<void>;
  stop(): void;
}

interface Handlers {
  /** A document is loading. */
  asking(): void;
  /** The chart has the requested parameters. */
  shown(): void;
  /** Whether a resource of the document failed to load, so that the next document must not be a diff. */
  isBroken(): boolean;
  /** A new document is about to be set. @param isFresh whether it replaces the old one without a diff */
  changing(style: StyleSpecification, isFresh: boolean): void;
  /** A new document is on the map. */
  changed(): void;
  failed(error: unknown): void;
}

const ROWS: Readonly<Record<string, StyleParameter>> = STYLE_PARAMETERS;

/** Whether the service would accept a value of a state option. */
export function isKnownGood(name: string, value: unknown): boolean {
  const { values, range } = ROWS[name] ?? {};
  if (values !== undefined) return values.some((one) => one === value);
  if (range === undefined) return typeof value === 'boolean';
  return typeof value === 'number' && value >= range[0] && value <= range[1];
}

/** A document with the values of the parameters. */
interface Loaded {
  readonly style: StyleSpecification;
  /** Parameters of the request for the document. */
  readonly requested: ChartParameters;
  /** State of the document before the values of the parameters were set. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * Loads a document. Valid values of live options are set in its state and not requested, so that an offline cache
 * contains the document for all of them. Equal documents have equal URLs.
 */
export async function loadStyle(
  client: Client,
  parameters: ChartParameters,
  signal?: AbortSignal,
): Promise<Loaded> {
  const values: Record<string, { readonly default: unknown }> = {};
  const others: Record<string, unknown> = {};
  for (const name of PARAMETERS) {
    const value = parameters[name];
    if (ROWS[name]!.isLive && isKnownGood(name, value)) values[name] = { default: value };
    else if (value !== undefined) others[name] = value;
  }
  const load = async (requested: ChartParameters): Promise<Loaded> => {
    const document = await client.charts.style(
      // The element draws reports itself, whatever a saved style says.
      { ...requested, live: true, showUserReports: false },
      { signal, withToken: true },
    );
    const style = document as unknown as StyleSpecification;
    return { style, requested, defaults: stateOf(style) };
  };
  const { style, ...rest } = await load(others);
  // An older service does not support all live options.
  if (Object.keys(values).some((name) => !Object.hasOwn(rest.defaults, name)))
    return load(parameters);
  return { ...rest, style: { ...style, state: { ...style.state, ...values } } };
}

/** The state of the map. An app may have replaced the document, for example by a preview. */
interface Shown extends Omit<Loaded, 'style'> {
  readonly client: Client;
  /** Current parameters, including changes of the state. */
  readonly parameters: ChartParameters;
}

export function openChartStyle(map: MapLibreMap, handlers: Handlers): ChartStyle {
  let wanted: { readonly client: Client; readonly parameters: ChartParameters } | undefined;
  let onMap: Shown | undefined;
  let running: AbortController | undefined;

  const load = async (isAnew: boolean) => {
    running?.abort();
    if (wanted === undefined) return;
    const mine = new AbortController();
    running = mine;
    handlers.asking();
    const { client, parameters } = wanted;
    try {
      const { style, requested, defaults } = await loadStyle(client, parameters, mine.signal);
      if (mine.signal.aborted) return;
      // Otherwise values set on the old document would remain.
      setState(map, stateOf(style));
      const isFresh = onMap === undefined || isAnew || handlers.isBroken();
      handlers.changing(style, isFresh);
      // Until the new document is read, every request must load a document.
      onMap = undefined;
      // The service's tests validate its documents.
      map.setStyle(style, { diff: !isFresh, validate: false });
      // Layers can be added only then. A diff is applied at once.
      if (styleOf(map) === undefined) {
        await new Promise<void>((done) => void map.once('style.load', () => done()));
        if (mine.signal.aborted) return;
      }
      onMap = { client, requested, parameters, defaults };
      handlers.shown();
      handlers.changed();
    } catch (error) {
      if (!mine.signal.aborted) handlers.failed(error);
    }
  };

  /** Applies changes that the state allows. Returns whether no other changes remain. */
  const isChangedLive = (client: Client, next: ChartParameters): boolean => {
    if (onMap === undefined || onMap.client !== client) return false;
    const { requested, parameters, defaults } = onMap;
    const others = namesOf({ ...parameters, ...next }).filter(
      (name) => String(parameters[name]) !== String(next[name]),
    );
    const live = others.filter(
      (name) =>
        Object.hasOwn(defaults, name) &&
        isKnownGood(name, next[name] ?? defaults[name]) &&
        // The default in the document is the requested value; the default of the service is unknown.
        (next[name] !== undefined || requested[name] === undefined),
    );
    const values = live.map((name) => [name, next[name] ?? defaults[name]] as const);
    if (!setState(map, Object.fromEntries(values))) return false;
    const changes = Object.fromEntries(live.map((name) => [name, next[name]]));
    onMap = { ...onMap, parameters: { ...parameters, ...changes } };
    return live.length === others.length;
  };

  return {
    show: async (client, parameters, isAnew) => {
      wanted = { client, parameters };
      if (!isChangedLive(client, parameters) || isAnew) return load(isAnew);
      running?.abort();
      handlers.shown();
    },
    stop: () => running?.abort(),
  };
}

const namesOf = (parameters: ChartParameters) =>
  Object.keys(parameters) as (keyof ChartParameters)[];

/** Names and defaults of the state of a document. */
function stateOf({ state = {} }: StyleSpecification): Record<string, unknown> {
  const entries = Object.entries(state);
  return Object.fromEntries(entries.map(([name, { default: value }]) => [name, value]));
}

/** Sets the state of the map. Returns `false` while a style is loading, because MapLibre then throws. */
function setState(map: MapLibreMap, values: Readonly<Record<string, unknown>>): boolean {
  try {
    for (const [name, value] of Object.entries(values)) map.setGlobalStateProperty(name, value);
    return true;
  } catch {
    return false;
  }
}
