// Import of log files through the service: the same tracks as an upload, idempotency, faults and limits.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, type CrowdService, startCrowdService } from '../../support/crowd-service.ts';
import { jsonOf } from '../../support/http-client.ts';
import { sentence } from '../../support/read-log.ts';
import { BATHYMETRY, voyage } from '../../support/soundings.ts';

const IMPORT = '/api/v1/bathymetry/import';
let crowd: CrowdService;
let boat: Caller;
beforeAll(async () => {
  crowd = await startCrowdService();
  boat = await crowd.caller({ account: 'acme', subject: 'importer' });
});
afterAll(() => crowd?.stop());

const csvOf = (
  soundings: readonly {
    latitude: number;
    longitude: number;
    depth: number;
    time: number | string;
  }[],
) =>
  [
    'latitude,longitude,depth,time',
    ...soundings.map((one) => [one.latitude, one.longitude, one.depth, one.time].join()),
  ].join('\n');
const send = async (query: string, raw: string, headers = {}) => {
  const answer = await boat.ask(`${IMPORT}?${query}`, {
    method: 'POST',
    raw,
    headers: { 'content-type': 'text/plain', ...headers },
  });
  return {
    status: answer.status,
    json: jsonOf(answer) as Record<string, never> & { tracks: { id: string }[] },
  };
};
const pointsOf = async (id: string) =>
  jsonOf(await boat.get(`${BATHYMETRY}/${id}`)) as Record<string, unknown> & { points: unknown };

describe('an import', () => {
  test('stores the same tracks as an upload of the same soundings', async () => {
    const soundings = voyage(3000, 11);
    const upload = jsonOf(
      await boat.post(BATHYMETRY, { soundings, platform: { uniqueId: 'a' } }),
    ) as { tracks: { id: string }[] };
    const { status, json } = await send(
      'format=csv&platform=b&name=Tern&transducerDepth=0.6&share=aggregate',
      csvOf(soundings),
    );
    expect(status).toBe(201);
    expect(json).toMatchObject({ totalPoints: 3000, ignored: 0 });
    expect(json.tracks).toHaveLength(upload.tracks.length);
    for (const [i, { id }] of json.tracks.entries()) {
      const ours = await pointsOf(id);
      expect(ours.points).toEqual((await pointsOf(upload.tracks[i]!.id)).points);
      expect(ours).toMatchObject({
        platform: {
          uniqueId: 'b',
          name: 'Tern',
          depthReference: 'transducer',
          transducerDepth: 0.6,
        },
        ...{ convention: 'csv', share: 'aggregate' },
      });
    }
  });

  test('reads the GPX file that the service exports', async () => {
    const soundings = voyage(20, 12);
    const { json } = await send('format=csv', csvOf(soundings));
    const gpx = (await boat.get(`${BATHYMETRY}/${json.tracks[0]!.id}.gpx`)).body.toString();
    const again = await send('format=gpx', gpx);
    expect(again.status).toBe(201);
    expect((await pointsOf(again.json.tracks[0]!.id)).points).toEqual(
      (await pointsOf(json.tracks[0]!.id)).points,
    );
  });

  test('has no further effect with the same key, and is 409 with other parameters', async () => {
    const headers = { 'idempotency-key': 'import-1' };
    const text = csvOf(voyage(5, 13));
    const first = await send('format=csv', text, headers);
    expect(await send('format=csv', text, headers)).toEqual(first);
    expect((await send('format=csv&depthUnits=feet', text, headers)).json).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    });
  });

  test.each([
    ['', 'x', 'format'],
    ['format=xls', 'x', 'format'],
    ['format=csv&draft=99', 'x', 'draft'],
    ['format=csv&draft=%20', 'x', 'draft'],
    ['format=csv&draft=0x2', 'x', 'draft'],
    ['format=csv&share=all', 'x', 'share'],
    ['format=csv&draft=1&draft=2', 'x', 'draft'],
    ['format=csv&platform=%00', 'x', 'platform'],
    ['format=csv', 'latitude,longitude,depth,time\n1,2,3,never', 'line 2'],
    ['format=gpx', '<gpx>\n<gpx', 'line 2'],
    ['format=gpx&depthUnits=feet', '<gpx></gpx>', 'depthUnits'],
    ['format=gpx&depthUnits=meters', '<gpx></gpx>', 'body'],
    ['format=nmea0183', '$SDDPT,7.6,0.4,*7F\n', 'body'],
    ['format=signalk', '', 'body'],
  ])('is 400 for ?%s with %j', async (query, text, path) => {
    expect((await send(query, text)).json).toMatchObject({
      status: 400,
      code: 'bad_bathymetry',
      errors: [{ path }],
    });
  });

  test('has the depths from the stated reference of a log with several', async () => {
    const text = [
      'GPRMC,100001,A,6006.00,N,02454.00,E,,,010526,,',
      ...['SDDPT,4.4,0.6,', 'SDDBK,10.5,f,3.2,M,1.7,F'],
    ].map(sentence);
    const query = 'format=nmea0183&depthReference=keel&draft=1.8';
    const { json } = await send(query, text.join('\n'));
    expect(await pointsOf(json.tracks[0]!.id)).toMatchObject({
      platform: { depthReference: 'keel', transducerDepth: 0.6, draft: 1.8 },
      points: [{ depth: 3.2 }],
    });
  });

  test.each([
    ['SDDBS,,f,8.0,M,,F', 'depthReference=keel&draft=1.8', 'waterline'],
    ['SDDBK,,f,8.0,M,,F', 'depthReference=transducer&transducerDepth=0.6', 'keel'],
    ['SDDBT,,f,8.0,M,,F', 'depthReference=keel&draft=1.8', 'keel'],
  ])('of %s with %s has the reference %s', async (depth, query, depthReference) => {
    const text = ['GPRMC,100001,A,6006.00,N,02454.00,E,,,010526,,', depth].map(sentence);
    const { json } = await send(`format=nmea0183&${query}`, text.join('\n'));
    expect(await pointsOf(json.tracks[0]!.id)).toMatchObject({
      platform: { depthReference },
      points: [{ depth: 8 }],
    });
  });

  test('takes an empty parameter as absent, and an impossible offset of the log as unknown', async () => {
    const rmc = 'GPRMC,100001,A,6006.00,N,02454.00,E,,,010526,,';
    const text = [rmc, 'SDDPT,7.6,99', rmc].map(sentence).join('\n');
    const { json } = await send('format=nmea0183&transducerDepth=&draft=&platform=', text);
    const [{ id }] = json.tracks as unknown as [{ id: string }];
    expect((await pointsOf(id))['platform']).toEqual({ depthReference: 'transducer' });
  });

  test('is 415 for a compressed file, and stores nothing', async () => {
    const text = csvOf(voyage(3, 14));
    expect((await send('format=csv', text, { 'content-encoding': 'gzip' })).json).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    });
    const plain = await send('format=csv', text, { 'content-encoding': 'identity' });
    expect(plain.status).toBe(201);
    expect(plain.json.tracks).toMatchObject([{ merged: false, pointCount: 3 }]);
  });

  test('is 400 for an unknown parameter, and 413 for more soundings than an upload may have', async () => {
    expect((await send('format=csv&plattform=x', 'x')).json).toMatchObject({
      status: 400,
      code: 'bad_query',
    });
    const text = `lat,lon,depth,time\n${'1,2,3,1777629601000\n'.repeat(50_001)}`;
    expect((await send('format=csv', text)).json).toMatchObject({
      status: 413,
      code: 'too_many_soundings',
    });
  });
});
