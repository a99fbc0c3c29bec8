// The measuring tool: points set by click, drag or keyboard, with the distance and course of the rhumb
// line (a straight line on the chart) between consecutive points.

import type { Map as ChartMap, MapMouseEvent, StyleSpecification } from 'maplibre-gl';
import { rhumbBetween } from '../../../shared/geo/rhumb.ts';
import { wrappedLongitude } from '../client/chart/box.ts';
import { button, closer, element } from '../client/chart/elements.ts';
import { type Collection, keepDrawn } from '../client/chart/keep-drawn.ts';
import { unrolled } from '../client/chart/route-layers.ts';
import { openDepthProfile, type ProfileHandlers } from './depth-profile.ts';
import { courseText } from './parts/course-text.ts';
import { buttons } from './parts/elements.ts';
import { milesText } from './parts/miles-text.ts';
import { openHandles, type Waypoint } from './route-waypoints.ts';
import { addToolButton, type DepthTool } from './tool-button.ts';

const BUTTON = {
  id: 'measure-open',
  title: 'Measure distance and course',
  path: 'M3 15 15 3l6 6L9 21zM7 11l2 2M10 8l3 3M13 5l2 2',
};
const SOURCE = 'measure';
const COLORS: Readonly<Record<string, readonly [line: string, casing: string]>> = {
  day: ['#5b2a86', '#ffffff'],
  dusk: ['#8d6bb0', '#10181d'],
  night: ['#46305c', '#050709'],
};

export function openMeasureTool(
  map: ChartMap,
  panel: HTMLElement,
  entering: (tool: DepthTool) => void,
  profiles: ProfileHandlers,
): DepthTool {
  let places: readonly Waypoint[] = [];
  let nextId = 1;
  const isOpen = () => !panel.hidden;
  const draw = keepDrawn(map, SOURCE, layers);
  const list = document.createElement('ol');
  const total = document.createElement('p');
  total.setAttribute('role', 'status');
  const depths = document.createElement('div');
  depths.setAttribute('aria-live', 'polite');
  const profile = openDepthProfile(depths, profiles);

  const change = (next: readonly Waypoint[]) => {
    places = next;
    show();
  };
  const add = (longitude: number, latitude: number) =>
    change([...places, { id: nextId++, longitude: wrappedLongitude(longitude), latitude }]);
  const showHandles = openHandles(map, {
    move: (id, longitude, latitude) =>
      change(
        places.map((one) =>
          one.id === id ? { id, latitude, longitude: wrappedLongitude(longitude) } : one,
        ),
      ),
    remove: (id) => change(places.filter((one) => one.id !== id)),
  });

  const show = () => {
    const shown = isOpen() ? places : [];
    showHandles(shown, new Set());
    profile.show(unrolled(shown.map(({ latitude, longitude }) => [latitude, longitude])));
    draw(shown.length < 2 ? undefined : lineThrough(shown));
    const legs = legsOf(places);
    list.replaceChildren(
      ...legs.map(({ meters, course }) =>
        element('li', `${milesText(meters)}, ${courseText(course)}`),
      ),
    );
    const meters = legs.reduce((sum, leg) => sum + leg.meters, 0);
    total.textContent = legs.length === 0 ? '' : `${milesText(meters)} in total`;
  };

  const setOpen = (isWanted: boolean) => {
    panel.hidden = !isWanted;
    opener.setAttribute('aria-expanded', String(isWanted));
    document.body.classList.toggle('measuring', isWanted);
    if (isWanted) entering(tool);
    show();
  };
  const close = () => {
    setOpen(false);
    opener.focus({ preventScroll: true });
  };
  const tool: DepthTool = {
    take: ({ originalEvent, lngLat }: MapMouseEvent) => {
      if (!isOpen()) return false;
      // Ignore clicks on a handle.
      if (originalEvent.target === map.getCanvas()) add(lngLat.lng, lngLat.lat);
      return true;
    },
    makeRoom: () => {
      if (isOpen()) setOpen(false);
    },
    redraw: profile.redraw,
  };
  fillPanel(
    panel,
    { list, total, depths },
    {
      close,
      addMiddle: () => {
        const { lng, lat } = map.getCenter();
        add(lng, lat);
      },
      clear: () => change([]),
    },
  );
  const opener = addToolButton(map, BUTTON, () => {
    setOpen(!isOpen());
    if (isOpen()) panel.querySelector('button')?.focus({ preventScroll: true });
  });
  return tool;
}

interface PanelHandlers {
  close(): void;
  addMiddle(): void;
  clear(): void;
}

function fillPanel(
  panel: HTMLElement,
  { list, total, depths }: Readonly<Record<'list' | 'total' | 'depths', HTMLElement>>,
  handlers: PanelHandlers,
): void {
  panel.replaceChildren(
    closer('Close the measuring tool', handlers.close),
    element('h2', 'Measure'),
    element('p', 'Click the chart to add a point. Drag a point to move it. Courses are true.'),
    list,
    total,
    depths,
    buttons(
      button('Add a point at the centre', handlers.addMiddle),
      button('Clear', handlers.clear),
    ),
    element('p', 'Not for navigation'),
  );
  panel.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') handlers.close();
  });
}

const legsOf = (places: readonly Waypoint[]) =>
  places.slice(1).map((to, i) => {
    const from = places[i]!;
    return rhumbBetween(from.longitude, from.latitude, to.longitude, to.latitude);
  });

const lineThrough = (places: readonly Waypoint[]): Collection => ({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: {},
      geometry: {
        type: 'LineString',
        coordinates: unrolled(places.map(({ latitude, longitude }) => [latitude, longitude])),
      },
    },
  ],
});

function layers(): StyleSpecification['layers'] {
  const [line, casing] = COLORS[document.body.dataset['theme'] ?? 'day'] ?? COLORS['day']!;
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const common = { source: SOURCE, type: 'line', layout } as const;
  return [
    { id: `${SOURCE}-casing`, ...common, paint: { 'line-color': casing, 'line-width': 5 } },
    { id: `${SOURCE}-line`, ...common, paint: { 'line-color': line, 'line-width': 2 } },
  ];
}
