// The chart that an element shows while it is part of a page: a map with its tools, kept as the element's
// settings say.

import { LngLat, MapLibreMap, NavigationControl, ScaleControl } from 'maplibre-gl';
import { type Client, createClient } from '../index.ts';
import type { Region } from '../region.ts';
import type { RouteQuestion } from '../wire.ts';
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
import { isPassing, wordsOf } from './words.ts';

/** What the element's attributes say, read. */
export interface Settings {
  readonly baseUrl: string;
  readonly token: string;
  /** A file that charts come from instead of the service. */
  readonly region: Region | undefined;
  readonly parameters: ChartParameters;
  readonly center: { readonly longitude: number; readonly latitude: number } | undefined;
  readonly zoom: number | undefined;
  readonly follow: Follow | undefined;
  readonly hasPick: boolean;
  readonly hasReports: boolean;
  readonly hasControls: boolean;
  readonly route: RouteQuestion | undefined;
}

interface Handlers {
  /** @returns whether the element does what it does by itself: no listener prevented it */
  tell<Name extends keyof LeadlineChartEvents>(
    name: Name,
    detail: LeadlineChartEvents[Name],
  ): boolean;
  /** Where a page wants answers to clicks, other than in the element. */
  pickPanel(): HTMLElement | undefined;
  setFollow(how: Follow | undefined): void;
}

export interface ChartView {
  readonly map: MapLibreMap;
  readonly clicks: ClickOrder;
  /** The client of the settings; undefined where they name no service. */
  client(): Client | undefined;
  /** @param also what is done whether or not it changed */
  update(settings: Settings, also: { readonly isMoved: boolean; readonly isAnew: boolean }): void;
  setPosition(position: OwnPosition | undefined): void;
  refreshReports(): void;
  stop(): void;
}

const AGAIN_MS = 10_000;
const MAX_ZOOM = 20;
/** As MapLibre's own limit for controls that fold. */
const NARROW_PIXELS = 640;
/** The whole world, until it is known where the charts are. */
const EMPTY = { version: 8 as const, sources: {}, layers: [] };

/** @throws Error where this browser cannot draw maps */
export function openChartView(host: HTMLElement, frame: Frame, handlers: Handlers): ChartView {
  const container = document.createElement('div');
  container.slot = MAP_SLOT;
  host.append(container);
  const map = new MapLibreMap({
    container,
    style: EMPTY,
    maxZoom: MAX_ZOOM,
    attributionControl: { compact: true },
    locale: { 'Map.Title': 'Nautical chart' },
    ...(wantsStillness() ? { fadeDuration: 0 } : {}),
  });
  foldAttribution(container);

  let settings: Settings | undefined;
  let client: Client | undefined;
  let isReady = false;
  let theme = 'day';
  /** The chart is not as it was asked for. */
  let isFailed = false;
  /** Symbols, or whatever else everything is drawn with, could not be loaded. */
  let isBroken = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  const fail = (topic: Topic, what: string, error: unknown): string => {
    const message = wordsOf(what, error);
    handlers.tell('leadline-error', { topic, error, message });
    return message;
  };
  const knownClient = (): Client => {
    if (client === undefined) throw new Error('No service is named.');
    return client;
  };
  const light = () => lightOf(theme);
  const isNight = () => light() === 'night';

  const failChart = (error: unknown) => {
    isFailed = true;
    const message = fail('chart', 'The chart cannot be shown', error);
    if (isReady) frame.say('chart', `${message} What you see is older.`, () => showChart());
    else frame.cover(message, () => showChart());
    clearTimeout(again);
    if (isPassing(error)) again = setTimeout(showChart, AGAIN_MS);
  };
  const style = openChartStyle(map, {
    asking: () => {
      if (!isReady) frame.cover('Loading the chart …');
    },
    isBroken: () => isBroken,
    changing: ({ name }, isFresh) => {
      if (isFresh) {
        isBroken = false;
        frame.say('drawing', undefined);
      }
      // A saved style may have chosen it.
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
  /** Ask for the chart as the settings have it: its place first, where none is said. */
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
    frame.cover('Loading the chart …');
    const { center } = await of.charts.tileJson('enc-v2');
    if (center === undefined || settings?.center !== undefined || client !== of) return;
    const [longitude = 0, latitude = 0, zoom = 0] = center;
    map.jumpTo({ center: [longitude, latitude], zoom: settings?.zoom ?? fitted(container, zoom) });
  };
  const warnOfMissingStyles = () => {
    if (getComputedStyle(map.getCanvas()).position === 'absolute') return;
    const text = 'MapLibre’s stylesheet is missing: import maplibre-gl/dist/maplibre-gl.css.';
    frame.say('drawing', text);
  };

  const tiles = watchTiles(map, {
    changed: (missing, error) => {
      const what = 'A part of the chart, hatched, cannot be loaded';
      if (error !== undefined) fail('tiles', what, error);
      frame.say('tiles', missing === 0 ? undefined : `${what}.`, () => tiles.retry());
    },
  });
  map.on('error', (event) => {
    if ('sourceId' in event && event.sourceId === CHART_SOURCE) return;
    // What belongs to no source is what all of them are drawn with; what was not fetched is an app's own.
    isBroken ||= !('sourceId' in event) && 'url' in event.error;
    const what = isBroken
      ? 'Symbols or letters of the chart may be missing'
      : 'Something that was added to the chart cannot be drawn';
    const text = fail('drawing', what, event.error);
    if (isBroken) frame.say('drawing', text, () => showChart());
  });

  const pins = openReportPins(map, {
    client: knownClient,
    shown: (isCut) =>
      frame.say('reports', isCut ? 'Not all user reports are shown: go nearer.' : undefined),
    failed: (error) =>
      frame.say('reports', fail('reports', 'User reports cannot be loaded', error), pins.refresh),
  });
  const reports = openReportPanel(map, frame.reportPanel, pins, (report) =>
    handlers.tell('leadline-report', { report }),
  );
  const pick = openPickReport(map, {
    client: knownClient,
    isWanted: () => settings?.hasPick === true,
    panel: () => handlers.pickPanel() ?? frame.pickPanel,
    isNight,
    found: ({ lng, lat }, answer) =>
      handlers.tell('leadline-pick', { ...answer, longitude: lng, latitude: lat }),
    failed: (error) => fail('pick', 'The chart cannot be asked', error),
  });
  const clicks = openClickOrder(map, [reports, pick]);
  const position = openOwnPosition(map, {
    isNight,
    located: (at) => {
      frame.say('position', undefined);
      handlers.tell('leadline-position', at);
    },
    released: () => handlers.setFollow(undefined),
    failed: (error) => {
      frame.say('position', fail('position', 'The position is not shown', error));
      handlers.setFollow(undefined);
    },
  });
  const route = openOwnRoute(map, {
    client: knownClient,
    light,
    answered: (answer) => {
      frame.say('route', answer.success ? undefined : `No route: ${answer.messages.join(' ')}`);
      handlers.tell('leadline-route', answer);
    },
    failed: (error) => frame.say('route', fail('route', 'The route cannot be planned', error)),
  });

  const canvas = map.getCanvas();
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || settings?.hasPick !== true) return;
    event.preventDefault();
    clicks.enter(pick);
    pick.askAt(map.getCenter().wrap());
  });
  const showCrosshair = () =>
    frame.crosshair(settings?.hasPick === true && canvas.matches(':focus-visible'));
  for (const name of ['focus', 'blur', 'keydown']) canvas.addEventListener(name, showCrosshair);

  const controls = [
    new NavigationControl({ visualizePitch: false }),
    positionButton(() =>
      handlers.setFollow(settings?.follow === undefined ? 'north-up' : undefined),
    ),
    new ScaleControl({ unit: 'nautical' }),
  ] as const;
  const showControls = (isWanted: boolean) => {
    controls.forEach((control, i) => {
      if (isWanted) map.addControl(control, i === 2 ? 'bottom-left' : 'top-right');
      else map.removeControl(control);
    });
  };

  const connect = (next: Settings) => {
    client = undefined;
    try {
      const { baseUrl: address, token, region } = next;
      if (token === '' && region === undefined) throw new Error('it has no token.');
      const asked = createClient({ address, token: token === '' ? 'none' : token, retries: 1 });
      client = region === undefined ? asked : clientOfRegion(asked, region);
    } catch (error) {
      failChart(error);
    }
  };
  const online = () => {
    if (isFailed || isBroken) void showChart();
    tiles.retry();
    pins.refresh();
  };
  addEventListener('online', online);

  return {
    map,
    clicks,
    client: () => client,
    update: (next, { isMoved, isAnew }) => {
      const before = settings;
      settings = next;
      const isChanged = (name: keyof Settings) =>
        JSON.stringify(before?.[name]) !== JSON.stringify(next[name]);
      if (isMoved || before === undefined) place(map, next);
      if (isChanged('hasControls') && (before !== undefined || next.hasControls)) {
        showControls(next.hasControls);
      }
      const isOther = isChanged('baseUrl') || isChanged('token') || before?.region !== next.region;
      if (isOther) connect(next);
      if (isOther || isAnew || isChanged('parameters')) void showChart(isAnew);
      if (isOther || isChanged('hasReports')) {
        pins.show(next.hasReports && client !== undefined);
        if (!next.hasReports) frame.say('reports', undefined);
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
      removeEventListener('online', online);
      clearTimeout(again);
      for (const part of [style, tiles, pins, position, route]) part.stop();
      map.remove();
      container.remove();
      frame.clear();
    },
  };
}

function place(map: MapLibreMap, { center, zoom }: Settings): void {
  map.jumpTo({
    ...(center === undefined ? {} : { center: new LngLat(center.longitude, center.latitude) }),
    ...(zoom === undefined ? {} : { zoom }),
  });
}

/**
 * Where there is little room, the attribution opens by its button: it would lie over the chart. MapLibre
 * opens it when the first text comes, unless it is marked as compact by then.
 */
function foldAttribution(container: HTMLElement): void {
  if (container.clientWidth > NARROW_PIXELS) return;
  container.querySelector('.maplibregl-ctrl-attrib')?.classList.add('maplibregl-compact');
}

/** A zoom that fits 512 pixels, for the smaller side of a container. */
const fitted = ({ clientWidth, clientHeight }: HTMLElement, zoom: number): number =>
  zoom + Math.log2(Math.max(1, Math.min(clientWidth, clientHeight)) / 512);

/** Whether the reader asked for as little motion as can be: marks then appear at once. */
const wantsStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
