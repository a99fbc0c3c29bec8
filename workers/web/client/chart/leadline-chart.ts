// `<leadline-chart>`: a custom element with a MapLibre chart. Attribute changes take effect immediately.
// The element shows errors and dispatches events.

import type { MapLibreMap } from 'maplibre-gl';
import { CHART_THEME } from '../../../../shared/style/options.ts';
import type { Client } from '../index.ts';
import type { Region } from '../region.ts';
import { type ChartView, openChartView, type Settings } from './chart-view.ts';
import type { ClickOrder } from './click-order.ts';
import type { LeadlineChartEvents } from './events.ts';
import { type Frame, openFrame } from './frame.ts';
import type { OwnPosition } from './own-position.ts';
import { readPlace, readWaypoints } from './own-route.ts';
import {
  attributeOf,
  attributeText,
  type ChartParameters,
  PARAMETERS,
  readParameters,
} from './parameters.ts';
import { wordsOf } from './words.ts';

const OWN_ATTRIBUTES = [
  'base-url',
  'token',
  'center',
  'zoom',
  'follow',
  'pick',
  'reports',
  'route',
  'draft',
  'controls',
] as const;

/** Attributes that take effect each time they are set, even to the same value. */
const MOVING: ReadonlySet<string> = new Set(['center', 'zoom']);

/** Without DOM, as on servers, the class can be imported but not used. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** A chart of a Leadline service. It shows the caution "Not for navigation". */
export class LeadlineChart extends Base {
  static readonly observedAttributes: readonly string[] = [
    ...OWN_ATTRIBUTES,
    ...PARAMETERS.map(attributeOf),
  ];

  #frame: Frame | undefined;
  #view: ChartView | undefined;
  #isUpdating = false;
  /** Of `MOVING`: set since the last update. */
  #moved = new Set<string>();
  /** Whether to reload the style. */
  #isStale = false;
  #position: OwnPosition | undefined;

  #pickPanel: HTMLElement | undefined;
  #region: Region | undefined;

  constructor() {
    super();
    // Properties set before the element is defined hide the accessors of the class, so they are set again.
    for (const [name, value] of Object.entries(this)) {
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }

  connectedCallback(): void {
    this.#frame ??= openFrame(this);
    // Deferred, so that a script can first call `setWorkerUrl` of MapLibre.
    this.#updateSoon();
  }

  disconnectedCallback(): void {
    // An element that moves within a page is disconnected and connected again.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#view?.stop();
      this.#view = undefined;
    });
  }

  attributeChangedCallback(name: string): void {
    // The user may have moved the chart since the last change.
    if (MOVING.has(name)) this.#moved.add(name);
    this.#updateSoon();
  }

  /** The MapLibre map while the element is connected, for layers, controls and events of the app. */
  get map(): MapLibreMap | undefined {
    return this.#view?.map;
  }

  /** The client for `base-url` and `token`, or `undefined` if they are not set. */
  get client(): Client | undefined {
    return this.#view?.client();
  }

  /** Click handling. Tools of an app come before the user reports and the pick report. */
  get clicks(): ClickOrder | undefined {
    return this.#view?.clicks;
  }

  /** URL of the service. Default: the origin of the page. */
  get baseUrl(): string {
    return this.getAttribute('base-url') ?? location.origin;
  }
  set baseUrl(value: string | undefined) {
    this.#set('base-url', value);
  }

  get token(): string {
    return this.getAttribute('token') ?? '';
  }
  set token(value: string | undefined) {
    this.#set('token', value);
  }

  /** Longitude and latitude of the current centre in degrees. */
  get center(): readonly [longitude: number, latitude: number] | undefined {
    const at = this.map?.getCenter();
    if (at !== undefined) return [at.lng, at.lat];
    const place = readPlace(this.getAttribute('center') ?? '');
    return place === undefined ? undefined : [place.longitude, place.latitude];
  }
  set center(value: readonly [longitude: number, latitude: number] | undefined) {
    this.#set('center', value);
  }

  get zoom(): number | undefined {
    return this.map?.getZoom() ?? numberOf(this.getAttribute('zoom'));
  }
  set zoom(value: number | undefined) {
    this.#set('zoom', value);
  }

  get theme(): ChartParameters['theme'] {
    return this.parameters.theme;
  }
  set theme(value: ChartParameters['theme']) {
    this.#set('theme', value);
  }

  /** Metres, for all values of `units`. */
  get safetyDepth(): number | undefined {
    return this.parameters.depthLimit;
  }
  set safetyDepth(value: number | undefined) {
    this.#set('safety-depth', value);
  }

  get units(): ChartParameters['depthUnits'] {
    return this.parameters.depthUnits;
  }
  set units(value: ChartParameters['depthUnits']) {
    this.#set('units', value);
  }

  /** All style parameters. Setting them removes the attributes of missing parameters. */
  get parameters(): ChartParameters {
    return readParameters((name) => this.getAttribute(name));
  }
  set parameters(value: ChartParameters) {
    for (const name of PARAMETERS) this.#set(attributeOf(name), value[name]);
  }

  get follow(): 'north-up' | 'course-up' | undefined {
    const follow = this.getAttribute('follow');
    if (follow === null || follow === 'false') return undefined;
    return follow === 'course-up' ? follow : 'north-up';
  }
  set follow(value: 'north-up' | 'course-up' | undefined) {
    this.#set('follow', value);
  }

  /** Whether a click, or Enter on the chart, opens the pick report. */
  get pick(): boolean {
    return isSet(this.getAttribute('pick'));
  }
  set pick(value: boolean) {
    this.#set('pick', value ? '' : undefined);
  }

  /** Whether user reports are shown. A click, or Enter on the chart, opens one. */
  get reports(): boolean {
    return isSet(this.getAttribute('reports'));
  }
  set reports(value: boolean) {
    this.#set('reports', value ? '' : undefined);
  }

  /** Whether the chart has buttons for zoom and position, and a scale bar. */
  get controls(): boolean {
    return isSet(this.getAttribute('controls'));
  }
  set controls(value: boolean) {
    this.#set('controls', value ? '' : undefined);
  }

  /** Waypoints of a route to plan and draw, longitude first. */
  get route(): readonly (readonly [longitude: number, latitude: number])[] | undefined {
    const waypoints = readWaypoints(this.getAttribute('route') ?? '');
    return waypoints?.map(([latitude, longitude]) => [longitude, latitude]);
  }
  set route(value: readonly (readonly [longitude: number, latitude: number])[] | undefined) {
    this.#set('route', value?.map((place) => place.join(',')).join(' '));
  }

  /** Draft of the vessel in metres, for routes. */
  get draft(): number | undefined {
    return numberOf(this.getAttribute('draft'));
  }
  set draft(value: number | undefined) {
    this.#set('draft', value);
  }

  /** Position from the app's own receiver. If `undefined`, the position of the device is used. */
  get position(): OwnPosition | undefined {
    return this.#position;
  }
  set position(value: OwnPosition | undefined) {
    this.#position = value;
    this.#view?.setPosition(value);
  }

  /** Element of the page for the pick report. Hidden while there is no report. */
  get pickPanel(): HTMLElement | undefined {
    return this.#pickPanel;
  }
  set pickPanel(value: HTMLElement | undefined) {
    this.#pickPanel = value;
  }

  /**
   * A region file opened with `openRegion`, used instead of the charts of the service. The element adds its
   * protocol to MapLibre.
   */
  get region(): Region | undefined {
    return this.#region;
  }
  set region(value: Region | undefined) {
    this.#region = value;
    this.#updateSoon();
  }

  override addEventListener<Name extends keyof LeadlineChartEvents>(
    name: Name,
    listener: (event: CustomEvent<LeadlineChartEvents[Name]>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    name: string,
    listener: unknown,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(name, listener as EventListener, options);
  }

  /** Reloads the style, for example after a change of a saved style. */
  reload(): void {
    this.#isStale = true;
    this.#updateSoon();
  }

  /** Reloads user reports, for example after creating one. */
  refreshReports(): void {
    this.#view?.refreshReports();
  }

  #set(name: string, value: unknown): void {
    const text = attributeText(value);
    if (text === null) this.removeAttribute(name);
    else if (this.getAttribute(name) !== text || MOVING.has(name)) this.setAttribute(name, text);
  }

  /** Updates the view in a microtask, so that several attribute changes cause one update. */
  #updateSoon(): void {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    queueMicrotask(() => {
      this.#isUpdating = false;
      if (!this.isConnected || this.#frame === undefined) return;
      this.#view ??= this.#open(this.#frame);
      const faults = this.#faults();
      this.#frame.say('attributes', faults.length === 0 ? undefined : faults.join(' '));
      this.#view?.update(this.#settings(), { moved: this.#moved, isAnew: this.#isStale });
      this.#moved = new Set();
      this.#isStale = false;
    });
  }

  #open(frame: Frame): ChartView | undefined {
    try {
      const view = openChartView(this, frame, {
        tell: (name, detail) => this.#tell(name, detail),
        pickPanel: () => this.pickPanel,
        setFollow: (how) => {
          this.follow = how;
        },
      });
      if (this.#position !== undefined) view.setPosition(this.#position);
      return view;
    } catch (error) {
      const message = wordsOf('The chart could not be drawn', error);
      frame.cover(message);
      this.#tell('leadline-error', { topic: 'drawing', error, message });
      return undefined;
    }
  }

  #settings(): Settings {
    const { baseUrl, token, region, parameters, follow, pick, reports, controls, draft } = this;
    const waypoints = readWaypoints(this.getAttribute('route') ?? '');
    // Without a draft the service plans for 0 m.
    const isDraftInvalid = draft === undefined && this.hasAttribute('draft');
    return {
      baseUrl,
      token,
      region,
      parameters: region === undefined ? withTheme(parameters) : parameters,
      follow,
      center: readPlace(this.getAttribute('center') ?? ''),
      zoom: numberOf(this.getAttribute('zoom')),
      hasPick: pick,
      hasReports: reports,
      hasControls: controls,
      route:
        waypoints === undefined || isDraftInvalid
          ? undefined
          : { waypoints, ...(draft === undefined ? {} : { vessel: { draft } }) },
    };
  }

  /** Messages about invalid attributes. The service validates the style parameters. */
  #faults(): string[] {
    const rules = [
      ['center', 'longitude,latitude', readPlace],
      ['zoom', 'a number', numberOf],
      ['draft', 'a number in metres', numberOf],
      ['route', 'two or more positions longitude,latitude, separated by spaces', readWaypoints],
    ] as const;
    return rules.flatMap(([name, wanted, read]) => {
      const text = this.getAttribute(name) ?? undefined;
      const isUnset = text === undefined || (text === '' && name !== 'draft');
      return isUnset || read(text) !== undefined ? [] : [`${name} must be ${wanted}.`];
    });
  }

  #tell<Name extends keyof LeadlineChartEvents>(
    name: Name,
    detail: LeadlineChartEvents[Name],
  ): boolean {
    const event = new CustomEvent(name, {
      detail,
      bubbles: true,
      composed: true,
      cancelable: true,
    });
    return this.dispatchEvent(event);
  }
}

/** Adds the default theme of the element. A saved style has a theme of its own. */
const withTheme = (parameters: ChartParameters): ChartParameters =>
  parameters.styleId === undefined && parameters.styleName === undefined
    ? { theme: CHART_THEME, ...parameters }
    : parameters;

const isSet = (text: string | null): boolean => text !== null && text !== 'false';

function numberOf(text: string | null): number | undefined {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
