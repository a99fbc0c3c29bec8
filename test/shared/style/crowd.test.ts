// The layers of the crowdsourced depths: valid for every view, in the reader's units, and apart from the chart.

import {
  createExpression,
  type StyleSpecification,
  validateStyleMin,
} from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { crowdSentence } from '../../../shared/crowd/crowd-sentence.ts';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import {
  DEFAULT_OPTIONS,
  DEPTH_UNITS,
  STYLE_PARAMETERS,
  type StyleOptions,
  THEMES,
} from '../../../shared/style/options.ts';
import { ADDRESSES, CHART } from '../../support/written-style.ts';

const VIEWS = ['depths', 'uncertainty', 'differences'] as const;
const crowd = {
  template: 'https://charts.example/crowd/{z}/{x}/{y}',
  bounds: [-20, -31, -19, -30],
  attribution: 'Crowd data, not for navigation.',
} as const;
const styleWith = (options: Partial<StyleOptions>, more: object = { crowd }): StyleSpecification =>
  buildStyle({
    options: { ...DEFAULT_OPTIONS, ...options },
    addresses: { ...ADDRESSES, ...more },
    chart: CHART,
  });
const crowdIds = (style: StyleSpecification) =>
  style.layers
    .filter((layer) => 'source' in layer && layer.source === 'crowdDepth')
    .map(({ id }) => id);
function evaluated(
  options: Partial<StyleOptions>,
  properties: object,
  [wanted, name] = ['crowd_depth_point-label', 'text-field'],
) {
  const { layout, paint } = styleWith(options).layers.find(({ id }) => id === wanted)!;
  const value = ({ ...layout, ...paint } as Record<string, unknown>)[name];
  const compiled = createExpression(value, 'layers[0].layout.value');
  if (compiled.result === 'error') throw new Error(compiled.value.map(String).join('; '));
  const state = { depthUnits: options.depthUnits ?? 'meters', depthLimit: 3 };
  return compiled.value.evaluate(
    { zoom: 15, globalState: state } as never,
    { type: 1, properties } as never,
  );
}

describe('the layers of the crowdsourced depths', () => {
  it('are valid for every view and theme, with each unit and state', () => {
    let count = 0;
    for (const showCrowdDepth of VIEWS) {
      for (const theme of THEMES) {
        const depthUnits = DEPTH_UNITS[count % DEPTH_UNITS.length]!;
        const style = styleWith({ showCrowdDepth, theme, depthUnits, live: count++ % 2 === 0 });
        expect(validateStyleMin(style)).toEqual([]);
        expect(crowdIds(style)).toHaveLength(4);
      }
    }
  });

  it('are absent without the parameter, and without published depths', () => {
    expect(crowdIds(styleWith({}))).toEqual([]);
    expect(styleWith({}).sources).not.toHaveProperty('crowdDepth');
    const without = styleWith({ showCrowdDepth: 'depths' }, {});
    expect(crowdIds(without)).toEqual([]);
    expect(without.sources).not.toHaveProperty('crowdDepth');
  });

  it('have a source with its bounds, zooms and notice', () => {
    expect(styleWith({ showCrowdDepth: 'depths' }).sources['crowdDepth']).toEqual({
      type: 'vector',
      tiles: [crowd.template],
      minzoom: 6,
      maxzoom: 15,
      bounds: [...crowd.bounds],
      attribution: crowd.attribution,
    });
  });

  it('can be shown by showLayers alone', () => {
    const style = styleWith({ showLayers: ['crowd_depth-fill'] });
    const shown = style.layers.filter(({ layout }) => layout?.visibility !== 'none');
    expect(shown.map(({ id }) => id)).toEqual(['crowd_depth-fill']);
  });

  it('are below the soundings, aids and dangers of the chart', () => {
    const ids = styleWith({ showCrowdDepth: 'depths' }).layers.map(({ id }) => id);
    const last = ids.indexOf('crowd_depth_point-label');
    for (const id of ['SOUNDG-label', 'BOYLAT-icon', 'WRECKS-icon']) {
      expect(ids.indexOf(id), id).toBeGreaterThan(last);
    }
  });

  it.each([
    [{ showCrowdDepth: 'depths' }, { depth: 2.3 }, '2.3'],
    [{ showCrowdDepth: 'depths' }, { depth: 2.39 }, '2.3'],
    [{ showCrowdDepth: 'depths' }, { depth: -0.2 }, '-0.2'],
    [{ showCrowdDepth: 'depths', depthUnits: 'feet' }, { depth: 2.3 }, '7'],
    [{ showCrowdDepth: 'depths', depthUnits: 'fathoms' }, { depth: 2.3 }, '1.2'],
    [{ showCrowdDepth: 'uncertainty' }, { unc: 0.41 }, '±0.5'],
    [{ showCrowdDepth: 'uncertainty', depthUnits: 'feet' }, { unc: 0.4 }, '±2'],
    [{ showCrowdDepth: 'differences' }, { diff: 0.9 }, '−0.9'],
  ] as const)(
    'show the text of %j for %j rounded to the safe side',
    (options, properties, text) => {
      expect(evaluated(options, properties)).toBe(text);
      expect(evaluated({ ...options, live: true }, properties)).toBe(text);
    },
  );

  it('emphasise cells that are not deeper than the safety depth, as soundings', () => {
    const opacity = (depth: number) =>
      evaluated({ showCrowdDepth: 'depths' }, { depth }, ['crowd_depth-fill', 'fill-opacity']);
    expect([2.9, 3, 3.1].map(opacity)).toEqual([0.65, 0.65, 0.25]);
  });

  it('show a cell with a possible shoal as shallower than charted', () => {
    const [color, opacity] = (['fill-color', 'fill-opacity'] as const).map(
      (name) => (properties: object) =>
        evaluated({ showCrowdDepth: 'differences' }, properties, ['crowd_depth-fill', name]),
    );
    const shallower = color!({ median: 3, charted: 5 });
    expect(color!({ median: 5, charted: 5 })).not.toBe(shallower);
    expect(color!({ median: 5, charted: 5, diff: 2 })).toBe(shallower);
    expect([{}, { diff: 2 }].map((more) => opacity!({ median: 5, ...more }))).toEqual([0.1, 0.45]);
  });

  it('list all values in the table of parameters', () => {
    expect(STYLE_PARAMETERS.showCrowdDepth.values).toEqual(['false', ...VIEWS]);
  });
});

describe('the sentence of a cell', () => {
  const bin = {
    depth: 2.1,
    median: 2.9,
    unc: 0.4,
    count: 34,
    platforms: 5,
    from: '2026-05',
    to: '2026-11',
    reduced: true,
  };
  const METERS = { symbol: 'm', meters: 1 } as const;
  it.each([
    [
      { diff: 0.9 },
      '2.1 m (bed 2.9 m ± 0.4 m), 34 soundings by 5 boats, May–November 2026, up to 0.9 m shoaler than charted',
    ],
    [
      { to: '2026-05', diff: 0.91 },
      '2.1 m (bed 2.9 m ± 0.4 m), 34 soundings by 5 boats, May 2026, up to 1.0 m shoaler than charted',
    ],
    [{ to: '2026-05' }, '2.1 m (bed 2.9 m ± 0.4 m), 34 soundings by 5 boats, May 2026'],
    [
      { from: '2025-12', reduced: false },
      '2.1 m (bed 2.9 m ± 0.4 m), 34 soundings by 5 boats, December 2025–November 2026, not corrected for the tide',
    ],
    [
      { depth: 2.3, unc: 0.31 },
      '2.3 m (bed 2.9 m ± 0.4 m), 34 soundings by 5 boats, May–November 2026',
    ],
  ])('of %j', (more, sentence) => {
    expect(crowdSentence({ ...bin, ...more }, METERS)).toBe(sentence);
  });

  it('is rounded to the safe side in feet', () => {
    expect(crowdSentence(bin, { symbol: 'ft', meters: 0.3048 })).toMatch(
      /^6 ft \(bed 9 ft ± 2 ft\), /,
    );
  });
});
