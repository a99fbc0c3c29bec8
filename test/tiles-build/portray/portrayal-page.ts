// The page with the portrayal of every object class, generated from the rules.

import { QUERY_ONLY_CLASSES } from '../../../shared/chart/tile-schema.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import { objectClassByCode } from '../../../shared/s57/vocabulary/object-classes.ts';
import type { Drawable } from '../../../tiles-build/portray/features/drawable.ts';
import { INSTRUCTIONS } from '../../../tiles-build/portray/features/symbol-instructions.ts';
import { isMaritime } from '../../../tiles-build/portray/maritime.ts';
import { CLASS_RULES, portrayCell } from '../../../tiles-build/portray/portray-cell.ts';
import { VIRTUAL_AID_KINDS } from '../../../tiles-build/portray/rules/new-object-rules.ts';
import { ChartBuilder } from './chart-builder.ts';

export const CATALOGUE: readonly Readonly<Record<'acronym' | 'name' | 'primitives', string>>[] =
  Array.from({ length: 70_000 }, (_, code) => objectClassByCode(code)).filter(
    (found) => found !== undefined,
  );

const PRIMITIVES = { P: 'point', L: 'line', A: 'area' } as const;

/** The drawables of one object of a class without attributes. */
function drawnOf(acronym: string, primitive: 'point' | 'line' | 'area'): readonly Drawable[] {
  const chart = new ChartBuilder();
  const attributes: Attributes = { OBJNAM: 'N' };
  if (acronym === 'SOUNDG') chart.soundings([[1, 51, 5]], attributes);
  else if (primitive === 'point') chart.point(acronym, [1, 51], attributes);
  else if (primitive === 'line') {
    const edge = chart.edge(chart.node([1, 51]), chart.node([2, 51.5]));
    chart.along(acronym, 'line', [edge], attributes);
  } else chart.box(acronym, [1, 51], [2, 52], attributes);
  const cell = chart.cell();
  const own = cell.features.map(({ id }: Feature) => `${id.agency}-${id.number}-`);
  return portrayCell(cell).filter(
    ({ layer, key }) => layer !== 'DEPEDGE' && own.some((name) => key.includes(name)),
  );
}

/** Descriptions of exceptions: drawn as features of another class, or not drawn for a reason. */
const STATED: Readonly<Record<string, string>> = {
  'SOUNDG P': 'point: the depth as digits, `SNDLOW` around doubtful ones',
  'DEPARE L': 'line: no line; contours and the safety contour are drawn where depths change',
};

function describe(acronym: string, letter: 'P' | 'L' | 'A'): string {
  const stated = STATED[`${acronym.toUpperCase()} ${letter}`];
  if (stated !== undefined) return stated;
  const drawn = drawnOf(acronym, PRIMITIVES[letter]);
  const parts = drawn.map(({ layer, geometry, properties }) => {
    const symbol = properties['sy'] ?? properties['pt'];
    const isLine = geometry.type === 'line';
    const name = symbol === undefined ? '' : ` \`${symbol}\``;
    return `${layer === acronym.toUpperCase() ? '' : `${layer} `}${isLine ? 'line' : geometry.type}${name}`;
  });
  return `${PRIMITIVES[letter]}: ${parts.length === 0 ? 'nothing' : [...new Set(parts)].join(', ')}`;
}

export function portrayalPage(): string {
  const rows = CATALOGUE.map(({ acronym, name, primitives }) => {
    const letters = (['P', 'L', 'A'] as const).filter((letter) => primitives.includes(letter));
    const how = QUERY_ONLY_CLASSES.has(acronym.toUpperCase())
      ? 'not drawn: found by queries and in the data tiles'
      : acronym.startsWith('$')
        ? 'question mark `QUESMRK1` in the layer OTHER: an ENC must not contain it'
        : letters.map((letter) => describe(acronym, letter)).join('; ');
    const base =
      CLASS_RULES[acronym.toUpperCase()]?.isDisplayBase === true
        ? '. Display base: not hidden by SCAMIN.'
        : '';
    return `| ${acronym} | ${name} | ${how}${isMaritime(acronym) ? ' (with maritime boundaries)' : ''}${base} |`;
  });
  const kinds = VIRTUAL_AID_KINDS.map(
    ({ symbol, words, instruction }) =>
      `| \`${symbol}\` | \`${words.source.replaceAll('|', '\\|')}\` | \`${instruction.source.replaceAll('|', '\\|')}\` |`,
  );
  const instructions = Object.entries(INSTRUCTIONS).map(([name, how]) => `| ${name} | ${how} |`);
  return `# Drawing of every object class

Written by \`npx vitest run --project unit test/tiles-build/portray/portrayal-page -u\` from the rules.
Symbols are those of an object with a name and no other attributes; attributes select others.
A class that is in no table is drawn as \`QUESMRK1\` with its name, in the layer OTHER.

| class | name | drawn as |
|---|---|---|
${rows.join('\n')}

## New objects

The attribute SYMINS of NEWOBJ requests what a chart draws.
A new object is a virtual aid to navigation if its CLSNAM, CLSDEF, OBJNAM or text (TX) contains a word for it. The words of CLSNAM or CLSDEF decide its kind (compass points only together with "cardinal"), otherwise the symbol of SYMINS; otherwise it is \`VAIS-other\`.

| symbol | words | requested symbol |
|---|---|---|
${kinds.join('\n')}

| instruction of SYMINS | drawn for any other new object |
|---|---|
${instructions.join('\n')}
| none | \`NEWOBJ01\` |

Objects of other classes are drawn by their row above, whatever SYMINS requests.
`;
}
