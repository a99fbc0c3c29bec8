// Attributes for all parameters of the style endpoint, in kebab-case (`showLightSectors` is
// `show-light-sectors`).

import type { StyleParameters } from '../wire.ts';

type Kind = 'text' | 'number' | 'flag' | 'list';

/** Parameters that the element sets itself. */
type OwnParameter = 'live' | 'showUserReports';
export type ChartParameters = Omit<StyleParameters, OwnParameter>;
export type ParameterName = keyof ChartParameters;

/** The type requires an entry for each parameter of the service. */
const KINDS: Readonly<Record<ParameterName, Kind>> = {
  styleId: 'text',
  styleName: 'text',
  theme: 'text',
  depthLimit: 'number',
  depthUnits: 'text',
  roundOffSoundings: 'flag',
  showLightSectors: 'flag',
  showEncBoundaries: 'flag',
  showMaritimeBoundaries: 'text',
  showPlaceNames: 'flag',
  showOverscale: 'flag',
  showNoData: 'flag',
  showSatellite: 'flag',
  maskLandAreas: 'flag',
  satelliteTileUrl: 'text',
  hideLayers: 'list',
  showLayers: 'list',
  glyphs: 'text',
  font: 'text',
  symbols: 'text',
  boundaries: 'text',
  topmarks: 'flag',
  lightText: 'flag',
  isolatedDangersInShallow: 'flag',
  textGroups: 'list',
};

export const PARAMETERS = Object.keys(KINDS) as readonly ParameterName[];

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
  const said = PARAMETERS.flatMap((name): [string, unknown][] => {
    const text = read(attributeOf(name));
    return text === null ? [] : [[name, typedValue(KINDS[name], text)]];
  });
  return Object.fromEntries(said) as ChartParameters;
}

function typedValue(kind: Kind, text: string): unknown {
  switch (kind) {
    case 'text':
      return text;
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'flag':
      // An attribute without a value is `true`, as in HTML.
      return text === '' || text === 'true' ? true : text === 'false' ? false : text;
    case 'list': {
      const names = text.split(',').map((one) => one.trim());
      return names.filter((one) => one !== '' && one !== 'none');
    }
  }
}

/** Returns a value as attribute text, or `null` to remove the attribute. */
export function attributeText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',');
  return String(value);
}
