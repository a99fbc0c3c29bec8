// How old the chart is that is shown without a network, in words on the page.

import type { MapLibreMap } from 'maplibre-gl';
import { CHART_SOURCE } from '../../client/chart/missing-tiles.ts';
import type { FromServiceWorker } from './messages.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An age, as whole minutes, hours or days, rounded down. */
export function ageText(milliseconds: number): string {
  const several = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'} ago`;
  if (milliseconds < MINUTE_MS) return 'less than a minute ago';
  if (milliseconds < HOUR_MS) return several(Math.floor(milliseconds / MINUTE_MS), 'minute');
  if (milliseconds < DAY_MS) return several(Math.floor(milliseconds / HOUR_MS), 'hour');
  return several(Math.floor(milliseconds / DAY_MS), 'day');
}

export interface AgeMark {
  /** The map whose chart it is. */
  show(map: MapLibreMap): void;
}

/**
 * Listens from the beginning, as the first that is kept comes before there is a map.
 *
 * @param mark says how old the oldest is that is shown; hidden while all is as the service has it
 */
export function openAgeMark(mark: HTMLElement): AgeMark {
  let map: MapLibreMap | undefined;
  let oldest: number | undefined;
  const say = () => {
    mark.hidden = oldest === undefined;
    if (oldest === undefined) return;
    const when = new Date(oldest).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
    const text = `Offline: the chart as it was ${ageText(Date.now() - oldest)} (${when})`;
    // Only what differs is said, as it is read out.
    if (mark.textContent !== text) mark.textContent = text;
  };
  const heard = (message: FromServiceWorker | undefined) => {
    const isOld = message?.leadline === 'held' && oldest !== undefined;
    if (message?.leadline === 'kept' || isOld) {
      oldest = Math.min(oldest ?? Number.POSITIVE_INFINITY, message.keptAt);
      say();
    }
    if (message?.leadline === 'fresh' && oldest !== undefined) {
      oldest = undefined;
      say();
      // What still cannot be had is told again.
      if (map?.getSource(CHART_SOURCE) !== undefined) map.refreshTiles(CHART_SOURCE);
    }
  };
  navigator.serviceWorker?.addEventListener('message', ({ data }) => heard(data));
  navigator.serviceWorker?.startMessages();
  setInterval(say, MINUTE_MS);
  return {
    show: (shown) => {
      map = shown;
    },
  };
}
