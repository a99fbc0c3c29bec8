// When the page requests reports, also after moves of the map and while reports are unavailable.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openKnownReports } from '../../../workers/web/chart/reports/known-reports.ts';
import { Refusal, type ReportsClient } from '../../../workers/web/chart/reports/reports-client.ts';
import { type FeedState, openFeed } from '../../../workers/web/chart/reports/reports-feed.ts';

const later = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

function feedOf(isUp: () => boolean, refuse: () => number | undefined = () => undefined) {
  let west = 10;
  let moved = () => {};
  const map = {
    on: (_: string, listener: () => void) => {
      moved = listener;
    },
    getBounds: () => ({
      getWest: () => west,
      getEast: () => west + 2,
      getSouth: () => 50,
      getNorth: () => 51,
    }),
  } as never;
  const asked: string[] = [];
  const states: FeedState[] = [];
  let isCut = false;
  const client = {
    isUp: async () => {
      asked.push('up?');
      return isUp();
    },
    list: async () => {
      asked.push('list');
      const status = refuse();
      if (status !== undefined) throw new Refusal('No.', status);
      return { reports: [], isCut };
    },
  } as Partial<ReportsClient> as ReportsClient;
  const feed = openFeed(
    map,
    client,
    openKnownReports(),
    () => true,
    (state) => states.push(state),
  );
  return {
    feed,
    states,
    /** Requests since the last call. */
    asked: () => asked.splice(0),
    pan: (degrees: number) => {
      west += degrees;
      moved();
    },
    cut: () => {
      isCut = true;
    },
  };
}

describe('the feed of reports', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('document', { hidden: false });
    vi.stubGlobal('addEventListener', () => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('the feed of reports sends a request at once, and then twice a minute', async () => {
    const { asked, states } = feedOf(() => true);
    await later(1);
    expect(asked()).toEqual(['up?', 'list']);
    await later(63);
    expect(asked()).toEqual(['up?', 'list', 'up?', 'list']);
    expect(new Set(states)).toEqual(new Set(['fresh']));
  });

  test('the feed of reports sends no requests while the page is hidden', async () => {
    const { asked } = feedOf(() => true);
    await later(1);
    asked();
    vi.stubGlobal('document', { hidden: true });
    await later(300);
    expect(asked()).toEqual([]);
  });

  test('the feed of reports sends a request as soon as the browser is online, also if a request hangs', async () => {
    const listeners: (() => void)[] = [];
    vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
      if (name === 'online') listeners.push(listener);
    });
    let hangs = true;
    let answerLate = () => {};
    let lists = 0;
    const states: FeedState[] = [];
    const map = {
      on: () => undefined,
      getBounds: () => ({
        getWest: () => 0,
        getEast: () => 1,
        getSouth: () => 0,
        getNorth: () => 1,
      }),
    } as never;
    const client = {
      isUp: () =>
        hangs
          ? new Promise<boolean>((done) => {
              answerLate = () => done(false);
            })
          : Promise.resolve(true),
      list: async () => {
        lists++;
        return { reports: [], isCut: false };
      },
    } as Partial<ReportsClient> as ReportsClient;
    openFeed(
      map,
      client,
      openKnownReports(),
      () => true,
      (state) => states.push(state),
    );
    await later(1);
    hangs = false;
    for (const listener of listeners) listener();
    await later(0);
    expect([lists, states.at(-1)]).toEqual([1, 'fresh']);
    answerLate();
    await later(1);
    expect([lists, states.at(-1)]).toEqual([1, 'fresh']);
  });

  test('the feed of reports forgets earlier refusals when the browser is online again', async () => {
    const listeners: (() => void)[] = [];
    vi.stubGlobal('addEventListener', (_: string, listener: () => void) =>
      listeners.push(listener),
    );
    let status: number | undefined = 503;
    const { asked } = feedOf(
      () => true,
      () => status,
    );
    await later(200);
    asked();
    for (const listener of listeners) listener();
    await later(1);
    expect(asked()).toEqual(['up?', 'list']);
    status = undefined;
    await later(25);
    expect(asked()).toContain('list');
  });

  test('requests the list after a large pan, not after a small one unless the list was incomplete', async () => {
    const { asked, pan, cut, states } = feedOf(() => true);
    await later(1);
    asked();
    pan(0.5);
    await later(1);
    expect(asked()).toEqual([]);
    cut();
    pan(3);
    await later(1);
    expect(asked()).toEqual(['up?', 'list']);
    expect(states.at(-1)).toBe('cut');
    pan(0.1);
    await later(1);
    expect(asked()).toEqual(['up?', 'list']);
  });

  test('the feed of reports requests only health while the database is down, then the list', async () => {
    let isUp = false;
    const { asked, states, feed } = feedOf(() => isUp);
    await later(25);
    expect(asked()).toEqual(['up?', 'up?', 'up?']);
    expect(states.at(-1)).toBe('away');
    expect(feed.covers({ latitude: 50.5, longitude: 11 })).toBe(false);
    isUp = true;
    await later(12);
    expect(asked()).toEqual(['up?', 'list']);
    expect(states.at(-1)).toBe('fresh');
    expect(feed.covers({ latitude: 50.5, longitude: 11 })).toBe(true);
    expect(feed.covers({ latitude: 50.5, longitude: 21 })).toBe(false);
  });

  test('the feed of reports sends no more requests if the service has no reports', async () => {
    const { asked, states } = feedOf(
      () => true,
      () => 404,
    );
    await later(100);
    expect(asked()).toEqual(['up?', 'list']);
    expect(states).toEqual(['none']);
  });

  test('requests a list that fails at growing intervals, and a rejected one not again', async () => {
    let status: number | undefined = 503;
    const { asked, states, feed } = feedOf(
      () => true,
      () => status,
    );
    await later(600);
    const lists = asked().filter((what) => what === 'list').length;
    expect(lists).toBeGreaterThan(2);
    expect(lists).toBeLessThan(8);
    status = 403;
    await later(400);
    asked();
    expect(states.at(-1)).toBe('refused');
    feed.refresh();
    await later(600);
    expect(asked()).toEqual([]);
  });
});
