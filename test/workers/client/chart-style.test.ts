// Which changes use the state of the current style document, and which load a new one. The map double keeps
// a style and its state like MapLibre.

import type { MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { describe, expect, test } from 'vitest';
import { openChartStyle } from '../../../workers/web/client/chart/chart-style.ts';
import type { ChartParameters } from '../../../workers/web/client/chart/parameters.ts';
import type { Client } from '../../../workers/web/client/client.ts';

/** Waits until the double of the service has answered. */
const answered = () => new Promise((done) => setImmediate(done));

function openBench() {
  let style: StyleSpecification | undefined;
  const state: Record<string, unknown> = {};
  let isReading = false;
  let read: (() => void) | undefined;
  const map = {
    getStyle: () => (isReading ? undefined : style),
    once: (_: string, done: () => void) => {
      read = done;
    },
    setStyle: (next: StyleSpecification) => {
      style = next;
      for (const [name, { default: value }] of Object.entries(next.state ?? {}))
        state[name] = value;
    },
    setGlobalStateProperty: (name: string, value: unknown) => {
      if (style === undefined) throw new Error('Style is not done loading.');
      state[name] = value;
    },
  } as unknown as MapLibreMap;
  const asked: Record<string, unknown>[] = [];
  let isDown = false;
  let shown = 0;
  const failures: unknown[] = [];
  const fresh: boolean[] = [];
  let isBroken = false;
  const client = {
    charts: {
      style: async (parameters: ChartParameters, { signal }: { signal: AbortSignal }) => {
        asked.push({ ...parameters });
        await Promise.resolve();
        signal.throwIfAborted();
        if (isDown) throw new Error('away');
        const {
          depthLimit = 3,
          depthUnits = 'meters',
          lightText = true,
          theme = 'day',
        } = parameters;
        return {
          version: 8,
          name: `Leadline ${theme}`,
          state: {
            depthLimit: { default: depthLimit },
            depthUnits: { default: depthUnits },
            lightText: { default: lightText },
          },
          sources: {},
          layers: [],
        };
      },
    },
  } as unknown as Client;
  const chart = openChartStyle(map, {
    asking: () => {},
    changing: (_, isFresh) => fresh.push(isFresh),
    isBroken: () => isBroken,
    changed: () => {},
    shown: () => {
      shown++;
    },
    failed: (error) => failures.push(error),
  });
  return {
    show: (parameters: ChartParameters, isAnew = false) => chart.show(client, parameters, isAnew),
    /** An app replaces the document by one with other initial values. */
    preview: (defaults: Readonly<Record<string, unknown>>) =>
      map.setStyle({
        ...style!,
        state: Object.fromEntries(
          Object.entries(defaults).map(([name, value]) => [name, { default: value }]),
        ),
      }),
    state,
    asked,
    failures,
    fresh,
    setBroken: (next: boolean) => {
      isBroken = next;
    },
    shown: () => shown,
    name: () => style?.name,
    /** MapLibre reads a document in the next frame unless it can apply a diff. */
    setReading: (next: boolean) => {
      isReading = next;
      if (!next) read?.();
    },
    setDown: (next: boolean) => {
      isDown = next;
    },
  };
}

describe('the style of a chart', () => {
  test('changes safety depth, units and toggles by state, and returns to the defaults of the service', async () => {
    const { show, state, asked, shown } = openBench();
    await show({});
    expect(asked).toEqual([{ live: true, showUserReports: false }]);
    await show({ depthLimit: 12, depthUnits: 'feet', lightText: false });
    expect(state).toEqual({ depthLimit: 12, depthUnits: 'feet', lightText: false });
    await show({ depthUnits: 'feet' });
    expect(state).toEqual({ depthLimit: 3, depthUnits: 'feet', lightText: true });
    expect(asked).toHaveLength(1);
    expect(shown()).toBe(3);
  });

  test('returns to the defaults of the service after a preview', async () => {
    const { show, state, asked, preview } = openBench();
    await show({});
    await show({ depthLimit: 12, depthUnits: 'feet' });
    preview({ depthLimit: 12, depthUnits: 'feet', lightText: true });
    await show({});
    expect(state).toEqual({ depthLimit: 3, depthUnits: 'meters', lightText: true });
    expect(asked).toHaveLength(1);
  });

  test('undoes a change while the document with that change is still loading', async () => {
    const { show, asked, name, setReading } = openBench();
    await show({});
    setReading(true);
    void show({ theme: 'night' }, true);
    await answered();
    expect(name()).toBe('Leadline night');
    void show({});
    await answered();
    setReading(false);
    expect([name(), asked.length]).toEqual(['Leadline day', 3]);
  });

  test('does not contact the service when an option returns to its default', async () => {
    const { show, state, asked } = openBench();
    await show({ depthLimit: 9 });
    await show({});
    expect(asked).toHaveLength(1);
    expect(state['depthLimit']).toBe(3);
  });

  test('requests the same document for all values of live options, which an offline cache contains', async () => {
    const { show, state, asked } = openBench();
    await show({ theme: 'night', depthLimit: 5, depthUnits: 'feet', lightText: false });
    expect(asked).toEqual([{ theme: 'night', live: true, showUserReports: false }]);
    expect(state).toEqual({ depthLimit: 5, depthUnits: 'feet', lightText: false });
    await show({ theme: 'dusk', depthLimit: 5 });
    expect(state).toEqual({ depthLimit: 5, depthUnits: 'meters', lightText: true });
    await show({ theme: 'dusk' });
    expect([state['depthLimit'], asked.length]).toEqual([3, 2]);
  });

  test('requests a live option that the state of the document does not contain', async () => {
    const { show, state, asked } = openBench();
    await show({ depthLimit: 5, fullNames: true });
    expect(asked.at(-1)).toEqual({
      depthLimit: 5,
      fullNames: true,
      live: true,
      showUserReports: false,
    });
    expect(state['depthLimit']).toBe(5);
  });

  test.each([
    { depthLimit: 'deep' },
    { depthLimit: Number.NaN },
    { depthLimit: 99_999 },
    { depthUnits: 'furlongs' },
    { lightText: 'yes' },
  ])('asks the service about an option that may be invalid: %j', async (wrong) => {
    const { show, state, asked, setDown } = openBench();
    await show({});
    setDown(true);
    await show(wrong as unknown as ChartParameters);
    expect(asked.at(-1)).toEqual({ ...wrong, live: true, showUserReports: false });
    expect(state).toEqual({ depthLimit: 3, depthUnits: 'meters', lightText: true });
  });

  test('keeps the safety depth when the theme changes, and uses the default of the new theme after a reset', async () => {
    const { show, state, asked, name } = openBench();
    await show({});
    await show({ depthLimit: 8 });
    await show({ theme: 'night', depthLimit: 8 });
    expect([name(), state['depthLimit']]).toEqual(['Leadline night', 8]);
    await show({ theme: 'night', depthLimit: 6 });
    await show({ depthLimit: 8 });
    expect([name(), state['depthLimit'], asked.length]).toEqual(['Leadline day', 8, 3]);
  });

  test('changes the safety depth at once even if the service fails', async () => {
    const { show, state, failures, setDown, name } = openBench();
    await show({});
    setDown(true);
    await show({ theme: 'dusk', depthLimit: 5 });
    expect([name(), state['depthLimit'], failures.length]).toEqual(['Leadline day', 5, 1]);
    await show({ theme: 'dusk', depthLimit: 7 });
    expect(state['depthLimit']).toBe(7);
    setDown(false);
    await show({ theme: 'dusk', depthLimit: 7 });
    expect([name(), state['depthLimit']]).toEqual(['Leadline dusk', 7]);
  });

  test('shows the last of several changes made at once', async () => {
    const { show, name, failures, shown } = openBench();
    await Promise.all([show({ theme: 'dusk' }), show({ theme: 'night' }), show({ theme: 'day' })]);
    expect([name(), shown(), failures]).toEqual(['Leadline day', 1, []]);
  });

  test('loads the document again on request', async () => {
    const { show, asked } = openBench();
    await show({ styleId: 'one' });
    await show({ styleId: 'one' });
    expect(asked).toHaveLength(1);
    await show({ styleId: 'one' }, true);
    expect(asked).toHaveLength(2);
  });

  test('draws a document completely if it is the first, or if a part is missing', async () => {
    const { show, fresh, setBroken } = openBench();
    await show({});
    await show({ theme: 'dusk' });
    setBroken(true);
    // A change by state does not load missing parts.
    await show({ theme: 'dusk', depthLimit: 5 });
    await show({ theme: 'night', depthLimit: 5 });
    setBroken(false);
    await show({ theme: 'night', depthLimit: 5 }, true);
    expect(fresh).toEqual([true, false, true, true]);
  });
});
