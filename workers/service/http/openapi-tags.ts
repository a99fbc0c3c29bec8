// The groups that endpoints are listed in, in the order of the reference.

export const TAGS = {
  Tiles: 'The chart in tiles: vectors, pictures, raw data, shores, and TileJSON documents of them.',
  Styles: 'Style documents that draw the tiles as a chart.',
  'Saved styles': 'Settings and colours kept under a name, for style documents.',
  Features: 'What lies near a position.',
  Regions: 'The chart of a region in one file, for where there is no network.',
  Routing: 'Routes through charted water.',
  Reports: 'What sailors report to one another, and their votes on it.',
  Bathymetry: 'Soundings that vessels send, sorted into tracks.',
  Datasets: 'Where the charts came from.',
  Service: 'The service itself: how it is, and what it offers.',
} as const;

export type Tag = keyof typeof TAGS;
