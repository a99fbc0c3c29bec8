// Where charts and background can be downloaded: NOAA's cells, one zip each, and Natural Earth's
// layers as GeoJSON. The addresses can be replaced, for mirrors and for tests.

export interface Sources {
  /** NOAA ENC: `<base>/<CELL>.zip`. */
  readonly noaa: string;
  /** Natural Earth: `<base>/<layer>.geojson`. */
  readonly naturalEarth: string;
}

export const DEFAULT_SOURCES: Sources = {
  noaa: 'https://www.charts.noaa.gov/ENCs',
  naturalEarth: 'https://raw.githubusercontent.com/nvkelso/natural-earth-vector/v5.1.2/geojson',
};

/** The layers of the background, which the build looks for by these names. */
export const BACKGROUND_LAYERS: readonly string[] = [
  'ne_10m_land',
  'ne_10m_minor_islands',
  'ne_10m_lakes',
  'ne_10m_populated_places_simple',
  'ne_10m_admin_0_boundary_lines_maritime_indicator',
];

/** Eight characters as in the product specification: agency, band, and five of the producer's. */
export function isCellName(name: string): boolean {
  return /^[A-Z0-9]{2}[1-9][A-Z0-9]{5}$/.test(name);
}
