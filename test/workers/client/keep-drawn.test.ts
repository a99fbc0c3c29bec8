// keepDrawn draws when the style is loaded, and again after each new style.

import type { Map as ChartMap } from 'maplibre-gl';
import { expect, test } from 'vitest';
import { type Collection, keepDrawn } from '../../../workers/web/client/chart/keep-drawn.ts';

const ROUTE: Collection = { type: 'FeatureCollection', features: [] };
const LAYERS = ['route-line', 'route-ends'];

/** A map that takes nothing in until its style is there, as MapLibre's does. */
function openMap() {
  let isLoaded = true;
  let told = () => {};
  const sources = new Map<string, { data: unknown; setData(data: unknown): void }>();
  const layers: string[] = [];
  const whenLoaded = (add: () => void) => {
    if (!isLoaded) throw new Error('Style is not done loading.');
    add();
    told();
  };
  const map = {
    getStyle: () => (isLoaded ? {} : undefined),
    getSource: (name: string) => sources.get(name),
    addSource: (name: string, { data }: { data: unknown }) =>
      whenLoaded(() => {
        const source = {
          data,
          setData: (next: unknown) => {
            source.data = next;
            told();
          },
        };
        sources.set(name, source);
      }),
    addLayer: ({ id }: { id: string }) => whenLoaded(() => layers.push(id)),
    on: (_: string, draw: () => void) => {
      told = draw;
    },
  };
  return {
    map: map as unknown as ChartMap,
    layers,
    shown: () => sources.get('route')?.data,
    beginStyle: () => {
      isLoaded = false;
      sources.clear();
      layers.length = 0;
      told();
    },
    endStyle: () => {
      isLoaded = true;
      told();
    },
  };
}

const openDrawn = () => {
  const chart = openMap();
  const show = keepDrawn(chart.map, 'route', () => LAYERS.map((id) => ({ id })) as never);
  return { ...chart, show };
};

test('draws shapes that are shown while a style loads when the style is loaded', () => {
  const { show, shown, layers, beginStyle, endStyle } = openDrawn();
  beginStyle();
  show(ROUTE);
  expect(shown()).toBeUndefined();
  endStyle();
  expect([shown(), layers]).toEqual([ROUTE, LAYERS]);
});

test('draws shapes again after a change of the style, except shapes that were removed', () => {
  const { show, shown, layers, beginStyle, endStyle } = openDrawn();
  show(ROUTE);
  expect([shown(), layers]).toEqual([ROUTE, LAYERS]);
  beginStyle();
  endStyle();
  expect([shown(), layers]).toEqual([ROUTE, LAYERS]);
  beginStyle();
  show(undefined);
  endStyle();
  expect([shown(), layers]).toEqual([undefined, []]);
});
