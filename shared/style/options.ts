// Every display option of a style document with its default, once. The contract parses requests
// into this shape; saved styles store a part of it.

/** The themes of S-52, which are the contract's, and those that saved styles begin with. */
export const BASE_THEMES = ['day', 'dusk', 'night'] as const;
/**
 * Beside them a night for screens that cannot show the dark tones of S-52's, and a calmer day for
 * those who do not want what an ECDIS shows.
 */
export const THEMES = [...BASE_THEMES, 'night-bright', 'yacht'] as const;
export type BaseTheme = (typeof BASE_THEMES)[number];
export type Theme = (typeof THEMES)[number];

/** Safety contours that make sense, in metres: the highest tides to beyond the deepest sea. */
export const DEPTH_LIMIT_RANGE = [-20, 12_000] as const;

export const DEPTH_UNITS = ['meters', 'feet', 'fathoms'] as const;
export type DepthUnits = (typeof DEPTH_UNITS)[number];

export const MARITIME_BOUNDARIES = ['false', 'lines', 'full'] as const;
type MaritimeBoundaries = (typeof MARITIME_BOUNDARIES)[number];

/** Marks as S-52 draws them for small screens, or with the shapes and colours of paper charts. */
export const SYMBOL_SETS = ['simplified', 'paper'] as const;
/** Limits of areas as dashes alone, or with signs along them that say what they limit. */
export const BOUNDARY_STYLES = ['plain', 'symbolized'] as const;
/**
 * What texts are about, after the text groups of S-52 (PresLib e4.0, section 14.5): `important` are
 * clearances, bearings and fog signals (11), `names` those that positions are reported by (21),
 * `lights` characters (23), `seabed` natures of the sea bed (25), `places` names of land (26), and
 * `other` the rest. Soundings and depths of contours are in none.
 */
export const TEXT_GROUPS = ['important', 'names', 'lights', 'seabed', 'places', 'other'] as const;
export type TextGroup = (typeof TEXT_GROUPS)[number];

/** What a mariner chose, as the parameters of base.json name it; the last are none of the contract's. */
export interface StyleOptions {
  readonly theme: Theme;
  /** Safety contour in metres, whatever `depthUnits` says (S-57 depths are metres). */
  readonly depthLimit: number;
  readonly depthUnits: DepthUnits;
  readonly roundOffSoundings: boolean;
  readonly showLightSectors: boolean;
  readonly showEncBoundaries: boolean;
  readonly showMaritimeBoundaries: MaritimeBoundaries;
  readonly showPlaceNames: boolean;
  readonly showOverscale: boolean;
  /** Absent where the request does not say: shown then, but for over imagery. */
  readonly showNoData?: boolean;
  readonly showUserReports: boolean;
  readonly showSatellite: boolean;
  readonly maskLandAreas: boolean;
  readonly satelliteTileUrl?: string;
  /** Style layer ids; unknown ids are ignored. What they name wins over every choice of above. */
  readonly hideLayers: readonly string[];
  readonly showLayers: readonly string[];
  readonly symbols: (typeof SYMBOL_SETS)[number];
  readonly boundaries: (typeof BOUNDARY_STYLES)[number];
  /** Absent where the request does not say: shown with paper symbols, as simplified ones hold them. */
  readonly topmarks?: boolean;
  /** Characters of lights. */
  readonly lightText: boolean;
  /** Dangers within the safety depth marked as isolated in water that is shallower, too. */
  readonly isolatedDangersInShallow: boolean;
  /** Texts that are shown; each only where its own toggle does not say otherwise. */
  readonly textGroups: readonly TextGroup[];
  /** Choices that a map may change are its global state, and what is chosen here their start. */
  readonly live: boolean;
  readonly glyphs?: string;
  /** One font, or several separated by commas: each letter is of the first that has it. */
  readonly font?: string;
  /** Colour token to `#rrggbb`, from a saved style. */
  readonly colors: Readonly<Record<string, string>>;
}

export const DEFAULT_OPTIONS: StyleOptions = {
  theme: 'day',
  depthLimit: 3,
  depthUnits: 'meters',
  roundOffSoundings: false,
  showLightSectors: true,
  showEncBoundaries: false,
  showMaritimeBoundaries: 'false',
  showPlaceNames: true,
  showOverscale: true,
  showUserReports: false,
  showSatellite: false,
  maskLandAreas: false,
  hideLayers: [],
  showLayers: [],
  symbols: 'simplified',
  boundaries: 'plain',
  lightText: true,
  isolatedDangersInShallow: false,
  textGroups: TEXT_GROUPS,
  live: false,
  colors: {},
};

/**
 * Whether a layer that a choice governs is wanted: the choice says so, or `showLayers` names the
 * layer, which wins. A layer that is not may be left out, with its source.
 */
export const isWanted = (options: StyleOptions, layerId: string, byChoice: boolean): boolean =>
  byChoice || options.showLayers.includes(layerId);

/** Where the document's parts are served from; all URLs absolute. */
export interface StyleAddresses {
  /** Template with {z}, {x}, {y}. */
  readonly tiles: string;
  readonly sprite: string;
  /** Template with {fontstack} and {range}. */
  readonly glyphs: string;
  /**
   * Template of CSS files of the fonts, with {font-family}, {fontweight} and {-fontstyle}, for
   * clients that write with the browser's letters; absent where there are none.
   */
  readonly webFonts?: string;
  /** GeoJSON of active user reports; absent where the deployment lists none. */
  readonly reports?: string;
  /** The imagery where a request names none of its own; absent where the deployment has none. */
  readonly satellite?: Imagery;
}

/** Imagery of a deployment, or that which is built in. */
export interface Imagery {
  readonly template: string;
  /** Deepest zoom of its tiles of 256 pixels; absent where it is not known. */
  readonly maxZoom?: number;
  readonly attribution?: string;
}

/** What the tiles are, for the source and the document's metadata. */
export interface StyleChart {
  readonly bounds: readonly [number, number, number, number];
  readonly attribution: string;
  readonly buildId: string;
}
