// A document with `live`: valid, the same for every choice of the map's global state as the document
// made for that choice, and safe when an app puts nonsense there.

import {
  createExpression,
  featureFilter,
  type LayerSpecification,
  latest,
  type StyleSpecification,
  validateStyleMin,
} from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS, DEPTH_UNITS, type StyleOptions } from '../../../shared/style/options.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const NOWHERE = 'https://nowhere.test/';
const GLYPHS = `${NOWHERE}{fontstack}/{range}.pbf`;
const styleWith = (options: Partial<StyleOptions>): StyleSpecification =>
  buildStyle({
    options: { ...DEFAULT_OPTIONS, ...options },
    addresses: { tiles: NOWHERE, sprite: NOWHERE, glyphs: GLYPHS, reports: NOWHERE },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
  });

const FLAGS = [
  'roundOffSoundings',
  'showLightSectors',
  'showEncBoundaries',
  'showPlaceNames',
  'showOverscale',
  'lightText',
  'isolatedDangersInShallow',
] as const;

const random = seededRandom(20_261_122);
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** A feature with any of the properties that depend on the choices. */
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
    nm: 'Wick',
    cls: oneOf(['LNDARE', 'ACHARE']),
    sd: 1,
    oz: 12,
    r: 90,
  };
  // Numbers that are always there in the layers that read them, and what may be absent.
  const kept = new Set(['d', 'dm', 'ft', 'd1', 'd2', 's', 'r']);
  const properties = Object.fromEntries(
    Object.entries(all).filter(([name]) => kept.has(name) || random() < 0.8),
  );
  return { type: oneOf([1, 2, 3] as const), properties };
}

type Feature = ReturnType<typeof anyFeature>;
type Specs = Record<string, Record<string, never>>;

/** What a layer makes of features: whether it is seen, which it draws, and every property of theirs. */
function drawn(layer: LayerSpecification, features: readonly Feature[], state: object): unknown {
  const all = { ...layer } as Record<string, unknown>;
  const globals = { zoom: 12 } as never;
  const filter = featureFilter(all['filter'] as never, 'x', state);
  const values = (['layout', 'paint'] as const).flatMap((group) =>
    Object.entries((all[group] ?? {}) as Record<string, unknown>).map(([name, value]) => {
      if (!Array.isArray(value) || typeof value[0] !== 'string') return [name, value];
      const spec = (latest as unknown as Specs)[`${group}_${layer.type}`]![name];
      const made = createExpression(value, 'x', spec, state);
      // Lists that are no expressions, as of fonts and dashes.
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

/** Layers as plain as can be compared: what is visible is not said, what is not says so. */
function looks(style: StyleSpecification, features: readonly Feature[], state: object) {
  return style.layers.map((layer) => {
    const { visibility: given, ...layout } = (layer.layout ?? {}) as Record<string, unknown>;
    const seen = visibility(given, state);
    return [seen, seen === 'none' ? [] : drawn({ ...layer, layout } as never, features, state)];
  });
}

describe('a document with live choices', () => {
  test.each(DEPTH_UNITS)(
    'a document with live choices is valid with depths in %s, and says what may change',
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

  test('a document with live choices: for each state draws what the document of the same choices draws, whatever it began with', () => {
    const features = Array.from({ length: 24 }, anyFeature);
    for (let round = 0; round < 8; round++) {
      const chosen = {
        depthLimit: oneOf([0, 1.8, 2.5, 3, 10, 18.288, 45]),
        depthUnits: oneOf(DEPTH_UNITS),
        ...Object.fromEntries(FLAGS.map((flag) => [flag, random() < 0.5])),
      };
      const began = { live: true, depthUnits: oneOf(DEPTH_UNITS), depthLimit: oneOf([3, 20]) };
      const theme = oneOf(['day', 'yacht'] as const);
      const live = looks(styleWith({ ...began, theme }), features, chosen);
      expect(live).toEqual(looks(styleWith({ ...chosen, theme }), features, {}));
    }
  });

  test('nonsense in the state is as what the document began with, never no safety depth', () => {
    const features = Array.from({ length: 24 }, anyFeature);
    const began = { live: true, depthLimit: 8, depthUnits: 'fathoms' } as const;
    const expected = looks(styleWith({ ...began, live: false }), features, {});
    for (const nonsense of [null, undefined, 'seven', [], { a: 1 }]) {
      const names = ['depthLimit', 'depthUnits', ...FLAGS];
      const state = Object.fromEntries(names.map((name) => [name, nonsense]));
      expect(looks(styleWith(began), features, state)).toEqual(expected);
    }
  });

  test('no other document has a state', () => {
    const plain = styleWith({});
    expect(plain).not.toHaveProperty('state');
    expect(JSON.stringify(plain)).not.toContain('global-state');
  });

  test('layers that are hidden by name stay hidden', () => {
    const style = styleWith({ live: true, hideLayers: ['LIGHTS-label'] });
    const hidden = style.layers.find(({ id }) => id === 'LIGHTS-label');
    expect(hidden?.layout?.visibility).toBe('none');
  });
});
