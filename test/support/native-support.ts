// The style properties that MapLibre GL JS, and MapLibre Native on Android and iOS support, from MapLibre's
// specification.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';

interface Entry {
  readonly 'sdk-support'?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly values?: Readonly<Record<string, Entry>>;
  readonly [member: string]: unknown;
}
type Table = Readonly<Record<string, Entry>>;

// The entry of the package has it without the column of support.
const entry = createRequire(import.meta.url).resolve('@maplibre/maplibre-gl-style-spec');
const file = join(dirname(entry), 'latest.json');
const specification = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Table>>;

const PLATFORMS = ['js', 'android', 'ios'] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface NativeNeeds {
  /** What a platform lacks, as `android: paint_line.line-x`. */
  readonly lacks: readonly string[];
  /** The newest version that anything in the style needs, by platform. */
  readonly versions: Readonly<Record<Platform, string>>;
}

/** Expressions begin with a name of the specification; other lists are values. */
const OPERATORS = specification['expression_name']!['values'] as unknown as Table;

const UNKNOWN: Entry = { 'sdk-support': {} };
/** Expressions in `visibility` are newer than the expression itself. */
const STATE_SUPPORT = '[`global-state`](expressions/#global-state) expression';

/** Everything of the specification that a style uses: name, entry, and the part of its support. */
function* usedBy(style: StyleSpecification): Generator<readonly [string, Entry, string]> {
  for (const name of Object.keys(style)) {
    // The table says nothing of these, so that nobody can count on them.
    const isUnknown = ['light', 'sky', 'projection', 'terrain'].includes(name);
    yield [name, isUnknown ? UNKNOWN : specification['$root']![name]!, 'basic functionality'];
  }
  const types = specification['layer']!['type']!.values!;
  for (const layer of style.layers) {
    yield [`layer ${layer.type}`, types[layer.type]!, 'basic functionality'];
    for (const group of ['paint', 'layout'] as const) {
      const table = specification[`${group}_${layer.type}`]!;
      for (const [name, value] of Object.entries(layer[group] ?? {})) {
        const property = table[name];
        if (property === undefined) throw new Error(`The specification has no ${name}.`);
        yield [name, property, 'basic functionality'];
        const operators = [...operatorsIn(value)];
        if (operators.includes('get')) yield [name, property, 'data-driven styling'];
        if (name === 'visibility' && operators.length > 0) yield [name, property, STATE_SUPPORT];
        for (const operator of operators) {
          yield [`["${operator}"]`, OPERATORS[operator]!, 'basic functionality'];
        }
      }
    }
    for (const operator of operatorsIn('filter' in layer ? layer.filter : undefined)) {
      yield [`["${operator}"]`, OPERATORS[operator]!, 'basic functionality'];
    }
  }
}

function* operatorsIn(value: unknown): Generator<string> {
  if (!Array.isArray(value) || value[0] === 'literal') return;
  if (typeof value[0] === 'string' && Object.hasOwn(OPERATORS, value[0])) yield value[0];
  for (const one of value) yield* operatorsIn(one);
}

const ALWAYS: Readonly<Record<string, string>> = { js: '0', android: '0', ios: '0' };

/** What a style needs of MapLibre. */
export function nativeNeeds(style: StyleSpecification): NativeNeeds {
  const lacks = new Set<string>();
  const versions = { js: '0', android: '0', ios: '0' };
  for (const [name, of, part] of usedBy(style)) {
    // What was there from the first version has no table: the version, the name, the layers.
    const support = of['sdk-support'] === undefined ? ALWAYS : of['sdk-support'][part];
    for (const platform of PLATFORMS) {
      // Anything else is the address of the issue that asks for it.
      const version = support?.[platform] ?? '';
      if (!/^\d+(\.\d+)*$/.test(version)) lacks.add(`${platform}: ${name} (${part})`);
      else if (isNewer(version, versions[platform])) versions[platform] = version;
    }
  }
  return { lacks: [...lacks].sort(), versions };
}

/** Made once: for each comparison it takes longer than the comparison. */
const byNumbers = new Intl.Collator('en', { numeric: true });

/** Whether a version is newer than another one. */
export const isNewer = (a: string, b: string): boolean => byNumbers.compare(a, b) > 0;
