// Keeps the known reports up to date while they are shown, for the area in view and a margin around it.
// While the database is down, it requests only /readyz, which usually does not fail then, so that the
// browser logs no errors.

import type { Map as ChartMap } from 'maplibre-gl';
import { type Box, boxOf, holds, isWithin } from '../../client/chart/box.ts';
import type { KnownReports } from './known-reports.ts';
import type { Position } from './report.ts';
import { Refusal, type ReportsClient } from './reports-client.ts';

const FRESH_MS = 30_000;
/** Interval of checks whether reports are available again. */
const DOWN_MS = 10_000;
/** Each consecutive error response doubles the interval, up to this many times. */
const MAX_DOUBLINGS = 5;
const TICK_MS = 2000;
/** Margin on every side, as a fraction of the view, so that a small pan needs no request. */
const MARGIN = 0.5;
/** Delay after the last movement of the map. */
const REST_MS = 300;

/**
 * `waiting`: no response yet; `fresh`: complete; `cut`: more reports than the response contains; `away`:
 * unavailable; `refused`: the token may not read reports; `none`: the service has no reports.
 */
export type FeedState = 'waiting' | 'fresh' | 'cut' | 'away' | 'refused' | 'none';

/** States of the feed by the status of an error response. All others mean that it is away. */
const STATES: Readonly<Record<number, FeedState>> = { 401: 'refused', 403: 'refused', 404: 'none' };
const isFinal = (state: FeedState): boolean => state === 'refused' || state === 'none';

interface ReportsFeed {
  refresh(): void;
  /** Whether all active reports at a position are known. */
  covers(position: Position): boolean;
}

export function openFeed(
  map: ChartMap,
  client: ReportsClient,
  known: KnownReports,
  isShown: () => boolean,
  tell: (state: FeedState) => void,
): ReportsFeed {
  let state: FeedState = 'waiting';
  let covered: Box | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  let isStale = false;
  let refusals = 0;
  /** Number of the newest request. Responses to older requests are ignored. */
  let newest = 0;
  const enter = (next: FeedState) => {
    state = next;
    tell(state);
  };

  const ask = async () => {
    if (isAsking) {
      isStale = true;
      return;
    }
    isAsking = true;
    isStale = false;
    askedAt = Date.now();
    const requestNumber = ++newest;
    try {
      const isUp = await client.isUp();
      if (requestNumber !== newest) return;
      if (!isUp) return enter('away');
      const box = boxOf(map, MARGIN);
      const { reports, isCut } = await client.list(box);
      if (requestNumber !== newest) return;
      covered = box;
      refusals = 0;
      enter(isCut ? 'cut' : 'fresh');
      known.takeList(reports, Date.now());
    } catch (error) {
      if (requestNumber !== newest) return;
      const status = error instanceof Refusal ? error.status : 0;
      if (status > 0) refusals++;
      enter(STATES[status] ?? 'away');
    } finally {
      if (requestNumber === newest) {
        isAsking = false;
        if (isStale) void ask();
      }
    }
  };
  const isDue = () => {
    const age = Date.now() - askedAt;
    if (isFinal(state)) return false;
    return age >= (state === 'away' ? DOWN_MS * 2 ** Math.min(refusals, MAX_DOUBLINGS) : FRESH_MS);
  };

  setInterval(() => {
    if (isShown() && !document.hidden && isDue()) void ask();
  }, TICK_MS);
  let rest: ReturnType<typeof setTimeout> | undefined;
  map.on('moveend', () => {
    clearTimeout(rest);
    rest = setTimeout(() => {
      if (!isShown() || isFinal(state) || state === 'away') return;
      if (state === 'cut' || covered === undefined || !isWithin(boxOf(map, 0), covered)) void ask();
    }, REST_MS);
  });
  addEventListener('online', () => {
    // A pending request would wait for its timeout on a lost connection.
    isAsking = false;
    refusals = 0;
    void ask();
  });
  if (isShown()) void ask();
  return {
    refresh: () => {
      if (!isFinal(state)) void ask();
    },
    covers: (position) => state === 'fresh' && covered !== undefined && holds(covered, position),
  };
}
