// The attributes of the element that say how the chart looks: every parameter of the style endpoint, in
// the way of HTML (`showLightSectors` is `show-light-sectors`).

import type { StyleParameters } from '../wire.ts';

type Kind = 'text' | 'number' | 'flag' | 'list';

/** Parameters that the element says by itself: it is always live, and draws reports as they are now. */
type OwnParameter = 'live' | 'showUserReports';
export type ChartParameters = Omit<StyleParameters, OwnParameter>;
export type ParameterName = keyof ChartParameters;

/** Complete by its type: a parameter that the service learns has to be named here. */
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

/** Those that every sailor knows have a name of their own. */
const OWN_NAMES: Partial<Record<ParameterName, string>> = {
  depthLimit: 'safety-depth',
  depthUnits: 'units',
};

export const attributeOf = (name: ParameterName): string =>
  OWN_NAMES[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * What attributes say. A value that is none of its kind is kept as it stands, for the service to refuse
 * it by name: left out, it would be a safety depth that was lost in silence.
 *
 * @param read the text of an attribute; null where it is absent
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
      // As HTML has it: an attribute without a value is set.
      return text === '' || text === 'true' ? true : text === 'false' ? false : text;
    case 'list': {
      const names = text.split(',').map((one) => one.trim());
      return names.filter((one) => one !== '' && one !== 'none');
    }
  }
}

/** A value as the text of its attribute; null where the attribute is to be absent. */
export function attributeText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',');
  return String(value);
}
