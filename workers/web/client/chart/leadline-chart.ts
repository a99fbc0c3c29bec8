// `<leadline-chart>`: a chart as an element of a page, over MapLibre. Attributes say what is shown and
// may change at any time; events tell what happened; what is wrong is shown in the element.

import type { MapLibreMap } from 'maplibre-gl';
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

/** What they say is done whenever it is said. */
const MOVING: ReadonlySet<string> = new Set(['center', 'zoom']);

/** Properties that are said before the element is defined stand beside those of its class. */
const PROPERTIES = [
  'baseUrl',
  'token',
  'center',
  'zoom',
  'theme',
  'safetyDepth',
  'units',
  'follow',
  'pick',
  'reports',
  'route',
  'draft',
  'controls',
  'parameters',
  'position',
  'pickPanel',
  'region',
] as const;

/** Where there are no elements, as on servers, the class can be imported, and not used. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** A chart of a Leadline service. Not for navigation, which it says by itself. */
export class LeadlineChart extends Base {
  static readonly observedAttributes: readonly string[] = [
    ...OWN_ATTRIBUTES,
    ...PARAMETERS.map(attributeOf),
  ];

  #frame: Frame | undefined;
  #view: ChartView | undefined;
  #isUpdating = false;
  #isMoved = false;
  /** The style is to be asked for again. */
  #isStale = false;
  #position: OwnPosition | undefined;

  #pickPanel: HTMLElement | undefined;
  #region: Region | undefined;

  constructor() {
    super();
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = this[name];
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }

  connectedCallback(): void {
    this.#frame ??= openFrame(this);
    // Later, so that a script can first tell MapLibre where its worker is.
    this.#updateSoon();
  }

  disconnectedCallback(): void {
    // An element that is moved within a page is taken out and put in again.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#view?.stop();
      this.#view = undefined;
    });
  }

  attributeChangedCallback(name: string): void {
    // Said again it is meant again: the chart may have been moved since.
    if (MOVING.has(name)) this.#isMoved = true;
    this.#updateSoon();
  }

  /** MapLibre's map, while the element is part of a page: for layers, controls and events of one's own. */
  get map(): MapLibreMap | undefined {
    return this.#view?.map;
  }

  /** The client of `base-url` and `token`; undefined while they name no service. */
  get client(): Client | undefined {
    return this.#view?.client();
  }

  /** Who answers clicks: tools of an app come before the reports and the pick report. */
  get clicks(): ClickOrder | undefined {
    return this.#view?.clicks;
  }

  /** Address of the service; the page's own origin where it is not said. */
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

  /** Longitude and latitude in degrees: where the chart is, whoever moved it. */
  get center(): readonly [longitude: number, latitude: number] | undefined {
    const at = this.map?.getCenter();
    if (at !== undefined) return [at.lng, at.lat];
    const said = readPlace(this.getAttribute('center') ?? '');
    return said === undefined ? undefined : [said.longitude, said.latitude];
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

  /** Metres, whatever the units are. */
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

  /** Every parameter of the style that attributes say; setting them takes away those that are not among them. */
  get parameters(): ChartParameters {
    return readParameters((name) => this.getAttribute(name));
  }
  set parameters(value: ChartParameters) {
    for (const name of PARAMETERS) this.#set(attributeOf(name), value[name]);
  }

  get follow(): 'north-up' | 'course-up' | undefined {
    const said = this.getAttribute('follow');
    if (said === null || said === 'false') return undefined;
    return said === 'course-up' ? said : 'north-up';
  }
  set follow(value: 'north-up' | 'course-up' | undefined) {
    this.#set('follow', value);
  }

  /** Whether clicks, and Enter on the chart, ask what is there. */
  get pick(): boolean {
    return isSet(this.getAttribute('pick'));
  }
  set pick(value: boolean) {
    this.#set('pick', value ? '' : undefined);
  }

  /** Whether user reports are shown. */
  get reports(): boolean {
    return isSet(this.getAttribute('reports'));
  }
  set reports(value: boolean) {
    this.#set('reports', value ? '' : undefined);
  }

  /** Whether the chart has buttons for zoom and position, and a scale. */
  get controls(): boolean {
    return isSet(this.getAttribute('controls'));
  }
  set controls(value: boolean) {
    this.#set('controls', value ? '' : undefined);
  }

  /** Waypoints, longitude first; the route through them is asked for and drawn. */
  get route(): readonly (readonly [longitude: number, latitude: number])[] | undefined {
    const said = readWaypoints(this.getAttribute('route') ?? '');
    return said?.map(([latitude, longitude]) => [longitude, latitude]);
  }
  set route(value: readonly (readonly [longitude: number, latitude: number])[] | undefined) {
    this.#set('route', value?.map((place) => place.join(',')).join(' '));
  }

  /** Of the vessel, in metres, for routes. */
  get draft(): number | undefined {
    return numberOf(this.getAttribute('draft'));
  }
  set draft(value: number | undefined) {
    this.#set('draft', value);
  }

  /** The vessel's position of an app's own receiver; undefined leaves it to the device. */
  get position(): OwnPosition | undefined {
    return this.#position;
  }
  set position(value: OwnPosition | undefined) {
    this.#position = value;
    this.#view?.setPosition(value);
  }

  /** Where a page wants the answers to clicks: an element of its own, hidden while there is none. */
  get pickPanel(): HTMLElement | undefined {
    return this.#pickPanel;
  }
  set pickPanel(value: HTMLElement | undefined) {
    this.#pickPanel = value;
  }

  /** A region's file, opened by `openRegion`: charts come from it, also where there is no network. */
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

  /** Ask for the chart's style again, as after a saved style was changed. */
  reload(): void {
    this.#isStale = true;
    this.#updateSoon();
  }

  /** Ask for user reports again, as after one was made. */
  refreshReports(): void {
    this.#view?.refreshReports();
  }

  #set(name: string, value: unknown): void {
    const text = attributeText(value);
    if (text === null) this.removeAttribute(name);
    else if (this.getAttribute(name) !== text || MOVING.has(name)) this.setAttribute(name, text);
  }

  /** Attributes that are set one after another are one change. */
  #updateSoon(): void {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    queueMicrotask(() => {
      this.#isUpdating = false;
      if (!this.isConnected || this.#frame === undefined) return;
      this.#view ??= this.#open(this.#frame);
      const faults = this.#faults();
      this.#frame.say('attributes', faults.length === 0 ? undefined : faults.join(' '));
      this.#view?.update(this.#settings(), { isMoved: this.#isMoved, isAnew: this.#isStale });
      this.#isMoved = false;
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
      const message = wordsOf('The chart cannot be drawn', error);
      frame.cover(message);
      this.#tell('leadline-error', { topic: 'drawing', error, message });
      return undefined;
    }
  }

  #settings(): Settings {
    const { baseUrl, token, region, parameters, follow, pick, reports, controls, draft } = this;
    const waypoints = readWaypoints(this.getAttribute('route') ?? '');
    return {
      baseUrl,
      token,
      region,
      parameters,
      follow,
      center: readPlace(this.getAttribute('center') ?? ''),
      zoom: numberOf(this.getAttribute('zoom')),
      hasPick: pick,
      hasReports: reports,
      hasControls: controls,
      route:
        waypoints === undefined
          ? undefined
          : { waypoints, ...(draft === undefined ? {} : { vessel: { draft } }) },
    };
  }

  /** What attributes say that is not understood here; parameters of the style the service refuses itself. */
  #faults(): string[] {
    const rules = [
      ['center', 'longitude and latitude with a comma', readPlace],
      ['zoom', 'a number', numberOf],
      ['draft', 'a number of metres', numberOf],
      ['route', 'two or more places, each longitude,latitude, with blanks between', readWaypoints],
    ] as const;
    return rules.flatMap(([name, wanted, read]) => {
      const text = this.getAttribute(name) ?? '';
      return text === '' || read(text) !== undefined ? [] : [`${name} is to be ${wanted}.`];
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

const isSet = (text: string | null): boolean => text !== null && text !== 'false';

function numberOf(text: string | null): number | undefined {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
