// The map and tools of an element while it is connected to a page.

import { LngLat, MapLibreMap, type MapOptions, NavigationControl, ScaleControl } from 'maplibre-gl';
import type { DepthUnits } from '../../../../shared/style/options.ts';
import { type Client, createClient } from '../index.ts';
import type { Region } from '../region.ts';
import type { RouteRequest } from '../wire.ts';
import { openChartStyle } from './chart-style.ts';
import { type ClickOrder, openClickOrder } from './click-order.ts';
import { colorControls } from './control-colors.ts';
import type { LeadlineChartEvents } from './events.ts';
import { type Frame, MAP_SLOT, type Topic } from './frame.ts';
import { lightOf } from './light.ts';
import { CHART_SOURCE, watchTiles } from './missing-tiles.ts';
import { clientOfRegion } from './offline-chart.ts';
import { type Follow, type OwnPosition, openOwnPosition } from './own-position.ts';
import { openOwnRoute } from './own-route.ts';
import type { ChartParameters } from './parameters.ts';
import { openPickReport } from './pick-report.ts';
import { positionButton } from './position-button.ts';
import { openReportPanel } from './report-panel.ts';
import { openReportPins } from './report-pins.ts';
import { isOfAllTiles, isPassing, wordsOf } from './words.ts';

/** Parsed attributes of the element. */
export interface Settings {
  readonly baseUrl: string;
  readonly token: string;
  /** Region file to use instead of the service. */
  readonly region: Region | undefined;
  readonly parameters: ChartParameters;
  readonly center: { readonly longitude: number; readonly latitude: number } | undefined;
  readonly zoom: number | undefined;
  readonly follow: Follow | undefined;
  readonly hasPick: boolean;
  readonly hasReports: boolean;
  readonly hasControls: boolean;
  readonly route: RouteRequest | undefined;
}

interface Handlers {
  /** Dispatches an event. @returns `false` if a listener prevented the default action */
  tell<Name extends keyof LeadlineChartEvents>(
    name: Name,
    detail: LeadlineChartEvents[Name],
  ): boolean;
  /** Element of the page for the pick report, if any. */
  pickPanel(): HTMLElement | undefined;
  setFollow(how: Follow | undefined): void;
}

export interface ChartView {
  readonly map: MapLibreMap;
  readonly clicks: ClickOrder;
  /** The client, or `undefined` if the settings are incomplete. */
  client(): Client | undefined;
  /** @param also forces a move to `center` or `zoom`, or a reload, without a change of settings */
  update(
    settings: Settings,
    also: { readonly moved: ReadonlySet<string>; readonly isAnew: boolean },
  ): void;
  setPosition(position: OwnPosition | undefined): void;
  refreshReports(): void;
  stop(): void;
}

const AGAIN_MS = 10_000;
const MAX_ZOOM = 20;
/** Width up to which MapLibre collapses controls. */
const NARROW_PIXELS = 640;
/** For a region file on a page without an origin. */
const NO_SERVICE = 'http://none';
/** Empty style until the chart is loaded. */
const EMPTY = { version: 8 as const, sources: {}, layers: [] };

/** @throws Error if the browser does not support WebGL */
export function openChartView(host: HTMLElement, frame: Frame, handlers: Handlers): ChartView {
  const container = document.createElement('div');
  container.slot = MAP_SLOT;
  host.append(container);
  const map = openMap({
    container,
    style: EMPTY,
    validateStyle: false,
    maxZoom: MAX_ZOOM,
    attributionControl: { compact: true },
    locale: { 'Map.Title': 'Nautical chart', 'ScaleControl.NauticalMiles': 'NM' },
    ...(wantsStillness() ? { fadeDuration: 0 } : {}),
  });
  foldAttribution(container);

  let settings: Settings | undefined;
  let client: Client | undefined;
  let isReady = false;
  let theme = 'day';
  /** The last request for the chart failed. */
  let isFailed = false;
  /** Sprites, glyphs or another shared resource failed to load. */
  let isBroken = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  const fail = (topic: Topic, what: string, error: unknown): string => {
    const message = wordsOf(what, error);
    handlers.tell('leadline-error', { topic, error, message });
    return message;
  };
  const knownClient = (): Client => {
    if (client === undefined) throw new Error('base-url and token are not set.');
    return client;
  };
  const light = () => lightOf(theme);
  const isNight = () => light() === 'night';

  const failChart = (error: unknown) => {
    isFailed = true;
    const message = fail('chart', 'The chart cannot be shown', error);
    if (isReady)
      frame.say('chart', `${message} The chart shown may be out of date.`, () => showChart());
    else frame.cover(message, () => showChart());
    clearTimeout(again);
    if (isPassing(error)) again = setTimeout(showChart, AGAIN_MS);
  };
  const style = openChartStyle(map, {
    asking: () => {
      if (!isReady) frame.cover('Loading chart…');
    },
    isBroken: () => isBroken,
    changing: ({ name }, isFresh) => {
      if (isFresh) {
        isBroken = false;
        frame.say('drawing', undefined);
      }
      // A saved style may set the theme.
      theme = /^Leadline ([\w-]+)$/.exec(name ?? '')?.[1] ?? 'day';
      frame.light(light());
      colorControls(container, light());
    },
    changed: () => handlers.tell('leadline-style', { map }),
    shown: () => {
      isFailed = false;
      clearTimeout(again);
      frame.cover(undefined);
      frame.say('chart', undefined);
      if (isReady) return;
      isReady = true;
      warnOfMissingStyles();
      handlers.tell('leadline-ready', { map });
    },
    failed: failChart,
  });
  /** Loads the chart. If no position is set, first moves the map to the charts. */
  const showChart = async (isAnew = true) => {
    clearTimeout(again);
    if (settings === undefined || client === undefined) return;
    const mine = client;
    try {
      if (!isReady && settings.center === undefined) await goToCharts(mine);
    } catch (error) {
      if (mine === client) failChart(error);
      return;
    }
    if (mine === client) await style.show(mine, settings.parameters, isAnew);
  };
  const goToCharts = async (of: Client) => {
    frame.cover('Loading chart…');
    const { center } = await of.charts.tileJson('enc-v2');
    if (center === undefined || settings?.center !== undefined || client !== of) return;
    const [longitude = 0, latitude = 0, zoom = 0] = center;
    map.jumpTo({ center: [longitude, latitude], zoom: settings?.zoom ?? fitted(container, zoom) });
  };
  const warnOfMissingStyles = () => {
    if (getComputedStyle(map.getCanvas()).position === 'absolute') return;
    const text = 'The MapLibre stylesheet is missing. Import maplibre-gl/dist/maplibre-gl.css.';
    frame.say('drawing', text);
  };

  let missingText = '';
  const tiles = watchTiles(map, {
    changed: (missing, error) => {
      const what = 'The hatched parts of the chart could not be loaded';
      if (error !== undefined) {
        const message = fail('tiles', what, error);
        missingText = isOfAllTiles(error) ? message : `${what}.`;
      }
      frame.say('tiles', missing === 0 ? undefined : missingText, () => tiles.retry());
    },
  });
  map.on('error', (event) => {
    if ('sourceId' in event && event.sourceId === CHART_SOURCE) return;
    // An error with a URL and without a source is a failed download of sprites or glyphs.
    isBroken ||= !('sourceId' in event) && 'url' in event.error;
    const what = isBroken
      ? 'Symbols or text on the chart may be missing'
      : 'A layer that was added to the chart could not be drawn';
    const text = fail('drawing', what, event.error);
    if (isBroken) frame.say('drawing', text, () => showChart());
  });

  const pins = openReportPins(map, {
    client: knownClient,
    shown: (isCut) =>
      frame.say(
        'reports',
        isCut ? 'Not all user reports are shown. Zoom in to see more.' : undefined,
      ),
    failed: (error) =>
      frame.say(
        'reports',
        fail('reports', 'User reports could not be loaded', error),
        pins.refresh,
      ),
  });
  /** Ends the listeners on objects that outlive the map. */
  const ending = new AbortController();
  const { signal } = ending;
  const reports = openReportPanel(
    map,
    frame.reportPanel,
    pins,
    (report) => handlers.tell('leadline-report', { report }),
    signal,
  );
  const pick = openPickReport(map, {
    signal,
    client: knownClient,
    isWanted: () => settings?.hasPick === true,
    panel: () => handlers.pickPanel() ?? frame.pickPanel,
    isNight,
    units: () => (map.getGlobalState()['depthUnits'] as DepthUnits | undefined) ?? 'meters',
    found: (at, answer) => {
      const { lng, lat } = at.wrap();
      return handlers.tell('leadline-pick', { ...answer, longitude: lng, latitude: lat });
    },
    failed: (error) => fail('pick', 'The pick report could not be loaded', error),
  });
  const tools = [reports, pick];
  const clicks = openClickOrder(map, tools);
  const position = openOwnPosition(map, {
    isNight,
    located: (at) => {
      frame.say('position', undefined);
      handlers.tell('leadline-position', at);
    },
    released: () => handlers.setFollow(undefined),
    failed: (error) =>
      frame.say('position', fail('position', 'Your position is not available', error)),
  });
  const route = openOwnRoute(map, {
    client: knownClient,
    light,
    answered: (answer) => {
      frame.say('route', answer.success ? undefined : `No route: ${answer.messages.join(' ')}`);
      handlers.tell('leadline-route', answer);
    },
    failed: (error) => frame.say('route', fail('route', 'The route could not be planned', error)),
  });

  const canvas = map.getCanvas();
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const lngLat = map.getCenter();
    const point = map.project(lngLat);
    const taker = tools.find((tool) => tool.take({ lngLat, point }));
    if (taker === undefined) return;
    event.preventDefault();
    clicks.enter(taker);
  });
  const showCrosshair = () => {
    const hasTools = settings?.hasPick === true || settings?.hasReports === true;
    frame.crosshair(hasTools && canvas.matches(':focus-visible'));
  };
  for (const name of ['focus', 'blur', 'keydown']) canvas.addEventListener(name, showCrosshair);

  const controls = [
    new NavigationControl({ visualizePitch: false }),
    positionButton(() =>
      handlers.setFollow(settings?.follow === undefined ? 'north-up' : undefined),
    ),
    new ScaleControl({ unit: 'nautical' }),
  ] as const;
  const showControls = (isWanted: boolean) => {
    for (const control of controls) {
      if (isWanted) map.addControl(control);
      else map.removeControl(control);
    }
  };

  const connect = (next: Settings) => {
    client = undefined;
    try {
      const { baseUrl, token, region } = next;
      if (token === '' && region === undefined) throw new Error('the token is not set.');
      // The origin of a page of a file is `null`.
      const address = region !== undefined && baseUrl === 'null' ? NO_SERVICE : baseUrl;
      const newClient = createClient({ address, token: token || 'none', retries: 1 });
      client = region === undefined ? newClient : clientOfRegion(newClient, region);
    } catch (error) {
      failChart(error);
    }
  };
  const online = () => {
    if (isFailed || isBroken) void showChart();
    tiles.retry();
    pins.refresh();
  };
  addEventListener('online', online, { signal });

  return {
    map,
    clicks,
    client: () => client,
    update: (next, { moved, isAnew }) => {
      const before = settings;
      settings = next;
      const isChanged = (name: keyof Settings) =>
        JSON.stringify(before?.[name]) !== JSON.stringify(next[name]);
      place(map, next, before === undefined ? ALL : moved);
      if (isChanged('hasControls') && (before !== undefined || next.hasControls)) {
        showControls(next.hasControls);
      }
      const isOther = isChanged('baseUrl') || isChanged('token') || before?.region !== next.region;
      if (isOther) connect(next);
      if (isOther || isAnew || isChanged('parameters')) void showChart(isAnew);
      if (isOther || isChanged('hasReports')) {
        frame.say('reports', undefined);
        pins.show(next.hasReports && client !== undefined, isOther);
      }
      if (isOther || isChanged('route')) {
        frame.say('route', undefined);
        route.plan(client === undefined ? undefined : next.route);
      }
      if (isChanged('follow')) {
        controls[1].show(next.follow !== undefined);
        position.follow(next.follow);
        if (before !== undefined || next.follow !== undefined) {
          handlers.tell('leadline-follow', { isFollowing: next.follow !== undefined });
        }
      }
      if (!next.hasPick) pick.makeRoom();
    },
    setPosition: position.set,
    refreshReports: pins.refresh,
    stop: () => {
      ending.abort();
      clearTimeout(again);
      // Later answers must not use the removed map.
      client = undefined;
      settings = undefined;
      pick.makeRoom();
      for (const part of [style, tiles, pins, position, route]) part.stop();
      map.remove();
      container.remove();
      frame.clear();
    },
  };
}

/** Leaves no empty container behind if the map cannot be opened. */
function openMap(options: MapOptions & { readonly container: HTMLElement }): MapLibreMap {
  try {
    return new MapLibreMap(options);
  } catch (error) {
    options.container.remove();
    throw error;
  }
}

const ALL: ReadonlySet<string> = new Set(['center', 'zoom']);

/** A change of the zoom must not move the chart back to an earlier centre. */
function place(map: MapLibreMap, { center, zoom }: Settings, moved: ReadonlySet<string>): void {
  if (moved.size === 0) return;
  map.jumpTo({
    ...(moved.has('center') && center && { center: new LngLat(center.longitude, center.latitude) }),
    ...(moved.has('zoom') && zoom !== undefined && { zoom }),
  });
}

/**
 * Collapses the attribution on narrow maps, where it would cover the chart. MapLibre expands it with the
 * first text, unless it has this class.
 */
function foldAttribution(container: HTMLElement): void {
  if (container.clientWidth > NARROW_PIXELS) return;
  container.querySelector('.maplibregl-ctrl-attrib')?.classList.add('maplibregl-compact');
}

/** Adapts a zoom for 512 pixels to the smaller side of a container. */
const fitted = ({ clientWidth, clientHeight }: HTMLElement, zoom: number): number =>
  zoom + Math.log2(Math.max(1, Math.min(clientWidth, clientHeight)) / 512);

/** Whether the user prefers reduced motion. Symbols then appear without fading. */
const wantsStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
