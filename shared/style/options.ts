// Every display option of a style document with its default, once. The contract parses requests
// into this shape; saved styles store a part of it.

/** The themes of S-52, which are the contract's, and those that saved styles begin with. */
export const BASE_THEMES = ['day', 'dusk', 'night'] as const;
/** Beside them a night for screens that cannot show the dark tones of S-52's. */
export const THEMES = [...BASE_THEMES, 'night-bright'] as const;
export type BaseTheme = (typeof BASE_THEMES)[number];
export type Theme = (typeof THEMES)[number];

export const DEPTH_UNITS = ['meters', 'feet', 'fathoms'] as const;
export type DepthUnits = (typeof DEPTH_UNITS)[number];

export const MARITIME_BOUNDARIES = ['false', 'lines', 'full'] as const;
type MaritimeBoundaries = (typeof MARITIME_BOUNDARIES)[number];

/** What a mariner chose, as the contract's base.json parameters name it. */
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
  /** GeoJSON of active user reports. */
  readonly reports: string;
  /** The built-in imagery template; absent where the deployment has none. */
  readonly satellite?: string;
}

/** What the tiles are, for the source and the document's metadata. */
export interface StyleChart {
  readonly bounds: readonly [number, number, number, number];
  readonly attribution: string;
  readonly buildId: string;
}
