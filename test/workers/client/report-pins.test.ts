// The user reports of a chart element, and the panel of one report.

import { describe, expect, it, vi } from 'vitest';
import { openReportPanel } from '../../../workers/web/client/chart/report-panel.ts';
import { openReportPins } from '../../../workers/web/client/chart/report-pins.ts';
import type { Client } from '../../../workers/web/client/client.ts';

const REPORT = { id: 'a', reportType: 'hazard', latitude: 1, longitude: 2 };

describe('the user reports of a chart element', () => {
  it('removes the reports of the former client at once, and ignores its late response', async () => {
    let data: { features: unknown[] } | undefined;
    const source = {
      setData: (next: typeof data) => {
        data = next;
      },
    };
    let isAdded = false;
    const map = {
      on: () => undefined,
      getStyle: () => ({}),
      getSource: () => (isAdded ? source : undefined),
      addSource: (_: string, options: { data: typeof data }) => {
        isAdded = true;
        data = options.data;
      },
      addLayer: () => undefined,
      getBounds: () => ({
        getWest: () => 0,
        getEast: () => 1,
        getSouth: () => 0,
        getNorth: () => 1,
      }),
    };
    const answers: ((reports: readonly unknown[]) => void)[] = [];
    const signals: AbortSignal[] = [];
    const client = {
      reports: {
        list: (_: unknown, { signal }: { signal: AbortSignal }) =>
          new Promise((done) => {
            signals.push(signal);
            answers.push((reports) => done({ reports, nextCursor: null }));
          }),
      },
    } as never as Client;
    const pins = openReportPins(map as never, {
      client: () => client,
      shown: () => undefined,
      failed: () => undefined,
    });
    const drawn = () => data?.features.length;
    pins.show(true, true);
    answers[0]!([REPORT]);
    await vi.waitFor(() => expect(drawn()).toBe(1));
    pins.refresh();
    pins.show(true, true);
    expect(drawn()).toBe(0);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    answers[1]!([REPORT]);
    await Promise.resolve();
    expect(drawn()).toBe(0);
    answers[2]!([REPORT]);
    await vi.waitFor(() => expect(drawn()).toBe(1));
    pins.stop();
  });
});

describe('the panel of a report', () => {
  it('ignores its keys when its chart is removed', () => {
    const panel = Object.assign(new EventTarget(), { hidden: false });
    const focus = vi.fn();
    const map = { getCanvas: () => ({ focus }) };
    const ending = new AbortController();
    openReportPanel(map as never, panel as never, {} as never, () => true, ending.signal);
    const pressEscape = () =>
      panel.dispatchEvent(Object.assign(new Event('keydown'), { key: 'Escape' }));
    ending.abort();
    pressEscape();
    expect([panel.hidden, focus.mock.calls.length]).toEqual([false, 0]);
  });
});
