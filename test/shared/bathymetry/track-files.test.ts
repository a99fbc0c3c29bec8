// Files of each format with several tracks.

import { describe, expect, test } from 'vitest';
import type { Track, TrackWithSoundings } from '../../../shared/bathymetry/track.ts';
import { isVesselId, trackB12 } from '../../../shared/bathymetry/track-b12.ts';
import { trackCsv } from '../../../shared/bathymetry/track-csv.ts';
import { trackGpx } from '../../../shared/bathymetry/track-gpx.ts';
import { vesselIdOf } from '../../../workers/service/endpoints/track-files.ts';

const NODE = { name: 'Node', email: undefined, dataLicense: 'CC0' };

function trackOf(
  id: string,
  depths: readonly number[],
  provider: Track['about']['provider'] = null,
  platform: Track['about']['platform'] = null,
): TrackWithSoundings {
  const count = depths.length;
  const column = (of: (i: number) => number) => Float64Array.from(depths, (_, i) => of(i));
  return {
    track: {
      id,
      subject: 'boat',
      pointCount: count,
      startTime: 0,
      endTime: 1000,
      bounds: [0, 0, 1, 1],
      about: {
        platform: { name: `Boat <${id}>`, ...platform },
        provider,
        timeUnits: null,
        convention: null,
        externalUserId: null,
      },
      share: 'private',
      createdAt: 0,
      updatedAt: 0,
    },
    soundings: {
      count,
      latitudes: column((i) => 50 + i / 10),
      longitudes: column((i) => 10 + i / 10),
      depths: Float64Array.from(depths),
      times: column((i) => i * 1000),
    },
  };
}

const TWO = [trackOf('one', [1, 2]), trackOf('two', [3])];

describe('files of several tracks', () => {
  test('contain all soundings below one header line as CSV', () => {
    const lines = trackCsv(TWO.map(({ soundings }) => soundings))
      .trimEnd()
      .split('\r\n');
    expect(lines[0]).toBe('LON,LAT,DEPTH,TIME');
    expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual(['1', '2', '3']);
  });

  test('contain one trk per track as GPX', () => {
    const tracks = trackGpx(TWO).split('<trk>').slice(1);
    expect(tracks.map((one) => one.match(/<trkpt /g)?.length)).toEqual([2, 1]);
    expect(tracks.map((one) => one.split('</name>')[0])).toEqual([
      '<name>Boat &lt;one&gt;',
      '<name>Boat &lt;two&gt;',
    ]);
    for (const one of tracks) expect(one).toContain('</trkseg></trk>');
  });

  test('contain the features of all tracks and their ids as GeoJSON', () => {
    const file = JSON.parse(trackB12(TWO, () => 'NODE-1', NODE)!) as {
      properties: { leadline: object };
      features: { properties: { depth: number } }[];
    };
    expect(file.properties.leadline).toEqual({ trackIds: ['one', 'two'] });
    expect(file.features.map(({ properties }) => properties.depth)).toEqual([1, 2, 3]);
    const alone = JSON.parse(trackB12(TWO.slice(0, 1), () => 'NODE-1', NODE)!) as typeof file;
    expect(alone.properties.leadline).toEqual({ trackId: 'one' });
  });

  test.each([
    [null, null, 'Unknown'],
    [null, { verticalReferenceOfDepth: 'waterline' }, 'Waterline'],
    [{ depthReference: 'transducer' }, null, 'Transducer'],
    [{ depthReference: 'Waterline' }, { verticalReferenceOfDepth: 'Transducer' }, 'Waterline'],
    [{ depthReference: 'keel' }, null, 'Unknown'],
  ])('state the depth reference of %j and %j as GeoJSON', (platform, provider, reference) => {
    const track = trackOf('one', [1], provider, platform);
    const file = JSON.parse(trackB12([track], () => 'NODE-1', NODE)!) as {
      properties: { trustedNode: object };
    };
    expect(file.properties.trustedNode).toMatchObject({ verticalReferenceOfDepth: reference });
  });

  test('are rejected as GeoJSON for tracks of two vessels or two loggers', () => {
    expect(trackB12(TWO, ({ id }) => `NODE-${id}`, NODE)).toBe(undefined);
    const loggers = [trackOf('one', [1], { logger: 'A' }), trackOf('two', [1], { logger: 'B' })];
    expect(trackB12(loggers, () => 'NODE-1', NODE)).toBe(undefined);
  });
});

test('the id of a vessel is stable, and without the secret of the service no guess finds its sender', async () => {
  const { track } = trackOf('1', [2]);
  const idOf = (USER_TOKEN_SECRET: string) =>
    vesselIdOf({ TILES: {} as never, USER_TOKEN_SECRET }, 'NODE', 'acme', track);
  const ids = await Promise.all(['', 'a'.repeat(32), 'b'.repeat(32)].map(idOf));
  expect(new Set(ids).size).toBe(3);
  expect(ids.every(isVesselId)).toBe(true);
  expect(await idOf('a'.repeat(32))).toBe(ids[1]);
});
