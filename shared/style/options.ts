// The table of the parameters of base.json. Schemas, saved styles, live options, attributes of the chart
// element and forms are derived from it. Descriptions and labels: option-texts.ts.

/** The palettes of S-52. A saved style starts from one of them. */
export const BASE_THEMES = ['day', 'dusk', 'night'] as const;
/** `night-bright` is for screens that cannot show the dark tones of S-52; `yacht` has softer day colours. */
export const THEMES = [...BASE_THEMES, 'night-bright', 'yacht'] as const;
export type BaseTheme = (typeof BASE_THEMES)[number];
export type Theme = (typeof THEMES)[number];
/** Theme of the chart page and of the chart element if none is chosen. base.json has its own default. */
export const CHART_THEME = 'yacht' satisfies Theme;
/** Symbol sets, by the name that saved styles of VectorCharts use for them. */
export const ICON_SETS = THEMES.map((theme) => `enc-${theme}` as const);

export const DEPTH_UNITS = ['meters', 'feet', 'fathoms'] as const;
export type DepthUnits = (typeof DEPTH_UNITS)[number];

/**
 * Text groups of S-52 (PresLib e4.0, section 14.5): `important` are clearances, bearings, rates of streams, channels
 * of calling-in points and fog signals (11), `names` are names for position reports (21), `lights` are light
 * characteristics (23), `seabed` is the nature of the seabed (25), `places` are names on land (26), `other` is the
 * rest. Soundings and depths of contours belong to no group.
 */
export const TEXT_GROUPS = ['important', 'names', 'lights', 'seabed', 'places', 'other'] as const;
export type TextGroup = (typeof TEXT_GROUPS)[number];

/** A list in a query is comma-separated. `one-of` and `several` have `values`. */
type Kind =
  | ('flag' | 'number' | 'one-of' | 'several' | 'layer-ids')
  | ('imagery-template' | 'glyphs-template' | 'fonts' | 'style-id' | 'style-name');

export interface StyleParameter {
  readonly kind: Kind;
  readonly values?: readonly string[];
  /** Smallest and largest number. */
  readonly range?: readonly [number, number];
  readonly unit?: string;
  readonly default?: unknown;
  /** Whether a document with `live` keeps the value in the global state of the map. */
  readonly isLive?: true;
  /** Whether the parameter is not a setting of a saved style. */
  readonly isUnsaved?: true;
}

export const STYLE_PARAMETERS = {
  styleId: { kind: 'style-id', isUnsaved: true },
  styleName: { kind: 'style-name', isUnsaved: true },
  /** A saved style stores it as `baseTheme`. */
  theme: { kind: 'one-of', values: THEMES, default: 'day', isUnsaved: true },
  /** Safety contour in metres for all `depthUnits`. Range: the highest tides to below the deepest sea. */
  depthLimit: { kind: 'number', range: [-20, 12_000], unit: 'metres', default: 3, isLive: true },
  /** Limits of the tints. Water shallower than the safety contour never has the tint of deeper water. */
  shallowDepth: { kind: 'number', range: [0, 12_000], unit: 'metres', default: 2 },
  deepDepth: { kind: 'number', range: [0, 12_000], unit: 'metres', default: 30 },
  depthUnits: { kind: 'one-of', values: DEPTH_UNITS, default: 'meters', isLive: true },
  soundingOpacity: { kind: 'number', range: [0, 1], default: 1 },
  /** If absent, the symbols of the theme. */
  iconSet: { kind: 'one-of', values: ICON_SETS },
  roundOffSoundings: { kind: 'flag', default: false, isLive: true },
  showLightSectors: { kind: 'flag', default: true, isLive: true },
  showEncBoundaries: { kind: 'flag', default: false, isLive: true },
  showMaritimeBoundaries: {
    kind: 'one-of',
    values: ['false', 'lines', 'full'],
    default: 'false',
  },
  showPlaceNames: { kind: 'flag', default: true, isLive: true },
  showOverscale: { kind: 'flag', default: true, isLive: true },
  showNoData: { kind: 'flag', default: true },
  /** The patterns of S-52 on the tints of uncharted areas. */
  hatchNoData: { kind: 'flag', default: false },
  /** Never a part of the official chart. Without published depths it has no effect. */
  showCrowdDepth: {
    kind: 'one-of',
    values: ['false', 'depths', 'uncertainty', 'differences'],
    default: 'false',
  },
  showUserReports: { kind: 'flag', default: false },
  showSatellite: { kind: 'flag', default: false },
  maskLandAreas: { kind: 'flag', default: false },
  satelliteTileUrl: { kind: 'imagery-template' },
  /** Overrides all parameters above, like `showLayers`. Unknown ids are ignored. */
  hideLayers: { kind: 'layer-ids', default: [] },
  showLayers: { kind: 'layer-ids', default: [] },
  glyphs: { kind: 'glyphs-template' },
  /** Each character uses the first font that contains it. */
  font: { kind: 'fonts' },
  symbols: { kind: 'one-of', values: ['simplified', 'paper'], default: 'simplified' },
  boundaries: { kind: 'one-of', values: ['plain', 'symbolized'], default: 'plain' },
  /** If absent, topmarks are shown with paper symbols, because simplified symbols include them. */
  topmarks: { kind: 'flag' },
  lightText: { kind: 'flag', default: true, isLive: true },
  isolatedDangersInShallow: { kind: 'flag', default: false, isLive: true },
  fullNames: { kind: 'flag', default: false, isLive: true },
  showDataQuality: { kind: 'flag', default: false, isLive: true },
  /** A text is hidden if its group or the flag of the text is off. */
  textGroups: { kind: 'several', values: TEXT_GROUPS, default: TEXT_GROUPS },
  /** Keeps the options with `isLive` in the global state of the map. */
  live: { kind: 'flag', default: false, isUnsaved: true },
} as const satisfies Readonly<Record<string, StyleParameter>>;

type Table = typeof STYLE_PARAMETERS;
export type StyleParameterName = keyof Table;
/** The names of the parameters with a property, such as `isLive`. */
type NamesWith<Property> = {
  [Name in StyleParameterName]: Table[Name] extends Property ? Name : never;
}[StyleParameterName];

type ValueOf<Parameter> = Parameter extends { kind: 'flag' }
  ? boolean
  : Parameter extends { kind: 'number' }
    ? number
    : Parameter extends { kind: 'one-of'; values: readonly (infer Value)[] }
      ? Value
      : Parameter extends { kind: 'several'; values: readonly (infer Value)[] }
        ? readonly Value[]
        : Parameter extends { kind: 'layer-ids' }
          ? readonly string[]
          : string;
/** The type of a parameter after parsing. */
export type StyleValue<Name extends StyleParameterName> = ValueOf<Table[Name]>;

export type LiveOption = NamesWith<{ isLive: true }>;
export type LiveFlag = NamesWith<{ isLive: true; kind: 'flag' }>;
export type UnsavedParameter = NamesWith<{ isUnsaved: true }>;

type OptionWithDefault = NamesWith<{ default: unknown }>;
type OptionWithoutDefault = Exclude<
  StyleParameterName,
  OptionWithDefault | 'styleId' | 'styleName'
>;

/** The options of a style document. */
export type StyleOptions = {
  readonly [Name in keyof Table as Extract<Name, OptionWithDefault>]: StyleValue<Name>;
} & {
  readonly [Name in keyof Table as Extract<Name, OptionWithoutDefault>]?: StyleValue<Name>;
} & {
  /** Colour token to `#rrggbb`, from a saved style. */
  readonly colors: Readonly<Record<string, string>>;
};

// The annotations let bundlers leave out what the chart element does not use.
const ROWS = /* @__PURE__ */ Object.entries<StyleParameter>(STYLE_PARAMETERS);
export const LIVE_OPTIONS = /* @__PURE__ */ ROWS.flatMap(([name, { isLive }]) =>
  isLive === true ? [name as LiveOption] : [],
);

/** The theme whose symbols a document uses. */
export const symbolTheme = ({ theme, iconSet }: Pick<StyleOptions, 'theme' | 'iconSet'>): Theme =>
  THEMES.find((one) => iconSet === `enc-${one}`) ?? theme;

export const DEFAULT_OPTIONS = /* @__PURE__ */ defaultOptions();

function defaultOptions(): StyleOptions {
  const defaults = ROWS.flatMap(([name, row]) =>
    row.default === undefined ? [] : [[name, row.default]],
  );
  return { ...Object.fromEntries(defaults), colors: {} } as unknown as StyleOptions;
}

/** Whether a layer is needed: because of its own option, or because `showLayers` lists the layer. */
export const isWanted = (options: StyleOptions, layerId: string, byOption: boolean): boolean =>
  byOption || options.showLayers.includes(layerId);

/** Absolute URLs of the resources of a document. */
export interface StyleAddresses {
  /** Template with {z}, {x} and {y}. */
  readonly tiles: string;
  readonly sprite: string;
  /** Template with {fontstack} and {range}. */
  readonly glyphs: string;
  /**
   * Template of CSS files for the fonts, with {font-family}, {fontweight} and {-fontstyle}, for clients that
   * draw text with browser fonts. Absent if the deployment has no such files.
   */
  readonly webFonts?: string;
  /** Template of tiles of active user reports. Absent if the deployment does not list reports. */
  readonly reports?: string;
  /** Tiles of crowdsourced depths. Absent if the deployment does not publish them. */
  readonly crowd?: CrowdTiles;
  /** Imagery if the request has no `satelliteTileUrl`. Absent if the deployment has no imagery. */
  readonly satellite?: Imagery;
}

/** The published crowdsourced depths. */
export interface CrowdTiles {
  readonly template: string;
  readonly bounds: readonly [number, number, number, number];
  readonly attribution: string;
}

/** Imagery of a deployment, or the built-in imagery. */
export interface Imagery {
  readonly template: string;
  /** Maximum zoom of its tiles of 256 pixels. Absent if it is not known. */
  readonly maxZoom?: number;
  readonly attribution?: string;
}

/** Properties of the tiles, for the source and the metadata of a document. */
export interface StyleChart {
  readonly bounds: readonly [number, number, number, number];
  readonly attribution: string;
  readonly buildId: string;
}
