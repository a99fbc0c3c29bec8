// Keeps the known reports fresh while they are shown: for the ground in view and some around it,
// again after a while, and at once when asked. While reports cannot be had only the service's own
// health is asked, which answers without failing, so that browsers have nothing to complain about.

import type { Map as ChartMap } from 'maplibre-gl';
import { type Box, boxOf, holds, isWithin } from '../../client/chart/box.ts';
import type { KnownReports } from './known-reports.ts';
import type { Position } from './report.ts';
import { Refusal, type ReportsClient } from './reports-client.ts';

const FRESH_MS = 30_000;
/** Between questions whether reports can be had again. */
const DOWN_MS = 10_000;
/** Each refusal in a row doubles the wait, as often as this: the service is well, but not for us. */
const MOST_DOUBLINGS = 5;
const TICK_MS = 2000;
/** Of the view, asked for on every side, so that a small pan asks nothing. */
const MARGIN = 0.5;
/** A moving map is not asked about until it rests. */
const REST_MS = 300;

/** How the reports shown came about. */
export type FeedState = 'waiting' | 'fresh' | 'cut' | 'away' | 'refused';

interface ReportsFeed {
  /** Ask again now. */
  refresh(): void;
  /** Whether every active report of a place is among the known ones. */
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
  /** Counts the questions; the answer to an older one is ignored. */
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
    const own = ++newest;
    try {
      const isUp = await client.isUp();
      if (own !== newest) return;
      if (!isUp) return enter('away');
      const box = boxOf(map, MARGIN);
      const { reports, isCut } = await client.list(box);
      if (own !== newest) return;
      covered = box;
      refusals = 0;
      enter(isCut ? 'cut' : 'fresh');
      known.takeList(reports, Date.now());
    } catch (error) {
      if (own !== newest) return;
      const status = error instanceof Refusal ? error.status : 0;
      if (status > 0) refusals++;
      enter([401, 403, 404].includes(status) ? 'refused' : 'away');
    } finally {
      if (own === newest) {
        isAsking = false;
        if (isStale) void ask();
      }
    }
  };
  const isDue = () => {
    const age = Date.now() - askedAt;
    if (state === 'refused') return false;
    return age >= (state === 'away' ? DOWN_MS * 2 ** Math.min(refusals, MOST_DOUBLINGS) : FRESH_MS);
  };

  setInterval(() => {
    if (isShown() && !document.hidden && isDue()) void ask();
  }, TICK_MS);
  let rest: ReturnType<typeof setTimeout> | undefined;
  map.on('moveend', () => {
    clearTimeout(rest);
    rest = setTimeout(() => {
      if (!isShown() || state === 'refused' || state === 'away') return;
      if (state === 'cut' || covered === undefined || !isWithin(boxOf(map, 0), covered)) void ask();
    }, REST_MS);
  });
  addEventListener('online', () => {
    // An unanswered question waits for a connection that is gone, until its time is over.
    isAsking = false;
    refusals = 0;
    void ask();
  });
  if (isShown()) void ask();
  return {
    refresh: () => {
      if (state !== 'refused') void ask();
    },
    covers: (position) => state === 'fresh' && covered !== undefined && holds(covered, position),
  };
}
