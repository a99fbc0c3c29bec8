// Attributes of the chart element: every style parameter has one, and invalid values are kept.

import { describe, expect, test } from 'vitest';
import { styleQuerySchema } from '../../../shared/contract/style-params.ts';
import { readPlace, readWaypoints } from '../../../workers/web/client/chart/own-route.ts';
import {
  attributeOf,
  attributeText,
  PARAMETERS,
  readParameters,
} from '../../../workers/web/client/chart/parameters.ts';

const read = (attributes: Readonly<Record<string, string>>) =>
  readParameters((name) => attributes[name] ?? null);

describe('attributes of the chart element', () => {
  test('name every parameter of a style but those that the element says itself', () => {
    const own = ['live', 'showUserReports'];
    expect([...PARAMETERS, ...own].sort()).toEqual(Object.keys(styleQuerySchema.shape).sort());
    expect(new Set(PARAMETERS.map(attributeOf)).size).toBe(PARAMETERS.length);
    for (const name of PARAMETERS) expect(attributeOf(name)).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  test('attributes of the chart element are read as numbers, flags, lists and texts', () => {
    const said = { 'safety-depth': '5.5', topmarks: '', 'light-text': 'false', units: 'feet' };
    expect(read({ ...said, 'text-groups': 'none', 'hide-layers': 'a, b' })).toEqual({
      depthLimit: 5.5,
      topmarks: true,
      lightText: false,
      depthUnits: 'feet',
      textGroups: [],
      hideLayers: ['a', 'b'],
    });
    expect(read({})).toEqual({});
  });

  test.each([
    ['safety-depth', 'depthLimit', 'deep'],
    ['safety-depth', 'depthLimit', ''],
    ['topmarks', 'topmarks', 'yes'],
    ['units', 'depthUnits', 'furlongs'],
  ])(
    'attributes of the chart element keep what is not understood for the service to refuse: %s (%s) as %j',
    (name, key, text) => {
      const kept = read({ [name]: text });
      // An empty text is "not given" to the service too.
      expect(kept).toEqual({ [key]: text });
    },
  );

  test('attributes of the chart element are written as they are read', () => {
    const values = { depthLimit: 0, theme: 'dusk', topmarks: false, textGroups: [] } as const;
    const written = Object.entries(values).map(([name, value]) => [
      attributeOf(name as keyof typeof values),
      attributeText(value)!,
    ]);
    expect(read(Object.fromEntries(written))).toEqual(values);
    expect(attributeText(undefined)).toBe(null);
  });

  test('attributes of the chart element have longitude first, and waypoints for the service latitude first', () => {
    expect(readPlace('-20.5, 30')).toEqual({ longitude: -20.5, latitude: 30 });
    expect(readPlace('190,-10')).toEqual({ longitude: 190, latitude: -10 });
    expect(readWaypoints(' 1,2  3,4 ')).toEqual([
      [2, 1],
      [4, 3],
    ]);
    // The service rejects longitudes beyond 180°.
    expect(readWaypoints('179,-17 181,-17 -180.5,-17 -19.98,-30')).toEqual([
      [-17, 179],
      [-17, -179],
      [-17, 179.5],
      [-30, -19.98],
    ]);
    for (const text of ['', '1', '1,', ',2', '1,2,3', 'a,b', '1,91', '400,1']) {
      expect(readPlace(text), text).toBe(undefined);
    }
    for (const text of ['', '1,2', '1,2 3', '1,2;3,4']) {
      expect(readWaypoints(text), text).toBe(undefined);
    }
  });
});
