// Shows the age of the chart while it comes from the offline cache.

import type { MapLibreMap } from 'maplibre-gl';
import { CHART_SOURCE } from '../../client/chart/missing-tiles.ts';
import type { FromServiceWorker } from './messages.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats an age in whole minutes, hours or days, rounded down. */
export function ageText(milliseconds: number): string {
  const several = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'} ago`;
  if (milliseconds < MINUTE_MS) return 'less than a minute ago';
  if (milliseconds < HOUR_MS) return several(Math.floor(milliseconds / MINUTE_MS), 'minute');
  if (milliseconds < DAY_MS) return several(Math.floor(milliseconds / HOUR_MS), 'hour');
  return several(Math.floor(milliseconds / DAY_MS), 'day');
}

export interface AgeMark {
  /** Sets the map whose tiles to refresh when the network is back. */
  show(map: MapLibreMap): void;
}

/**
 * Starts listening to the service worker. Call it before the map exists, because the first cached response
 * arrives before that.
 *
 * @param mark shows the age of the oldest cached response in use; hidden if no cached response is in use
 */
export function openAgeMark(mark: HTMLElement): AgeMark {
  let map: MapLibreMap | undefined;
  let oldest: number | undefined;
  const say = () => {
    mark.hidden = oldest === undefined;
    if (oldest === undefined) return;
    const when = new Date(oldest).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
    const text = `Offline: chart saved ${ageText(Date.now() - oldest)} (${when})`;
    // Screen readers announce every assignment.
    if (mark.textContent !== text) mark.textContent = text;
  };
  const onMessage = (message: FromServiceWorker | undefined) => {
    const isOld = message?.leadline === 'held' && oldest !== undefined;
    if (message?.leadline === 'kept' || isOld) {
      oldest = Math.min(oldest ?? Number.POSITIVE_INFINITY, message.keptAt);
      say();
    }
    if (message?.leadline === 'fresh' && oldest !== undefined) {
      oldest = undefined;
      say();
      // Tiles that still fail are reported again.
      if (map?.getSource(CHART_SOURCE) !== undefined) map.refreshTiles(CHART_SOURCE);
    }
  };
  navigator.serviceWorker?.addEventListener('message', ({ data }) => onMessage(data));
  navigator.serviceWorker?.startMessages();
  setInterval(say, MINUTE_MS);
  return {
    show: (shown) => {
      map = shown;
    },
  };
}
