// What a reader of the chart may choose, as data: the form, the style's address and the link are
// all made from this one table. Names and values are those of base.json.

import type { TextGroup } from '../../../shared/style/options.ts';
import type { ChartParameters } from '../client/chart/parameters.ts';

export interface Choice {
  readonly name: string;
  readonly label: string;
  /** Values of `several` are one text with commas, `none` where it is none of them. */
  readonly kind: 'one-of' | 'several' | 'number' | 'yes-no' | 'yes-no-usual';
  readonly values?: readonly (readonly [value: string, label: string])[];
  readonly otherwise: string;
  /** The page draws it over the style, whose document does without. */
  readonly isDrawnHere?: true;
}

const TEXTS = [
  ['important', 'Clearances and bearings'],
  ['names', 'Names to report by'],
  ['lights', 'Lights'],
  ['seabed', 'Sea bed'],
  ['places', 'Places on land'],
  ['other', 'Others'],
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
    label: 'Light',
    kind: 'one-of',
    values: [
      ['day', 'Day'],
      ['dusk', 'Dusk'],
      ['night', 'Night'],
      ['night-bright', 'Night, bright'],
      ['yacht', 'Day, calm'],
    ],
    otherwise: 'day',
  },
  {
    name: 'depthUnits',
    label: 'Depths in',
    kind: 'one-of',
    values: [
      ['meters', 'Metres'],
      ['feet', 'Feet'],
      ['fathoms', 'Fathoms'],
    ],
    otherwise: 'meters',
  },
  { name: 'depthLimit', label: 'Safety depth (m)', kind: 'number', otherwise: '3' },
  yesNo('roundOffSoundings', 'Whole soundings', 'false'),
  yesNo('showLightSectors', 'Light sectors', 'true'),
  yesNo('lightText', 'Light characters', 'true'),
  yesNo('showPlaceNames', 'Place names', 'true'),
  {
    name: 'symbols',
    label: 'Buoys and beacons',
    kind: 'one-of',
    values: [
      ['simplified', 'Simplified'],
      ['paper', 'As on paper'],
    ],
    otherwise: 'simplified',
  },
  {
    name: 'topmarks',
    label: 'Topmarks',
    kind: 'yes-no-usual',
    values: [
      ['', 'As on such marks'],
      ['true', 'Shown'],
      ['false', 'Hidden'],
    ],
    otherwise: '',
  },
  {
    name: 'boundaries',
    label: 'Limits of areas',
    kind: 'one-of',
    values: [
      ['plain', 'Dashed'],
      ['symbolized', 'With signs'],
    ],
    otherwise: 'plain',
  },
  yesNo('isolatedDangersInShallow', 'Isolated dangers in shallow water', 'false'),
  yesNo('showEncBoundaries', 'Cell outlines', 'false'),
  yesNo('showOverscale', 'Overscale pattern', 'true'),
  yesNo('showNoData', 'No-data pattern', 'true'),
  {
    name: 'textGroups',
    label: 'Texts',
    kind: 'several',
    values: TEXTS,
    otherwise: TEXTS.map(([group]) => group).join(','),
  },
  // Drawn here, as what was reported a moment ago must show, and as a style would complain whenever
  // reports cannot be had.
  { ...yesNo('showUserReports', 'User reports', 'true'), isDrawnHere: true },
];

/** Chosen values by name; what is not chosen is as in the table. */
export type Chosen = Readonly<Record<string, string>>;

/** Only what differs from the defaults, so that equal charts have equal addresses. */
export function withoutDefaults(chosen: Chosen): Chosen {
  return Object.fromEntries(
    CHOICES.flatMap(({ name, otherwise }) => {
      const value = chosen[name];
      return value === undefined || value === otherwise ? [] : [[name, value]];
    }),
  );
}

/** Every choice said, for where what is not said may be something else than the default. */
export function withDefaults(chosen: Chosen): Chosen {
  return Object.fromEntries(
    CHOICES.map(({ name, otherwise }) => [name, chosen[name] ?? otherwise]),
  );
}

/** The choices that a style document is made from; what the page draws itself is none of its. */
export function choicesOfStyle(chosen: Chosen): Chosen {
  const ours = CHOICES.filter(({ isDrawnHere }) => isDrawnHere === true);
  return { ...chosen, ...Object.fromEntries(ours.map(({ name }) => [name, 'false'])) };
}

/**
 * The choices as the chart's parameters; what is as usual is not said, unless a saved style might say
 * something else.
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

/** A choice of the form as the service's schemas have it; null where it says nothing. */
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

/** Whether a text is a value of a choice, as links may say anything. */
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
