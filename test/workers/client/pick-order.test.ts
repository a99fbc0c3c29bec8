import { describe, expect, test } from 'vitest';
import { groupsOf, type Listed } from '../../../workers/web/client/chart/pick-order.ts';

const found = (
  layerId: string,
  type: string,
  distance: number,
  rawAttributes: Record<string, unknown> = {},
): Listed => ({
  layerId,
  geometry: { type },
  rawAttributes,
  extras: { distance, sentence: `${layerId} ${JSON.stringify(rawAttributes)}` },
});

const listed = (results: readonly Listed[]) =>
  groupsOf(results).map(({ members: [first], count }) => `${first.layerId} ×${count}`);

describe('the rows of a pick report', () => {
  test('dangers come first, then aids to navigation, however near other things are', () => {
    expect(
      listed([
        found('DEPARE', 'Polygon', 0),
        found('M_QUAL', 'Polygon', 0),
        found('SOUNDG', 'MultiPoint', 1),
        found('DEPCNT', 'LineString', 2),
        found('BOYLAT', 'Point', 8),
        found('LIGHTS', 'Point', 9),
        found('OBSTRN', 'Polygon', 10),
        found('WRECKS', 'Point', 11),
      ]),
    ).toEqual([
      'OBSTRN ×1',
      'WRECKS ×1',
      'BOYLAT ×1',
      'LIGHTS ×1',
      'SOUNDG ×1',
      'DEPCNT ×1',
      'DEPARE ×1',
      'M_QUAL ×1',
    ]);
  });

  test('omits objects that describe only the area of the cell', () => {
    expect(listed([found('M_COVR', 'Polygon', 0)])).toEqual([]);
  });

  test('shows equal entries as one row with their number', () => {
    const wall = { catslc: 1, condtn: 2 };
    expect(
      listed([
        found('SLCONS', 'LineString', 3, wall),
        found('SLCONS', 'LineString', 1, wall),
        found('SLCONS', 'LineString', 2, { catslc: 4 }),
        found('LIGHTS', 'Point', 1, { colour: [3] }),
        found('LIGHTS', 'Point', 1, { colour: [4] }),
      ]),
    ).toEqual(['LIGHTS ×1', 'LIGHTS ×1', 'SLCONS ×2', 'SLCONS ×1']);
    const [nearest] = groupsOf([
      found('SLCONS', 'LineString', 3, wall),
      found('SLCONS', 'LineString', 1, wall),
    ]);
    expect(nearest!.members[0].extras.distance).toBe(1);
  });
});
