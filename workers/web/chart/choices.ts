// The display choices of the chart page, derived from the table of style parameters. They are used for the
// form, the style URL and the page link.

import { STYLE_TEXTS } from '../../../shared/style/option-texts.ts';
import {
  CHART_THEME,
  STYLE_PARAMETERS,
  type StyleParameter,
  type StyleParameterName,
} from '../../../shared/style/options.ts';
import type { ChartParameters } from '../client/chart/parameters.ts';

export interface Choice {
  readonly name: string;
  readonly label: string;
  /** A value of `several` is a comma-separated list, or `none`. */
  readonly kind: 'one-of' | 'several' | 'number' | 'yes-no' | 'yes-no-usual';
  readonly values?: readonly (readonly [value: string, label: string])[];
  /** Smallest and largest number. */
  readonly range?: readonly [number, number];
  readonly otherwise: string;
  /** The page draws this itself, on top of the style. */
  readonly isDrawnHere?: true;
}

/** The form shows these parameters in this order. */
const SHOWN = [
  'theme',
  'depthUnits',
  'depthLimit',
  'shallowDepth',
  'deepDepth',
  'roundOffSoundings',
  'showLightSectors',
  'lightText',
  'showPlaceNames',
  'fullNames',
  'symbols',
  'topmarks',
  'boundaries',
  'isolatedDangersInShallow',
  'showEncBoundaries',
  'showOverscale',
  'showNoData',
  'hatchNoData',
  'showMaritimeBoundaries',
  'showDataQuality',
  'textGroups',
  'showCrowdDepth',
  'showUserReports',
] as const satisfies readonly StyleParameterName[];

/** Differences from the table. */
const OWN: Readonly<Partial<Record<StyleParameterName, Partial<Choice>>>> = {
  theme: { otherwise: CHART_THEME },
  topmarks: {
    kind: 'yes-no-usual',
    values: [
      ['', 'Default for the symbols'],
      ['true', 'Shown'],
      ['false', 'Hidden'],
    ],
  },
  // The page draws reports itself, so that a new report shows at once and the map library logs no
  // error while reports are unavailable.
  showUserReports: { otherwise: 'true', isDrawnHere: true },
};

function choiceOf(name: (typeof SHOWN)[number]): Choice {
  const { kind, range, ...row }: StyleParameter = STYLE_PARAMETERS[name];
  const { label = name, values } = STYLE_TEXTS[name];
  return {
    name,
    label,
    kind: kind === 'flag' ? 'yes-no' : (kind as Choice['kind']),
    ...(values === undefined ? {} : { values: Object.entries(values) }),
    ...(range === undefined ? {} : { range }),
    otherwise: String(row.default ?? ''),
    ...OWN[name],
  };
}

export const CHOICES: readonly Choice[] = SHOWN.map(choiceOf);

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
  const choices = styleId === undefined ? withoutDefaults(chosen) : withDefaults(chosen);
  const values = CHOICES.flatMap((choice): [string, unknown][] => {
    const value = choices[choice.name];
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

/** Each finite number as `String` writes it, because the page writes saved settings to its link. */
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Returns whether a text from a link is a valid value of a choice. */
export function isValueOf({ kind, values = [] }: Choice, text: string): boolean {
  const isListed = (one: string) => values.some(([known]) => known === one);
  switch (kind) {
    case 'yes-no':
      return text === 'true' || text === 'false';
    case 'number':
      return text.length <= 64 && NUMBER.test(text) && Number.isFinite(Number(text));
    case 'several':
      return text === 'none' || text.split(',').every(isListed);
    default:
      return isListed(text);
  }
}
