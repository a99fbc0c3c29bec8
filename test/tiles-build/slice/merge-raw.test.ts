// GeoJSON tiles of several cells: objects on their common border appear once, all others unchanged.

import { describe, expect, test } from 'vitest';
import { mergeRaw, ON_BORDER } from '../../../tiles-build/slice/merge-raw.ts';

const line = (id: string, layerId: string, geometry: unknown, attributes: unknown = {}) =>
  JSON.stringify({ type: 'Feature', id, properties: { layerId, attributes }, geometry });
const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });
const soundings = (...coordinates: number[][]) => ({ type: 'MultiPoint', coordinates });
const fragment = (...lines: string[]) => new TextEncoder().encode(lines.join('\n'));

interface Feature {
  readonly id: string;
  readonly geometry: { readonly coordinates: unknown };
}
const merged = (...fragments: Uint8Array[]): Feature[] =>
  (JSON.parse(new TextDecoder().decode(mergeRaw(fragments).bytes)) as { features: Feature[] })
    .features;

describe('mergeRaw', () => {
  test('keeps an object on the border once, by its FOID', () => {
    const a = ON_BORDER + line('A.550.1.1', 'BOYLAT', point(1, 2), { OBJNAM: 'old' });
    const b = ON_BORDER + line('B.550.1.1', 'BOYLAT', point(1, 2), { OBJNAM: 'new' });
    expect(merged(fragment(a), fragment(b)).map(({ id }) => id)).toEqual(['A.550.1.1']);
  });

  test('keeps an object with different FOIDs once if all else is equal', () => {
    const a = ON_BORDER + line('A.550.1.1', 'BOYLAT', point(1, 2), { OBJNAM: 'one' });
    const b = ON_BORDER + line('B.550.9.1', 'BOYLAT', point(1, 2), { OBJNAM: 'one' });
    const other = ON_BORDER + line('B.550.8.1', 'BOYLAT', point(1, 2), { OBJNAM: 'two' });
    const ids = merged(fragment(a), fragment(b, other)).map(({ id }) => id);
    expect(ids).toEqual(['A.550.1.1', 'B.550.8.1']);
  });

  test('keeps both sectors of a light on the border in one cell', () => {
    const one = ON_BORDER + line('A.550.1.1', 'LIGHTS', point(1, 2));
    const two = ON_BORDER + line('A.550.2.1', 'LIGHTS', point(1, 2));
    expect(merged(fragment(one, two))).toHaveLength(2);
  });

  test('keeps a sounding on the border once, and the others of its feature', () => {
    const a = ON_BORDER + line('A.550.1.1', 'SOUNDG', soundings([1, 2, 5], [0, 2, 6]));
    const b = ON_BORDER + line('B.550.9.1', 'SOUNDG', soundings([1, 2, 5], [3, 2, 7]));
    const alone = ON_BORDER + line('B.550.8.1', 'SOUNDG', soundings([1, 2, 5]));
    const found = merged(fragment(a), fragment(b, alone));
    expect(found.map(({ id }) => id)).toEqual(['A.550.1.1', 'B.550.9.1']);
    expect(found[1]!.geometry.coordinates).toEqual([[3, 2, 7]]);
  });

  test('does not change features that are not on the border', () => {
    const a = line('A.550.1.1', 'BOYLAT', point(1, 2));
    const b = line('B.550.1.1', 'BOYLAT', point(1, 2));
    expect(merged(fragment(a), fragment(b))).toHaveLength(2);
  });
});
