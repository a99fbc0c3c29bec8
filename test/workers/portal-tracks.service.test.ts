// Tracks in the portal: pages with measures, files, and who can read and delete them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../shared/contract/audit.ts';
import type { PortalTrackList } from '../../shared/contract/portal-tracks.ts';
import { jsonOf } from '../support/http-client.ts';
import {
  PORTAL,
  type PortalService,
  startPortal,
  type UserName,
} from '../support/portal-service.ts';
import { BATHYMETRY, soundingAfter, voyage } from '../support/soundings.ts';

/** Text that would run if a page inserted it as HTML. */
const MARKUP = '<img src=x onerror=alert(1)>';
/** More than the points that one page may have. */
const LONG_TRACKS = 43;
const LONG_POINTS = 2500;

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

interface Sender {
  readonly account?: string;
  readonly subject?: string;
}

/** Uploads soundings and returns the ids of their tracks. */
async function upload(soundings: readonly object[], about = {}, sender: Sender = {}) {
  const caller = await portal.crowd.caller({ account: 'acme', subject: 'boat-1', ...sender });
  const answer = await caller.post(BATHYMETRY, { soundings, ...about });
  expect(answer.status).toBe(201);
  return (jsonOf(answer) as { tracks: { id: string }[] }).tracks.map(({ id }) => id);
}

const send = async (name: UserName, method: string, path: string) =>
  portal.send(method, `/tracks${path}`, { headers: await portal.sessionOf(name) });
const list = async (query = '', name: UserName = 'member') => {
  const { status, json } = await send(name, 'GET', query);
  expect(status).toBe(200);
  return json as unknown as PortalTrackList;
};

describe('the tracks of an account', () => {
  test('are listed with the subject, the platform, the depth range and the length', async () => {
    const platform = { uniqueId: 'boat', name: MARKUP };
    const [id] = await upload(
      [
        { ...soundingAfter(0, 3.5), latitude: 0, longitude: 179.999 },
        { ...soundingAfter(20, -0.5), latitude: 0, longitude: -179.999 },
        { ...soundingAfter(10, 12.25), latitude: 0, longitude: 180 },
      ],
      { platform },
      { subject: MARKUP },
    );
    const { tracks } = await list('?limit=1');
    expect(tracks).toEqual([
      {
        ...{
          id,
          subject: MARKUP,
          platform: MARKUP,
          externalUserId: null,
          pointCount: 3,
          share: 'private',
        },
        startTime: soundingAfter(0).time,
        endTime: soundingAfter(20).time,
        ...{ leastDepth: -0.5, greatestDepth: 12.25, lengthMeters: expect.closeTo(222.39, 1) },
      },
    ]);
  });

  test('include the points that were appended later', async () => {
    const about = { platform: { uniqueId: 'appender' } };
    const [id] = await upload([soundingAfter(0, 5)], about);
    expect(await upload([soundingAfter(5, 9)], about)).toEqual([id]);
    const { tracks } = await list('?limit=1');
    expect(tracks[0]).toMatchObject({ id, platform: 'appender', pointCount: 2, greatestDepth: 9 });
  });

  test('are listed in pages without gaps, also if a page of long tracks ends early', async () => {
    const ids: string[] = [];
    for (let one = 0; one < LONG_TRACKS; one++)
      ids.push(...(await upload(voyage(LONG_POINTS, one))));
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let cursor = ''; ; ) {
      const { tracks, nextCursor } = await list(`?limit=50${cursor}`);
      seen.push(...tracks.map((one) => one.id));
      sizes.push(tracks.length);
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(seen.slice(0, LONG_TRACKS)).toEqual(ids.reverse());
    expect(seen).toEqual([...seen].sort().reverse());
    expect(sizes.slice(0, 2)).toEqual([20, 20]);
    expect(sizes).toHaveLength(3);
  });

  test('are only those of the account', async () => {
    const [id] = await upload([soundingAfter(0)], {}, { account: 'rival' });
    expect((await list('', 'rival')).tracks.map((one) => one.id)).toEqual([id]);
    expect((await list('?limit=1')).tracks[0]!.id).not.toBe(id);
    expect((await list('', 'administrator')).tracks).toEqual([]);
    for (const suffix of ['.geojson', '.csv', '.gpx']) {
      expect((await send('administrator', 'GET', `/${id}${suffix}`)).json).toMatchObject({
        status: 404,
        code: 'track_not_found',
      });
    }
    expect((await send('owner', 'DELETE', `/${id}`)).status).toBe(404);
    expect((await list('', 'rival')).tracks).toHaveLength(1);
  });

  test.each(['limit=0', 'limit=51', 'limit=x', 'cursor=', 'cursor=1', 'cursor=%00'])(
    'are not listed for %s',
    async (query) => {
      expect((await send('member', 'GET', `?${query}`)).json).toMatchObject({
        status: 400,
        code: 'bad_query',
      });
    },
  );

  test('are the files that the sender can download', async () => {
    const [id] = await upload(voyage(50, 7), { platform: { uniqueId: 'files' } });
    const sender = await portal.crowd.caller({ account: 'acme', subject: 'boat-1' });
    for (const suffix of ['.geojson', '.csv', '.gpx']) {
      const ours = await send('member', 'GET', `/${id}${suffix}`);
      const theirs = await sender.get(`${BATHYMETRY}/${id}${suffix}`);
      expect(ours.status).toBe(200);
      expect(ours.body).toEqual(theirs.body);
      for (const name of ['content-type', 'content-disposition', 'cache-control']) {
        expect(ours.headers[name]).toBe(theirs.headers[name]);
      }
    }
    expect((await send('member', 'GET', '/no-uuid.csv')).json).toMatchObject({
      status: 400,
      code: 'bad_track_id',
    });
  });
});

describe('deleting a track', () => {
  test('requires a moderator, and is recorded in the audit trail', async () => {
    const [id] = await upload(voyage(10, 3));
    expect((await send('member', 'DELETE', `/${id}`)).json).toMatchObject({
      status: 403,
      code: 'role_required',
    });
    expect((await send('moderator', 'DELETE', `/${id}`)).status).toBe(204);
    expect((await send('moderator', 'DELETE', `/${id}`)).json).toMatchObject({
      status: 404,
      code: 'track_not_found',
    });
    const { body } = await portal.crowd.ask(`${PORTAL}/admin/audit?act=track%20delete`, {
      headers: await portal.sessionOf('administrator'),
    });
    const entries = JSON.parse(String(body)) as AuditEntry[];
    expect(entries.map(({ detail }) => detail)).toEqual([{ trackId: id, points: 10 }]);
    expect(entries[0]!.accountId).toBe('acme');
  });

  test('keeps the metadata until the last track of an upload is deleted', async () => {
    const day = 86_400;
    const ids = await upload([soundingAfter(0), soundingAfter(day)], {
      platform: { uniqueId: 'about' },
    });
    expect(ids).toHaveLength(2);
    const abouts = async () => {
      const { rows } = await portal.crowd.database.query(
        `SELECT count(*)::int AS found FROM track_about WHERE platform_uid = 'about'`,
      );
      return rows[0].found as number;
    };
    expect(await abouts()).toBe(1);
    expect((await send('owner', 'DELETE', `/${ids[0]}`)).status).toBe(204);
    expect(await abouts()).toBe(1);
    const last = async () => (await send('moderator', 'DELETE', `/${ids[1]}`)).status;
    expect((await Promise.all([last(), last()])).sort()).toEqual([204, 404]);
    expect(await abouts()).toBe(0);
  });
});
