// The display choices as a table, used for the form, the style URL and the page link. Names and values
// are the parameters of base.json.

import type { TextGroup } from '../../../shared/style/options.ts';
import type { ChartParameters } from '../client/chart/parameters.ts';

export interface Choice {
  readonly name: string;
  readonly label: string;
  /** A value of `several` is a comma-separated list, or `none`. */
  readonly kind: 'one-of' | 'several' | 'number' | 'yes-no' | 'yes-no-usual';
  readonly values?: readonly (readonly [value: string, label: string])[];
  readonly otherwise: string;
  /** The page draws this itself, on top of the style. */
  readonly isDrawnHere?: true;
}

const TEXTS = [
  ['important', 'Clearances and bearings'],
  ['names', 'Names for position reports'],
  ['lights', 'Lights'],
  ['seabed', 'Seabed'],
  ['places', 'Places on land'],
  ['other', 'Other text'],
] as const satisfies readonly (readonly [TextGroup, string])[];

const yesNo = (name: string, label: string, otherwise: 'true' | 'false'): Choice => ({
  name,
  label,
  kind: 'yes-no',
  otherwise,
});

export const CHOICES: readonly Choice[] = [
  {
    name: 'theme',
    label: 'Theme',
    kind: 'one-of',
    values: [
      ['day', 'Day'],
      ['dusk', 'Dusk'],
      ['night', 'Night'],
      ['night-bright', 'Night (bright)'],
      ['yacht', 'Day (soft colours)'],
    ],
    otherwise: 'day',
  },
  {
    name: 'depthUnits',
    label: 'Depth units',
    kind: 'one-of',
    values: [
      ['meters', 'Metres'],
      ['feet', 'Feet'],
      ['fathoms', 'Fathoms'],
    ],
    otherwise: 'meters',
  },
  { name: 'depthLimit', label: 'Safety depth (m)', kind: 'number', otherwise: '3' },
  yesNo('roundOffSoundings', 'Soundings without decimals', 'false'),
  yesNo('showLightSectors', 'Light sectors', 'true'),
  yesNo('lightText', 'Light descriptions', 'true'),
  yesNo('showPlaceNames', 'Place names', 'true'),
  {
    name: 'symbols',
    label: 'Buoys and beacons',
    kind: 'one-of',
    values: [
      ['simplified', 'Simplified'],
      ['paper', 'Paper chart'],
    ],
    otherwise: 'simplified',
  },
  {
    name: 'topmarks',
    label: 'Topmarks',
    kind: 'yes-no-usual',
    values: [
      ['', 'Default for the symbols'],
      ['true', 'Shown'],
      ['false', 'Hidden'],
    ],
    otherwise: '',
  },
  {
    name: 'boundaries',
    label: 'Area boundaries',
    kind: 'one-of',
    values: [
      ['plain', 'Plain'],
      ['symbolized', 'Symbolized'],
    ],
    otherwise: 'plain',
  },
  yesNo('isolatedDangersInShallow', 'Isolated dangers in shallow water', 'false'),
  yesNo('showEncBoundaries', 'Chart cell boundaries', 'false'),
  yesNo('showOverscale', 'Overscale pattern', 'true'),
  yesNo('showNoData', 'No-data pattern', 'true'),
  {
    name: 'textGroups',
    label: 'Text',
    kind: 'several',
    values: TEXTS,
    otherwise: TEXTS.map(([group]) => group).join(','),
  },
  // The page draws reports itself, so that a new report shows at once and the map library logs no
  // error while reports are unavailable.
  { ...yesNo('showUserReports', 'User reports', 'true'), isDrawnHere: true },
];

/** Chosen values by name. A missing choice has the default of the table. */
export type Chosen = Readonly<Record<string, string>>;

/** Returns only the choices that differ from the defaults, so that equal charts have equal URLs. */
export function withoutDefaults(chosen: Chosen): Chosen {
  return Object.fromEntries(
    CHOICES.flatMap(({ name, otherwise }) => {
      const value = chosen[name];
      return value === undefined || value === otherwise ? [] : [[name, value]];
    }),
  );
}

/** Returns all choices. A saved style may have its own value for a choice that is left out. */
export function withDefaults(chosen: Chosen): Chosen {
  return Object.fromEntries(
    CHOICES.map(({ name, otherwise }) => [name, chosen[name] ?? otherwise]),
  );
}

/** Returns the choices for a style document. What the page draws itself is off. */
export function choicesOfStyle(chosen: Chosen): Chosen {
  const ours = CHOICES.filter(({ isDrawnHere }) => isDrawnHere === true);
  return { ...chosen, ...Object.fromEntries(ours.map(({ name }) => [name, 'false'])) };
}

/**
 * Returns the choices as parameters of the chart. Defaults are left out unless a saved style may
 * override them.
 */
export function parametersOf(chosen: Chosen, styleId: string | undefined): ChartParameters {
  const said = styleId === undefined ? withoutDefaults(chosen) : withDefaults(chosen);
  const values = CHOICES.flatMap((choice): [string, unknown][] => {
    const value = said[choice.name];
    if (value === undefined || choice.isDrawnHere === true) return [];
    return [[choice.name, typedValue(choice, value)]];
  });
  return { ...(Object.fromEntries(values) as ChartParameters), ...(styleId && { styleId }) };
}

/** Returns a choice in the type of the service's schema, or `null` for an empty choice. */
export function typedValue(
  { kind }: Choice,
  value: string,
): string | number | boolean | readonly string[] | null {
  switch (kind) {
    case 'yes-no':
    case 'yes-no-usual':
      return value === '' ? null : value === 'true';
    case 'number':
      return Number(value);
    case 'several':
      return value === 'none' ? [] : value.split(',');
    case 'one-of':
      return value;
  }
}

/** Returns whether a text from a link is a valid value of a choice. */
export function isValueOf({ kind, values = [] }: Choice, text: string): boolean {
  const isListed = (one: string) => values.some(([known]) => known === one);
  switch (kind) {
    case 'yes-no':
      return text === 'true' || text === 'false';
    case 'number':
      return /^-?\d{1,5}(\.\d{1,2})?$/.test(text);
    case 'several':
      return text === 'none' || text.split(',').every(isListed);
    default:
      return isListed(text);
  }
}
