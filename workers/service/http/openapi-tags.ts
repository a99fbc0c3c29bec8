// The groups of endpoints, in the order of the reference.

export const TAGS = {
  Tiles: 'Vector, raster, GeoJSON and shoreline tiles, and their TileJSON documents.',
  Styles: 'Style documents that render the tiles as a nautical chart.',
  'Saved styles': 'Named sets of colours and settings for style documents.',
  Features: 'Search for chart features by position or name.',
  Regions: 'Charts of a region in one file for offline use.',
  Routing: 'Routes through charted water.',
  Reports: 'Reports of hazards and other observations, and votes on them.',
  Bathymetry: 'Soundings of vessels, stored as tracks.',
  'Crowd depths': 'Depths that several contributors measured. Not for navigation.',
  Datasets: 'Sources of the chart data.',
  Portal: 'Users, sessions and API tokens of an account.',
  Service: 'Health checks, status and documentation of the service.',
} as const;

export type Tag = keyof typeof TAGS;
