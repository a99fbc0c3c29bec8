// Addresses of NOAA's cells (one zip each) and Natural Earth's layers (GeoJSON). They can be
// replaced for mirrors and tests.

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

/** The layers of the background; the build expects these file names. */
export const BACKGROUND_LAYERS: readonly string[] = [
  'ne_10m_land',
  'ne_10m_minor_islands',
  'ne_10m_lakes',
  'ne_10m_populated_places_simple',
  'ne_10m_admin_0_boundary_lines_maritime_indicator',
];

/**
 * Eight characters (S-57 product specification): agency, usage band and five characters chosen by
 * the producer.
 */
export function isCellName(name: string): boolean {
  return /^[A-Z0-9]{2}[1-9][A-Z0-9]{5}$/.test(name);
}
