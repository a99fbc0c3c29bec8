// The page of the symbol families of ECDIS Chart 1, generated from the rules and the style.

import {
  createExpression,
  featureFilter,
  type LayerSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { valueMeaning } from '../../../shared/s57/vocabulary/attribute-values.ts';
import { objectClassByAcronym } from '../../../shared/s57/vocabulary/object-classes.ts';
import { TEXT_GROUPS } from '../../../shared/style/options.ts';
import type { Drawable } from '../../../tiles-build/portray/features/drawable.ts';
import { styleWith } from '../../support/written-style.ts';
import { ChartBuilder } from './chart-builder.ts';
import { CHART1_FAMILIES } from './chart1-families.ts';

const ALL = {
  showMaritimeBoundaries: 'full',
  showDataQuality: true,
  textGroups: TEXT_GROUPS,
} as const;
const SIMPLIFIED = styleWith(ALL).layers;
const PAPER = styleWith({ ...ALL, symbols: 'paper', boundaries: 'symbolized' }).layers;

const ZOOM = 18;
const TYPES = { point: 1, line: 2, area: 3 } as const;

/** An example: class, primitive, and attributes. */
export interface Example {
  readonly acronym: string;
  readonly primitive: 'P' | 'L' | 'A';
  readonly attributes: Attributes;
}

export const EXAMPLES: readonly (readonly [family: string, examples: readonly Example[]])[] =
  Object.entries(CHART1_FAMILIES).map(([family, rows]) => [
    family,
    rows.split('; ').map(parseExample),
  ]);

function parseExample(row: string): Example {
  const [acronym = '', primitive, given = ''] = row.split(' ');
  const attributes = given === '' ? [] : given.split(',').map((one) => one.split('='));
  return {
    acronym,
    primitive: primitive as Example['primitive'],
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name!, parseValue(value!)])),
  };
}

function parseValue(text: string): number | number[] | string {
  if (text.includes('.')) return text.split('.').map(Number);
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** The content of the tiles for an example in water of 20 to 30 m. */
export function drawnOf({ acronym, primitive, attributes }: Example): readonly Drawable[] {
  const chart = new ChartBuilder();
  const { QUAPOS, ...own } = attributes;
  const spatial: Attributes = QUAPOS === undefined ? {} : { QUAPOS };
  chart.box('DEPARE', [0, 50], [3, 53], { DRVAL1: 20, DRVAL2: 30 });
  if (acronym === 'SOUNDG') chart.soundings([[1, 51, 5]], own);
  else if (primitive === 'P') chart.point(acronym, [1, 51], own, spatial);
  else if (primitive === 'A') chart.box(acronym, [1, 51], [2, 52], own);
  else {
    // To 63°, the ORIENT of one-way tracks.
    const ends = [chart.node([1, 51]), chart.node([2, 51.32])] as const;
    chart.along(acronym, 'line', [chart.edge(...ends, { attributes: spatial })], own);
  }
  return chart.drawn().filter(({ layer }) => layer !== 'DEPARE' && layer !== 'DEPEDGE');
}

/** How the layers of a style draw an example. */
export function lookOf(example: Example, symbols: 'simplified' | 'paper'): string {
  const looks = drawnOf(example).flatMap((drawable) => looksOf(drawable, symbols));
  return [...new Set(looks)].join(', ');
}

/** How the layers of a style draw a feature. */
export const looksOf = (drawable: Drawable, symbols: 'simplified' | 'paper'): readonly string[] =>
  (symbols === 'paper' ? PAPER : SIMPLIFIED).flatMap((layer) => lookIn(layer, drawable) ?? []);

function lookIn(layer: LayerSpecification, { layer: id, geometry, properties }: Drawable) {
  if (!('source-layer' in layer) || layer['source-layer'] !== id) return undefined;
  if (layer.layout?.visibility === 'none') return undefined;
  const feature = { type: TYPES[geometry.type], properties };
  if (!featureFilter(layer.filter as never, 'filter').filter({ zoom: ZOOM }, feature as never)) {
    return undefined;
  }
  const value = (given: unknown): string | undefined => {
    if (given === undefined) return undefined;
    if (!Array.isArray(given)) return String(given);
    const made = createExpression(given as never, 'layers');
    if (made.result === 'error') return undefined;
    const found = made.value.evaluate({ zoom: ZOOM }, feature as never);
    return found === null ? undefined : String(found);
  };
  switch (layer.type) {
    case 'fill':
      return named(value(layer.paint?.['fill-pattern'])) ?? 'tint';
    case 'line':
      return lineLook(layer.paint?.['line-dasharray'] as number[] | undefined);
    case 'symbol': {
      const isBlank = layer.paint?.['icon-opacity'] === 0;
      const image = isBlank ? undefined : named(value(layer.layout?.['icon-image']));
      const text = layer.layout?.['text-field'] === undefined ? [] : ['text'];
      return [...(image === undefined ? [] : [image]), ...text];
    }
    default:
      return undefined;
  }
}

const named = (image: string | undefined) =>
  image === undefined || image === '' ? undefined : `\`${image}\``;

function lineLook(dash: readonly number[] | undefined): string {
  if (dash === undefined) return 'solid line';
  return dash[0]! <= 1 ? 'dotted line' : 'dashed line';
}

function describe({ acronym, primitive, attributes }: Example): string {
  const name = objectClassByAcronym(acronym)?.name ?? 'Unknown class';
  const meanings = Object.entries(attributes).map(([attribute, value]) => {
    const codes = [value].flat();
    const words = codes.map((code) => valueMeaning(attribute, Number(code)) ?? String(code));
    return `${attribute} ${words.join(', ')}`;
  });
  const kind = { P: 'point', L: 'line', A: 'area' }[primitive];
  return `${name} (${acronym}, ${kind})${meanings.length === 0 ? '' : `: ${meanings.join('; ')}`}`;
}

export function chart1Page(): string {
  const sections = EXAMPLES.map(([family, examples]) => {
    const rows = examples.map((example) => {
      const [simplified, paper] = [lookOf(example, 'simplified'), lookOf(example, 'paper')];
      const object = describe(example).replaceAll('|', '/');
      return `| ${object} | ${simplified} | ${paper === simplified ? 'the same' : paper} |`;
    });
    return `## ${family}\n\n| object | simplified, plain | paper, symbolized |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Symbol families of ECDIS Chart 1

Written by \`npx vitest run --project unit test/tiles-build/portray/chart1-page -u\` from the rules and the style, at zoom ${ZOOM} with a safety depth of 3 m, in water of 20 to 30 m.
Columns: \`symbols\` and \`boundaries\` of the style. Images are named; \`../../symbols/symbol-overview.png\` shows them.

${sections.join('\n')}`;
}
