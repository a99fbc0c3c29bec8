// The page that says of every object class what a chart draws of it, made from the rules.

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

/** One object of a class without attributes, as it is drawn. */
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

/** What is drawn although it is no feature of the class's own, or is left out for a reason. */
const STATED: Readonly<Record<string, string>> = {
  'SOUNDG P': 'point: the depth as digits, `SNDLOW` around doubtful ones',
  'DEPARE L': 'line: no line of its own; contours and the safety contour run where depths change',
};

function saying(acronym: string, letter: 'P' | 'L' | 'A'): string {
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
        : letters.map((letter) => saying(acronym, letter)).join('; ');
    const base =
      CLASS_RULES[acronym.toUpperCase()]?.base === true
        ? '. Display base: not hidden by SCAMIN.'
        : '';
    return `| ${acronym} | ${name} | ${how}${isMaritime(acronym) ? ' (with maritime boundaries)' : ''}${base} |`;
  });
  const kinds = VIRTUAL_AID_KINDS.map(
    ({ symbol, words, instruction }) =>
      `| \`${symbol}\` | \`${words.source.replaceAll('|', '\\|')}\` | \`${instruction.source.replaceAll('|', '\\|')}\` |`,
  );
  const instructions = Object.entries(INSTRUCTIONS).map(([name, how]) => `| ${name} | ${how} |`);
  return `# What is drawn of every object class

Written by \`npx vitest run --project unit test/tiles-build/portray/portrayal-page -u\` from the rules.
Symbols are those of an object that has a name and no other attribute; attributes choose others.
A class that is in no table is drawn as \`QUESMRK1\` with its name, in the layer OTHER: never left out.

| class | name | drawn as |
|---|---|---|
${rows.join('\n')}

## New objects

NEWOBJ says by SYMINS what it asks a chart to draw.
A virtual aid to navigation is one whose CLSNAM, CLSDEF, OBJNAM or text (TX) says so; its kind is told by the words of CLSNAM or CLSDEF (points of the compass with "cardinal" alone), else by the symbol of SYMINS, else it is \`VAIS-other\`.

| symbol | words | symbol asked for |
|---|---|---|
${kinds.join('\n')}

| instruction of SYMINS | of any other new object |
|---|---|
${instructions.join('\n')}
| none | \`NEWOBJ01\` |

Objects of other classes are drawn by their row above, whatever SYMINS asks for.
`;
}
