// The depth range and the length of tracks.

import { describe, expect, it } from 'vitest';
import { measureTrack } from '../../../shared/bathymetry/measure-track.ts';

/** @param points longitude, latitude, depth */
const measured = (...points: [number, number, number][]) =>
  measureTrack({
    count: points.length,
    longitudes: Float64Array.from(points, ([longitude]) => longitude),
    latitudes: Float64Array.from(points, ([, latitude]) => latitude),
    depths: Float64Array.from(points, ([, , depth]) => depth),
    times: Float64Array.from(points, (_, i) => i),
  });

describe('measureTrack', () => {
  it('returns no length for one sounding', () => {
    expect(measured([5, 50, -1.5])).toEqual({
      leastDepth: -1.5,
      greatestDepth: -1.5,
      lengthMeters: 0,
    });
  });

  it('adds the legs there and back, also across 180°', () => {
    const { lengthMeters, ...depths } = measured([179.5, 0, 4], [-179.5, 0, 2], [179.5, 0, 9]);
    expect(depths).toEqual({ leastDepth: 2, greatestDepth: 9 });
    // Two degrees of the equator of a sphere with the mean radius.
    expect(lengthMeters).toBeCloseTo((2 * Math.PI * 6_371_008.8) / 180, 3);
  });
});
