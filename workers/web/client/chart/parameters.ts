// Attributes for all parameters of the style endpoint, in kebab-case (`showLightSectors` is
// `show-light-sectors`).

import { STYLE_PARAMETERS, type StyleParameter } from '../../../../shared/style/options.ts';
import type { StyleParameters } from '../wire.ts';

/** Parameters that the element sets itself. */
const OWN_PARAMETERS: readonly string[] = ['live', 'showUserReports'] satisfies OwnParameter[];
type OwnParameter = 'live' | 'showUserReports';
export type ChartParameters = Omit<StyleParameters, OwnParameter>;
export type ParameterName = keyof ChartParameters;

export const PARAMETERS = Object.keys(STYLE_PARAMETERS).filter(
  (name) => !OWN_PARAMETERS.includes(name),
) as readonly ParameterName[];

/** Attribute names that differ from the parameter. */
const OWN_NAMES: Partial<Record<ParameterName, string>> = {
  depthLimit: 'safety-depth',
  depthUnits: 'units',
};

export const attributeOf = (name: ParameterName): string =>
  OWN_NAMES[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Reads the parameters from attributes. Invalid values are kept unchanged, so that the service rejects them:
 * ignoring them could silently drop a safety depth.
 *
 * @param read returns the value of an attribute, or `null` if it is absent
 */
export function readParameters(read: (attribute: string) => string | null): ChartParameters {
  const entries = PARAMETERS.flatMap((name): [string, unknown][] => {
    const text = read(attributeOf(name));
    return text === null ? [] : [[name, typedValue(STYLE_PARAMETERS[name], text)]];
  });
  return Object.fromEntries(entries) as ChartParameters;
}

function typedValue({ kind }: StyleParameter, text: string): unknown {
  switch (kind) {
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'flag':
      // An attribute without a value is `true`, as in HTML.
      return text === '' || text === 'true' ? true : text === 'false' ? false : text;
    case 'several':
    case 'layer-ids': {
      const names = text.split(',').map((one) => one.trim());
      return names.filter((one) => one !== '' && one !== 'none');
    }
    default:
      return text;
  }
}

/** Returns a value as attribute text, or `null` to remove the attribute. */
export function attributeText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',');
  return String(value);
}
