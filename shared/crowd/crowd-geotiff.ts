// Bins as GeoTIFF (OGC 19-008r4), by the writer of the library geotiff.

import { BIN_LEVELS, BINS_PER_SIDE, type PlacedBin } from './bin.ts';
import { type CrowdBox, tileSpan } from './bin-area.ts';

/** Circumference of the sphere of EPSG:3857, metres. */
const EQUATOR_METERS = 2 * Math.PI * 6_378_137;
const NO_DATA = -9999;
const BANDS = 2;

/**
 * The tiles that touch a box, with a pixel per bin: cautious depth and 95 % uncertainty, metres. A bin that is
 * larger than a pixel fills its pixels; where bins overlap, the smaller one counts.
 * @param pages bins, in ascending order of their zoom
 * @param zoom of the tiles
 */
export async function crowdGeoTiff(
  pages: AsyncIterable<readonly PlacedBin[]>,
  box: CrowdBox,
  zoom: number,
): Promise<Uint8Array> {
  const { left, right, top, bottom } = tileSpan(box, zoom);
  const width = (right - left + 1) * BINS_PER_SIDE;
  const height = (bottom - top + 1) * BINS_PER_SIDE;
  const values = new Float32Array(width * height * BANDS).fill(NO_DATA);
  const across = 2 ** (zoom + BIN_LEVELS);
  const draw = (bin: PlacedBin) => {
    const pixels = Math.max(2 ** (zoom + BIN_LEVELS - bin.zoom), 1);
    const eastward = bin.x * pixels - left * BINS_PER_SIDE;
    // Columns continue across 180°.
    const column = eastward + pixels <= 0 ? eastward + across : eastward;
    const row = bin.y * pixels - top * BINS_PER_SIDE;
    for (let y = Math.max(row, 0); y < Math.min(row + pixels, height); y++) {
      for (let x = Math.max(column, 0); x < Math.min(column + pixels, width); x++) {
        values.set([bin.depth, bin.unc], (y * width + x) * BANDS);
      }
    }
  };
  for await (const bins of pages) bins.forEach(draw);
  const pixelMeters = EQUATOR_METERS / across;
  const tileMeters = pixelMeters * BINS_PER_SIDE;
  const west = left * tileMeters - EQUATOR_METERS / 2;
  const north = EQUATOR_METERS / 2 - top * tileMeters;
  // Loaded late: the library starts no threads in a Worker, but fails in a thread of Node without a script.
  const { writeArrayBuffer } = await import('geotiff');
  const file = writeArrayBuffer(values, {
    width,
    height,
    BitsPerSample: [32, 32],
    // Floating point.
    SampleFormat: [3, 3],
    SamplesPerPixel: [BANDS],
    ExtraSamples: [0],
    PhotometricInterpretation: 1,
    ModelPixelScale: [pixelMeters, pixelMeters, 0],
    ModelTiepoint: [0, 0, 0, west, north, 0],
    GTModelTypeGeoKey: 1,
    GTRasterTypeGeoKey: 1,
    ProjectedCSTypeGeoKey: 3857,
    GDAL_NODATA: String(NO_DATA),
  });
  return new Uint8Array(file);
}
