// The route tool: waypoints set by click, drag or keyboard, and the route that the service plans through
// them. It handles clicks on the chart and sends requests only while it is open.

import type { Map as ChartMap, MapMouseEvent } from 'maplibre-gl';
import { wrappedLongitude } from '../client/chart/box.ts';
import { lineOf, openRouteLayers } from '../client/chart/route-layers.ts';
import { wordsOf } from '../client/chart/words.ts';
import type { Client } from '../client/client.ts';
import { BadRequestError } from '../client/errors.ts';
import { downloadText } from './parts/download-text.ts';
import { openRoutePanel } from './route-panel.ts';
import { waypointsBefore } from './route-place.ts';
import { type RouteAnswer, type RouteFailure, requestOf } from './route-request.ts';
import { showVessel } from './route-vessel.ts';
import { openHandles, type Waypoint } from './route-waypoints.ts';
import { addToolButton, type DepthTool } from './tool-button.ts';

interface RouteToolHandlers {
  readonly charts: Client['charts'];
  /** The chosen depth units. */
  units(): string;
  /** Called when the tool is opened with its button, so that other tools can close. */
  entering(tool: DepthTool): void;
}

const BUTTON = {
  id: 'route-open',
  title: 'Plan a route',
  path: 'M5 19 8 10 16 13 19 5M3.5 19h3M6.5 10h3M14.5 13h3M17.5 5h3',
};
/** Id of the map source of the route. */
const ROUTE = 'route';
/** Maximum distance of a click from a leg to insert a waypoint into it. */
const REACH_PIXELS = 7;
/** Delay before a request: keys may move a waypoint many times a second. */
const PAUSE_MS = 250;

type Place = Pick<Waypoint, 'longitude' | 'latitude'>;

const isSamePlace = (a: Place, b: Place): boolean =>
  Math.abs(a.longitude - b.longitude) < 1e-6 && Math.abs(a.latitude - b.latitude) < 1e-6;

/** Details of a 400 response name fields of the request, which are for programs. */
const reasonOf = (error: unknown): string =>
  error instanceof BadRequestError
    ? 'The service does not accept a waypoint or a value of the vessel. Change them and try again.'
    : wordsOf('The route could not be planned', error);

export function openRouteTool(
  map: ChartMap,
  panel: HTMLElement,
  handlers: RouteToolHandlers,
): DepthTool {
  let waypoints: readonly Waypoint[] = [];
  let answer: RouteAnswer | undefined;
  /** Where the height of the tide was asked for. */
  let tidePlace: Place | undefined;
  let nextId = 1;
  let asking: AbortController | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const drawRoute = openRouteLayers(map, ROUTE, () => document.body.dataset['theme'] ?? 'day');

  const isOpen = () => !panel.hidden;
  const at = (longitude: number, latitude: number): Waypoint => ({
    id: nextId++,
    longitude: wrappedLongitude(longitude),
    latitude,
  });
  const replaced = (id: number, longitude: number, latitude: number) =>
    waypoints.map((one) =>
      one.id === id ? { id, latitude, longitude: wrappedLongitude(longitude) } : one,
    );
  const change = (next: readonly Waypoint[]) => {
    const [start] = next;
    if (start !== undefined && tidePlace !== undefined && !isSamePlace(start, tidePlace)) {
      vessel.forgetTide();
      tidePlace = undefined;
    }
    waypoints = next;
    plan();
  };
  const move = (id: number, longitude: number, latitude: number) =>
    change(replaced(id, longitude, latitude));
  const remove = (id: number) => change(waypoints.filter((one) => one.id !== id));
  const useNearest = ({ waypoint, nearest }: RouteFailure) => {
    const bad = waypoint === null ? undefined : waypoints[waypoint];
    if (bad !== undefined && nearest !== null) move(bad.id, nearest[1], nearest[0]);
  };

  const parts = openRoutePanel(panel, {
    close: () => {
      setOpen(false);
      opener.focus({ preventScroll: true });
    },
    addMiddle: () => {
      const { lng, lat } = map.getCenter();
      change([...waypoints, at(lng, lat)]);
    },
    reverse: () => change([...waypoints].reverse()),
    clear: () => change([]),
    exportGpx: () => {
      if (answer?.success && answer.gpx !== undefined) {
        downloadText(answer.gpx, 'leadline-route.gpx', 'application/gpx+xml');
      }
    },
    move,
    remove,
    useNearest,
    show: ([latitude, longitude]) => map.easeTo({ center: [longitude, latitude] }),
    units: handlers.units,
  });
  const vessel = showVessel(
    parts.vesselForm,
    () => plan(),
    (departure) => {
      const { lng, lat } = map.getCenter().wrap();
      tidePlace = waypoints[0] ?? { longitude: lng, latitude: lat };
      return handlers.charts.waterLevel(tidePlace, departure);
    },
  );
  const showHandles = openHandles(map, { move, remove });
  let showResult = () => {};

  const show = (result: Parameters<typeof parts.result>[0]) => {
    const failures = typeof result === 'object' && 'failures' in result ? result.failures : [];
    const shown = isOpen() ? waypoints : [];
    showHandles(shown, new Set(failures.flatMap(({ waypoint }) => waypoint ?? [])));
    parts.waypoints(waypoints);
    showResult = () => parts.result(result);
    showResult();
    const isFound = typeof result === 'object' && 'success' in result && result.success;
    drawRoute(isFound && isOpen() ? result : undefined);
  };
  /** Requests a route through the current waypoints and aborts an earlier request. */
  const plan = () => {
    asking?.abort();
    clearTimeout(pause);
    answer = undefined;
    const boat = vessel.vessel();
    if (boat === undefined) return show({ problem: vessel.faultText() });
    show(waypoints.length < 2 ? undefined : 'asking');
    if (waypoints.length < 2 || !isOpen()) return;
    const mine = new AbortController();
    asking = mine;
    pause = setTimeout(async () => {
      const { signal } = mine;
      try {
        const found = await handlers.charts.route(requestOf(waypoints, boat), { signal });
        if (signal.aborted) return;
        answer = found;
        show(found);
      } catch (error) {
        if (!signal.aborted) show({ problem: reasonOf(error) });
      }
    }, PAUSE_MS);
  };

  const answerAt = ({ lngLat, point }: MapMouseEvent) => {
    const reach = [
      [point.x - REACH_PIXELS, point.y - REACH_PIXELS],
      [point.x + REACH_PIXELS, point.y + REACH_PIXELS],
    ] as [[number, number], [number, number]];
    const isOnRoute =
      map.getLayer(lineOf(ROUTE)) !== undefined &&
      map.queryRenderedFeatures(reach, { layers: [lineOf(ROUTE)] }).length > 0;
    const place =
      isOnRoute && answer?.success
        ? waypointsBefore(point, answer.route, waypoints, (to) => map.project(to))
        : waypoints.length;
    change([...waypoints.slice(0, place), at(lngLat.lng, lngLat.lat), ...waypoints.slice(place)]);
  };

  const opener = addToolButton(map, BUTTON, () => {
    setOpen(!isOpen());
    if (!isOpen()) return;
    if (vessel.vessel() === undefined) vessel.focusFault();
    else panel.querySelector('button')?.focus({ preventScroll: true });
  });
  const setOpen = (isWanted: boolean) => {
    panel.hidden = !isWanted;
    opener.setAttribute('aria-expanded', String(isWanted));
    document.body.classList.toggle('routing', isWanted);
    if (isWanted) handlers.entering(tool);
    plan();
  };
  const tool: DepthTool = {
    take: (click) => {
      if (!isOpen()) return false;
      // Ignore clicks on a handle.
      if (click.originalEvent.target === map.getCanvas()) answerAt(click);
      return true;
    },
    // The waypoints are kept until the tool opens again.
    makeRoom: () => {
      if (isOpen()) setOpen(false);
    },
    redraw: () => showResult(),
  };
  return tool;
}
