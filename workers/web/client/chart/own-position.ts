// Shows the position of the vessel, from the device or from the app's own receiver, with its accuracy,
// course and age.

import { type LayerSpecification, type MapLibreMap, Marker } from 'maplibre-gl';
import { element, shape } from './elements.ts';
import { type Collection, keepDrawn } from './keep-drawn.ts';

/** Position in degrees (WGS 84), accuracy in metres, course in degrees true, speed in m/s. */
export interface OwnPosition {
  readonly longitude: number;
  readonly latitude: number;
  /** Radius of the 95 % confidence circle. */
  readonly accuracy?: number | undefined;
  /** Course over ground. */
  readonly course?: number | undefined;
  readonly speed?: number | undefined;
}

export type Follow = 'north-up' | 'course-up';

interface Handlers {
  located(position: OwnPosition): void;
  /** The map must not follow the position: it was moved, or there will be no position. */
  released(): void;
  failed(error: unknown): void;
  isNight(): boolean;
}

export interface OwnPositionTool {
  /** Starts or stops following. Uses the position of the device unless the app sets one. */
  follow(how: Follow | undefined): void;
  /** Sets a position from the app's own receiver, or none if `undefined`. */
  set(position: OwnPosition | undefined): void;
  stop(): void;
}

const SOURCE = 'leadline-position';
/** Age from which a position is shown as out of date. */
const STALE_MS = 15_000;
/** Length of the course line in time. */
const PREDICTION_SECONDS = 360;
/** Minimum speed in m/s for a reliable course. */
const STEADY_SPEED = 0.5;
const EARTH_METERS_PER_DEGREE = 111_195;
const FOLLOW_ZOOM = 13;
/** Rounding moves the centre in a zoom or a change of size. A pixel at zoom 20 has 0.03 m. */
const ROUNDING_METERS = 0.01;

export function openOwnPosition(map: MapLibreMap, handlers: Handlers): OwnPositionTool {
  let following: Follow | undefined;
  let watch: number | undefined;
  let isOfApp = false;
  let isFirst = true;
  let stale: ReturnType<typeof setTimeout> | undefined;
  let isShown = false;
  const boat = boatIcon();
  const marker = new Marker({ element: boat.element, rotationAlignment: 'map' });

  const draw = keepDrawn(map, SOURCE, () => layersOf(handlers.isNight()));
  const show = (position: OwnPosition | undefined) => {
    clearTimeout(stale);
    isShown = position !== undefined;
    draw(position && groundOf(position));
    if (position === undefined) {
      marker.remove();
      return;
    }
    const { longitude, latitude } = position;
    const course = steadyCourse(position);
    boat.show(course !== undefined, false);
    marker
      .setLngLat([longitude, latitude])
      .setRotation(course ?? 0)
      .addTo(map);
    stale = setTimeout(() => boat.show(course !== undefined, true), STALE_MS);
    handlers.located(position);
    if (following !== undefined) center(position);
  };
  const center = (position: OwnPosition) => {
    const course = steadyCourse(position);
    map.easeTo(
      {
        center: [position.longitude, position.latitude],
        // Only the first move may zoom in.
        ...(isFirst && map.getZoom() < FOLLOW_ZOOM ? { zoom: FOLLOW_ZOOM } : {}),
        ...(following === 'north-up' ? { bearing: 0 } : {}),
        ...(following === 'course-up' && course !== undefined ? { bearing: course } : {}),
        duration: 500,
      },
      { isOfFollow: true },
    );
    isFirst = false;
  };
  const endWatch = () => {
    if (watch !== undefined) navigator.geolocation.clearWatch(watch);
    watch = undefined;
  };
  const beginWatch = () => {
    if (watch !== undefined || isOfApp) return;
    if (!('geolocation' in navigator)) {
      handlers.released();
      return handlers.failed(new Error('this device does not provide its position.'));
    }
    watch = navigator.geolocation.watchPosition(
      ({ coords: { longitude, latitude, accuracy, heading, speed } }) =>
        show({
          longitude,
          latitude,
          accuracy,
          course: heading === null || Number.isNaN(heading) ? undefined : heading,
          speed: speed ?? undefined,
        }),
      (error) => {
        // After other errors the watch continues.
        if (error.code === error.PERMISSION_DENIED) {
          endWatch();
          handlers.released();
        }
        handlers.failed(new Error(wordsOf(error), { cause: error }));
      },
      { enableHighAccuracy: true, maximumAge: 1000 },
    );
  };
  const release = () => {
    if (following !== undefined) handlers.released();
  };
  map.on('dragstart', release);
  map.on('boxzoomend', release);
  const here = () => ({ center: map.getCenter(), zoom: map.getZoom() });
  let last = here();
  map.on('move', (event) => {
    const before = last;
    last = here();
    const isSame = before.center.distanceTo(last.center) < ROUNDING_METERS;
    if ('isOfFollow' in event || isSame) return;
    // A zoom with the pointer or fingers moves the centre too. Drags are handled above.
    const isClickZoom = event.originalEvent !== undefined && before.zoom !== last.zoom;
    const isZoom = map.scrollZoom.isActive() || map.touchZoomRotate.isActive() || isClickZoom;
    if (!isZoom) release();
  });
  // The event of the last frame of a movement may be left out.
  map.on('moveend', () => {
    last = here();
  });
  return {
    follow: (how) => {
      following = how;
      isFirst = true;
      if (how !== undefined) beginWatch();
      const last = isShown ? marker.getLngLat() : undefined;
      if (how !== undefined && last !== undefined) {
        center({ longitude: last.lng, latitude: last.lat });
      }
    },
    set: (position) => {
      isOfApp = position !== undefined;
      if (isOfApp) endWatch();
      show(position);
      if (!isOfApp && following !== undefined) beginWatch();
    },
    stop: () => {
      endWatch();
      clearTimeout(stale);
    },
  };
}

function wordsOf({ code, PERMISSION_DENIED }: GeolocationPositionError): string {
  return code === PERMISSION_DENIED
    ? 'location access is blocked. Allow it in the browser settings.'
    : 'the device could not determine its position.';
}

const steadyCourse = ({ course, speed }: OwnPosition): number | undefined =>
  course !== undefined && (speed === undefined || speed >= STEADY_SPEED) ? course : undefined;

/** The accuracy circle and the course line. */
function groundOf(position: OwnPosition): Collection {
  const { longitude, latitude, accuracy, speed } = position;
  const at = (meters: number, bearing: number): [number, number] => {
    const angle = (bearing * Math.PI) / 180;
    const north = (meters * Math.cos(angle)) / EARTH_METERS_PER_DEGREE;
    const shrink = Math.max(Math.cos((latitude * Math.PI) / 180), 1e-6);
    const east = (meters * Math.sin(angle)) / EARTH_METERS_PER_DEGREE / shrink;
    return [longitude + east, latitude + north];
  };
  const course = steadyCourse(position);
  const ring = Array.from({ length: 49 }, (_, i) => at(accuracy ?? 0, (i % 48) * -7.5));
  const line = [[longitude, latitude] as const, at((speed ?? 0) * PREDICTION_SECONDS, course ?? 0)];
  return {
    type: 'FeatureCollection',
    features: [
      feature({ type: 'Polygon', coordinates: [ring] }),
      ...(course === undefined || (speed ?? 0) === 0
        ? []
        : [feature({ type: 'LineString', coordinates: line.map((place) => [...place]) })]),
    ],
  };
}

type Feature = Extract<Collection, { type: 'FeatureCollection' }>['features'][number];
const feature = (geometry: Feature['geometry']): Feature => ({
  type: 'Feature',
  properties: {},
  geometry,
});

function layersOf(isNight: boolean): LayerSpecification[] {
  const color = isNight ? '#8a4a2a' : FRESH_COLOR;
  return [
    {
      id: `${SOURCE}-accuracy`,
      source: SOURCE,
      type: 'fill',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': color, 'fill-opacity': 0.15 },
    },
    {
      id: `${SOURCE}-course`,
      source: SOURCE,
      type: 'line',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': color, 'line-width': 2 },
    },
  ];
}

const FRESH_COLOR = '#d4551a';
const STALE_COLOR = '#7d7d7d';

interface Boat {
  readonly element: HTMLElement;
  /** @param hasCourse shows a hull that points along the course instead of a ring */
  show(hasCourse: boolean, isStale: boolean): void;
}

/** Styled inline, because the page has no styles for it. */
function boatIcon(): Boat {
  const boat = element('div');
  boat.className = 'leadline-position';
  boat.setAttribute('role', 'img');
  const icon = shape('svg', { viewBox: '-12 -14 24 28', width: 24, height: 28 });
  const line = { stroke: '#fff', 'stroke-width': 1.5 };
  const hull = shape('path', { ...line, d: 'M0-12C5-6 6 0 6 10H-6C-6 0-5-6 0-12Z' });
  const ring = shape('circle', { ...line, r: 6 });
  icon.append(hull, ring);
  boat.append(icon);
  return {
    element: boat,
    show: (hasCourse, isStale) => {
      hull.style.display = hasCourse ? '' : 'none';
      ring.style.display = hasCourse ? 'none' : '';
      icon.setAttribute('fill', isStale ? STALE_COLOR : FRESH_COLOR);
      boat.dataset['stale'] = String(isStale);
      boat.setAttribute('aria-label', isStale ? 'Own position, out of date' : 'Own position');
    },
  };
}
