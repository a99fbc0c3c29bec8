// Texts of the style parameters. They are not in the table of options.ts, so that the chart element, which
// shows none of them, stays small.

import { type STYLE_PARAMETERS, type StyleParameterName, TEXT_GROUPS } from './options.ts';

type ValuesOf<Name extends StyleParameterName> = (typeof STYLE_PARAMETERS)[Name] extends {
  readonly values: readonly (infer Value extends string)[];
}
  ? Value
  : never;

interface ParameterTexts<Value extends string> {
  /** For the API reference. */
  readonly description: string;
  /** Of the form control on the chart page. */
  readonly label?: string;
  /** Labels of the values in the form control. */
  readonly values?: Readonly<Record<Value, string>>;
}

export const STYLE_TEXTS: {
  readonly [Name in StyleParameterName]: ParameterTexts<ValuesOf<Name>>;
} = {
  styleId: {
    description: 'Id of a saved style, whose colours and settings override the defaults',
  },
  styleName: { description: 'Name of a saved style; ignored if `styleId` is present' },
  theme: {
    description:
      'Colour palette: day, dusk or night; night-bright for screens that cannot display dark tones; yacht for softer day colours',
    label: 'Theme',
    values: {
      day: 'Day',
      dusk: 'Dusk',
      night: 'Night',
      'night-bright': 'Night (bright)',
      yacht: 'Day (soft colours)',
    },
  },
  depthLimit: {
    description:
      'Safety contour in metres, independent of `depthUnits`; shallower water is highlighted',
    label: 'Safety depth (m)',
  },
  shallowDepth: {
    description:
      'Shallow contour in metres: limit of the tint of very shallow water, at most `depthLimit`',
    label: 'Shallow contour (m)',
  },
  deepDepth: {
    description: 'Deep contour in metres: limit of the tint of deep water, at least `depthLimit`',
    label: 'Deep contour (m)',
  },
  depthUnits: {
    description: 'Unit of depths: meters, feet or fathoms',
    label: 'Depth units',
    values: { meters: 'Metres', feet: 'Feet', fathoms: 'Fathoms' },
  },
  soundingOpacity: {
    description: 'Opacity of soundings, from 0 to 1; depths of dangers stay opaque',
    label: 'Opacity of soundings',
  },
  iconSet: {
    description:
      'Symbols of another theme: `enc-` and its name; by default those of `theme`. Another `theme` in the request overrides that of a saved style',
    label: 'Symbol set',
    values: {
      'enc-day': 'Day',
      'enc-dusk': 'Dusk',
      'enc-night': 'Night',
      'enc-night-bright': 'Night (bright)',
      'enc-yacht': 'Day (soft colours)',
    },
  },
  roundOffSoundings: {
    description: 'Show soundings as integers; they are never rounded up across the safety contour',
    label: 'Soundings without decimals',
  },
  showLightSectors: {
    description: 'Show the arcs and legs of sector lights',
    label: 'Light sectors',
  },
  showEncBoundaries: {
    description: 'Show the outlines of chart cells',
    label: 'Chart cell boundaries',
  },
  showMaritimeBoundaries: {
    description: 'Show maritime zones and administration areas: false, lines or full',
    label: 'Maritime zones',
    values: { false: 'Hidden', lines: 'Limits and names', full: 'Limits, names and tints' },
  },
  showPlaceNames: {
    description: 'Show names of land areas, towns and landmarks',
    label: 'Place names',
  },
  showOverscale: {
    description: 'Show a pattern where a chart is enlarged far beyond its scale',
    label: 'Overscale pattern',
  },
  showNoData: {
    description: 'Mark where there is no chart, with a line where the charts begin',
    label: 'Limit of the charts',
  },
  hatchNoData: {
    description: 'Hatch areas without charts, as S-52 does; by default they have a pale tint only',
    label: 'Hatching where there is no chart',
  },
  fullNames: {
    description:
      'Show full names of buoys, beacons and channel quarters at all zooms; by default, below zoom 15 only the number or letters at the end of the name',
    label: 'Full names of buoys and beacons',
  },
  showDataQuality: {
    description: 'Show the quality of the data as a pattern (zones of confidence, CATZOC)',
    label: 'Quality of data',
  },
  showCrowdDepth: {
    description:
      'Show crowdsourced depths, which are not a part of the official chart: false, depths, uncertainty (95 %) or differences from the charted depths. No effect if the service does not publish them',
    label: 'Crowdsourced depths',
    values: {
      false: 'Hidden',
      depths: 'Depths',
      uncertainty: 'Uncertainty',
      differences: 'Differences from the chart',
    },
  },
  showUserReports: { description: 'Show markers of user reports', label: 'User reports' },
  showSatellite: { description: 'Show imagery below the chart' },
  maskLandAreas: {
    description: 'With imagery, hide plain land, lakes and ice outside charted areas',
  },
  satelliteTileUrl: {
    description:
      'URL template of the imagery, with {z}, {x} and {y}, or {quadkey}, or {bbox-epsg-3857}; by default the imagery of the service',
  },
  hideLayers: {
    description:
      'Ids of style layers to hide; by default none. Separated by commas in a query. Soundings are in `SOUNDG-label`, shoal ones in `SOUNDG-depth`',
  },
  showLayers: {
    description:
      'Ids of the only style layers to show; by default all. Separated by commas in a query; overrides other parameters',
  },
  glyphs: {
    description:
      'URL template of the glyphs, with {fontstack} and {range}; by default those of the service',
  },
  font: {
    description:
      'Font of all texts, or several fonts separated by commas; by default `Noto Sans`, with its bold and italic fonts. Each character uses the first font that contains it',
  },
  symbols: {
    description: 'Symbols of buoys and beacons: simplified, or with the shapes of paper charts',
    label: 'Buoys and beacons',
    values: { simplified: 'Simplified', paper: 'Paper chart' },
  },
  boundaries: {
    description: 'Boundaries of areas: plain lines, or symbolized',
    label: 'Area boundaries',
    values: { plain: 'Plain', symbolized: 'Symbolized' },
  },
  topmarks: {
    description: 'Show topmarks; by default only with paper symbols',
    label: 'Topmarks',
  },
  lightText: { description: 'Show the characteristics of lights', label: 'Light descriptions' },
  isolatedDangersInShallow: {
    description: 'Mark isolated dangers in water shallower than the safety contour too',
    label: 'Isolated dangers in shallow water',
  },
  textGroups: {
    description: `Groups of texts to show, separated by commas: ${TEXT_GROUPS.join(', ')}; or none. By default all. Soundings and depths belong to no group`,
    label: 'Text',
    values: {
      important: 'Clearances and bearings',
      names: 'Names for position reports',
      lights: 'Lights',
      seabed: 'Seabed',
      places: 'Places on land',
      other: 'Other text',
    },
  },
  live: {
    description:
      'Make safety depth, units and toggles global state of the map, so that an app can change them without a new request. Needs MapLibre GL JS 5.16.0, or MapLibre Native 13.7.1 on Android or 7.0.0 on iOS',
  },
};
