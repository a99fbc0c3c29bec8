// A document with `live` is valid, draws the same for a global state as a document with these options, and
// ignores invalid values in the state.

import {
  createExpression,
  featureFilter,
  type LayerSpecification,
  latest,
  type StyleSpecification,
  validateStyleMin,
} from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { DEPTH_UNITS } from '../../../shared/style/options.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { styleWith } from '../../support/written-style.ts';

const FLAGS = [
  'roundOffSoundings',
  'showLightSectors',
  'showEncBoundaries',
  'showPlaceNames',
  'showOverscale',
  'lightText',
  'isolatedDangersInShallow',
  'fullNames',
  'showDataQuality',
] as const;

const random = seededRandom(20_261_122);
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** A random feature with the properties that the live options use. */
function anyFeature() {
  const tenths = () => Math.round((random() * 60 - 10) * 10);
  const depth = tenths();
  const all: Record<string, unknown> = {
    d: depth / 10,
    dm: depth,
    ft: Math.floor(depth / 3.048),
    d1: tenths() / 10,
    d2: tenths() / 10,
    s: tenths() / 10,
    dd: tenths() / 10,
    ud: tenths() / 10,
    mz: Math.floor(random() * 120) / 10,
    sy: 'WRECKS05',
    tx: 'clr 12',
    tf: 'clr 40ft',
    nm: 'Wick 5',
    no: '5',
    cls: oneOf(['LNDARE', 'ACHARE']),
    sd: 1,
    oz: 12,
    r: 90,
  };
  // Properties that are never absent in the layers that use them.
  const kept = new Set(['d', 'dm', 'ft', 'd1', 'd2', 's', 'r']);
  const properties = Object.fromEntries(
    Object.entries(all).filter(([name]) => kept.has(name) || random() < 0.8),
  );
  return { type: oneOf([1, 2, 3] as const), properties };
}

type Feature = ReturnType<typeof anyFeature>;
type Specs = Record<string, Record<string, never>>;

/** The result of a layer: which features it draws, and the values of all properties. */
function drawn(layer: LayerSpecification, features: readonly Feature[], state: object): unknown {
  const all = { ...layer } as Record<string, unknown>;
  const globals = { zoom: 12 } as never;
  const filter = featureFilter(all['filter'] as never, 'x', state);
  const values = (['layout', 'paint'] as const).flatMap((group) =>
    Object.entries((all[group] ?? {}) as Record<string, unknown>).map(([name, value]) => {
      if (!Array.isArray(value) || typeof value[0] !== 'string') return [name, value];
      const spec = (latest as unknown as Specs)[`${group}_${layer.type}`]![name];
      const made = createExpression(value, 'x', spec, state);
      // A list that is not an expression, such as fonts and dashes.
      if (made.result === 'error') return [name, value];
      return [name, features.map((one) => String(made.value.evaluate(globals, one as never)))];
    }),
  );
  return [layer.id, features.map((one) => filter.filter(globals, one as never)), values];
}

const visibility = (value: unknown, state: object): unknown => {
  if (!Array.isArray(value)) return value ?? 'visible';
  const made = createExpression(value, 'x', latest.layout_symbol.visibility as never, state);
  return made.result === 'error' ? made : made.value.evaluate({ zoom: 12 } as never);
};

/** Layers in a form that can be compared. The properties of a hidden layer do not matter. */
function looks(style: StyleSpecification, features: readonly Feature[], state: object) {
  return style.layers.map((layer) => {
    const { visibility: given, ...layout } = (layer.layout ?? {}) as Record<string, unknown>;
    const seen = visibility(given, state);
    return [seen, seen === 'none' ? [] : drawn({ ...layer, layout } as never, features, state)];
  });
}

describe('a document with live options', () => {
  test.each(DEPTH_UNITS)(
    'is valid with depths in %s and lists its options in the state',
    (depthUnits) => {
      const style = styleWith({ live: true, depthUnits, depthLimit: 5 });
      expect(validateStyleMin(style).map(String)).toEqual([]);
      expect(style.state).toMatchObject({
        depthLimit: { default: 5 },
        depthUnits: { default: depthUnits },
        showLightSectors: { default: true },
      });
    },
  );

  test('draws the same for a state as a document with these options', () => {
    const features = Array.from({ length: isLong ? 24 : 12 }, anyFeature);
    for (let round = 0; round < (isLong ? 16 : 3); round++) {
      const chosen = {
        depthLimit: oneOf([0, 1.8, 2.5, 3, 10, 18.288, 45]),
        depthUnits: oneOf(DEPTH_UNITS),
        ...Object.fromEntries(FLAGS.map((flag) => [flag, random() < 0.5])),
      };
      const initial = { live: true, depthUnits: oneOf(DEPTH_UNITS), depthLimit: oneOf([3, 20]) };
      const theme = oneOf(['day', 'yacht'] as const);
      const live = looks(styleWith({ ...initial, theme }), features, chosen);
      expect(live).toEqual(looks(styleWith({ ...chosen, theme }), features, {}));
    }
  });

  test('uses its own value if the state contains an invalid value', () => {
    const features = Array.from({ length: isLong ? 24 : 12 }, anyFeature);
    const initial = { live: true, depthLimit: 8, depthUnits: 'fathoms' } as const;
    const expected = looks(styleWith({ ...initial, live: false }), features, {});
    for (const invalid of [null, undefined, 'seven', [], { a: 1 }]) {
      const names = ['depthLimit', 'depthUnits', ...FLAGS];
      const state = Object.fromEntries(names.map((name) => [name, invalid]));
      expect(looks(styleWith(initial), features, state)).toEqual(expected);
    }
  });

  test('is the only kind of document with a state', () => {
    const plain = styleWith();
    expect(plain).not.toHaveProperty('state');
    expect(JSON.stringify(plain)).not.toContain('global-state');
  });

  test('keeps layers of hideLayers hidden', () => {
    const style = styleWith({ live: true, hideLayers: ['LIGHTS-label'] });
    const hidden = style.layers.find(({ id }) => id === 'LIGHTS-label');
    expect(hidden?.layout?.visibility).toBe('none');
  });
});
