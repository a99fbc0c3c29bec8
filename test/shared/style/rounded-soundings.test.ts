// Compares rounded soundings, as the expressions of the style give them, with integer arithmetic in tenths of
// a millimetre.

import { createExpression } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { decimetres, feetRoundedDown } from '../../../shared/s57/vocabulary/depth-units.ts';
import { DEPTH_UNITS, type StyleOptions } from '../../../shared/style/options.ts';
import { isLong } from '../../support/long-run.ts';
import { layerWith } from '../../support/written-style.ts';

/** Tenths of a millimetre. */
const UNITS = { meters: 10_000, feet: 3048, fathoms: 18_288 } as const;
/** Drying heights to deep water, in steps that are not a fraction of a unit. */
const DEPTHS = Array.from({ length: isLong ? 2000 : 300 }, (_, i) =>
  Math.floor(-60_000 + i * (isLong ? 207 : 1381)),
);
const DECIMETRES = Array.from({ length: isLong ? 400 : 130 }, (_, i) => -20_000 + i * 1000);
const LIMITS = [
  ...[0, 30_000, 10_000, -10_000, -14_000, 55_000, 100_000, 27_400, 300_000],
  // Whole feet and fathoms.
  ...[3048, 6 * 3048, 10 * 3048, 33 * 3048, 18_288, 3 * 18_288, -3048],
];

/** The value of a layer's property for a depth in tenths of a millimetre. */
function writer(
  id: string,
  options: Partial<StyleOptions>,
  property = 'text-field',
): (depth: number) => string {
  const text = (layerWith(id, options).layout as Record<string, unknown>)[property];
  const compiled = createExpression(text, `${id}.layout.${property}`);
  if (compiled.result === 'error') throw new Error(compiled.value.map(String).join('; '));
  return (depth) => {
    const d = depth / 10_000;
    const properties = { d, dm: decimetres(d), ft: feetRoundedDown(d) };
    return String(compiled.value.evaluate({ zoom: 14 } as never, { type: 1, properties } as never));
  };
}

/** The nearest whole number of units; a tie is rounded away from zero. */
const nearest = (depth: number, unit: number): number =>
  Math.sign(depth) * Math.floor((2 * Math.abs(depth) + unit) / (2 * unit));

const isTie = (depth: number, unit: number): boolean => Math.abs((2 * depth) % (2 * unit)) === unit;

describe.each(DEPTH_UNITS)('soundings rounded in %s', (depthUnits) => {
  const unit = UNITS[depthUnits];

  test.each(LIMITS)(
    'are the nearest integer and never rounded up to a safety depth of %i tenths of a millimetre',
    (limit) => {
      const options = { depthUnits, roundOffSoundings: true, depthLimit: limit / 10_000 };
      const written = writer('SOUNDG-label', options);
      const underlined = writer('SOUNDG-label', options, 'icon-image');
      const wrong: string[] = [];
      for (const depth of [...DEPTHS, ...DECIMETRES]) {
        if (isTie(depth, unit)) continue;
        const text = written(depth);
        const wanted = nearest(depth, unit);
        const isAcross = depth < limit && wanted * unit >= limit;
        const shown = isAcross ? wanted - 1 : wanted;
        // Drying heights are underlined.
        const isUnderlined = underlined(depth) !== '';
        const isRight =
          Number(text) === Math.abs(shown) &&
          (depth >= limit || shown * unit < limit) &&
          isUnderlined === decimetres(depth / 10_000) < 0;
        if (!isRight) wrong.push(`${depth}: ${text}, ${isUnderlined ? 'underlined' : 'plain'}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('are rounded down below a safety depth that is a whole number of units', () => {
    const meters = { meters: 1, feet: 0.3048, fathoms: 1.8288 }[depthUnits];
    const step = isLong ? 1 : 13;
    for (let count = -10; count <= 200; count += step) {
      const depthLimit = count * meters;
      if (depthLimit < -20) continue;
      const written = writer('SOUNDG-label', { depthUnits, roundOffSoundings: true, depthLimit });
      const text = (d: number) => Number(written(d * 10_000));
      expect(text(depthLimit)).toBe(Math.abs(count));
      expect(text(depthLimit - 0.01 * meters)).toBe(Math.abs(count - 1));
      expect(text(Number(depthLimit.toFixed(6)))).toBe(Math.abs(count));
    }
  });

  test('do not change the labels of contours', () => {
    const round = layerWith('DEPCNT-label', { depthUnits, roundOffSoundings: true });
    expect(round).toEqual(layerWith('DEPCNT-label', { depthUnits }));
  });

  test.each(['UWTROC-depth', 'OBSTRN-depth', 'WRECKS-depth'])(
    'are equal to the depths of %s',
    (id) => {
      const options = { depthUnits, roundOffSoundings: true, depthLimit: 5 };
      const [danger, sounding] = [writer(id, options), writer('SOUNDG-label', options)];
      for (const depth of DECIMETRES) expect(danger(depth)).toBe(sounding(depth));
    },
  );
});

test.each([
  ['feet', 9.51 * 3048, '10'],
  ['feet', 9.49 * 3048, '9'],
  ['fathoms', 1.83 * 18_288, '2'],
  ['fathoms', 1.4 * 18_288, '1'],
  ['meters', 29_000, '2'],
  ['meters', 24_600, '2'],
  ['meters', 36_000, '4'],
] as const)('in %s shows %d tenths of a millimetre as %s', (depthUnits, depth, text) => {
  const depthLimit = depthUnits === 'meters' ? 3 : 0;
  const written = writer('SOUNDG-label', { depthUnits, roundOffSoundings: true, depthLimit });
  expect(written(depth)).toBe(text);
});
