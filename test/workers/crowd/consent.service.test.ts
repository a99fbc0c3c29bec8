// Consent of contributors: by upload, by the default of the account, and withdrawn by sender, end user and portal.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonOf } from '../../support/http-client.ts';
import { type PortalService, startPortal, type UserName } from '../../support/portal-service.ts';
import { BATHYMETRY, soundingAfter } from '../../support/soundings.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

const callerOf = (subject: string, account = 'acme') => portal.crowd.caller({ account, subject });
type Caller = Awaited<ReturnType<typeof callerOf>>;

async function upload(caller: Caller, seconds: number, about = {}) {
  const answer = await caller.post(BATHYMETRY, { soundings: [soundingAfter(seconds)], ...about });
  expect(answer.status).toBe(201);
  return (jsonOf(answer) as { tracks: { id: string }[] }).tracks[0]!.id;
}
/** Track ids to their consent. */
async function sharesOf(caller: Caller) {
  const { tracks } = jsonOf(await caller.get(`${BATHYMETRY}?limit=500`)) as {
    tracks: { id: string; share: string }[];
  };
  return Object.fromEntries(tracks.map(({ id, share }) => [id, share]));
}
const change = async (caller: Caller, body: object) => {
  const answer = await caller.post(`${BATHYMETRY}/consent`, body);
  return { status: answer.status, json: jsonOf(answer) as Record<string, unknown> };
};
const inPortal = async (name: UserName, method: string, path: string, body?: object) => {
  const { status, json } = await portal.send(method, path, {
    headers: await portal.sessionOf(name),
    ...(body && { body }),
  });
  return { status, json };
};

describe('the consent of an upload', () => {
  test('is private without a default, and belongs to the upload otherwise', async () => {
    const boat = await callerOf('first');
    const [one, two, three] = [
      await upload(boat, 0),
      await upload(boat, 0, { share: 'aggregate' }),
      await upload(boat, 0, { share: 'open data' }),
    ];
    expect(await sharesOf(boat)).toEqual({
      [one]: 'private',
      [two]: 'aggregate',
      [three]: 'open data',
    });
    expect(jsonOf(await boat.get(`${BATHYMETRY}/${two}`))).toMatchObject({ share: 'aggregate' });
  });

  test('is the default of the account if the upload does not state it; only owners change the default', async () => {
    const boat = await callerOf('second', 'rival');
    const before = await upload(boat, 0);
    expect(await inPortal('member', 'POST', '/consent', { share: 'aggregate' })).toMatchObject({
      status: 403,
    });
    expect(await inPortal('rival', 'POST', '/consent', { share: 'aggregate' })).toEqual({
      status: 200,
      json: { share: 'aggregate' },
    });
    expect((await inPortal('rival', 'GET', '/consent')).json).toEqual({ share: 'aggregate' });
    expect((await inPortal('member', 'GET', '/consent')).json).toEqual({ share: 'private' });
    const after = await upload(boat, 0);
    const own = await upload(boat, 0, { share: 'private' });
    expect(await sharesOf(boat)).toEqual({
      [before]: 'private',
      [after]: 'aggregate',
      [own]: 'private',
    });
  });

  test('never joins a track with another consent', async () => {
    const boat = await callerOf('third');
    const about = { platform: { uniqueId: 'joiner' } };
    const hidden = await upload(boat, 0, about);
    const shown = await upload(boat, 5, { ...about, share: 'aggregate' });
    expect(shown).not.toBe(hidden);
    expect(await upload(boat, 10, { ...about, share: 'aggregate' })).toBe(shown);
    expect(await upload(boat, 12, about)).toBe(hidden);
  });

  test.each(['public', '', 1, 'Open data'])('is refused as %j', async (share) => {
    const boat = await callerOf('third');
    const answer = await boat.post(BATHYMETRY, { soundings: [soundingAfter(0)], share });
    expect(jsonOf(answer)).toMatchObject({
      status: 400,
      code: 'bad_bathymetry',
      errors: [{ path: 'share' }],
    });
  });
});

describe('a withdrawal', () => {
  test('changes all tracks of the sender, of an end user, or one track', async () => {
    const boat = await callerOf('fourth');
    const other = await callerOf('fifth');
    const theirs = await upload(other, 0, { share: 'aggregate', externalUserId: 'jo' });
    const ids = [];
    for (const externalUserId of ['jo', 'jo', 'kim', 'lee']) {
      ids.push(await upload(boat, 0, { share: 'aggregate', externalUserId }));
    }
    const [a, b, c, d] = ids as [string, string, string, string];
    expect(await change(boat, { share: 'private', externalUserId: 'jo' })).toEqual({
      status: 200,
      json: { tracks: 2 },
    });
    expect(await change(boat, { share: 'open data', trackId: c })).toMatchObject({
      json: { tracks: 1 },
    });
    expect(await sharesOf(boat)).toEqual({
      [a]: 'private',
      [b]: 'private',
      [c]: 'open data',
      [d]: 'aggregate',
    });
    expect(await change(boat, { share: 'private' })).toMatchObject({ json: { tracks: 2 } });
    expect(await change(boat, { share: 'private' })).toMatchObject({ json: { tracks: 0 } });
    expect(new Set(Object.values(await sharesOf(boat)))).toEqual(new Set(['private']));
    expect(await change(boat, { share: 'private', trackId: theirs })).toMatchObject({
      json: { tracks: 0 },
    });
    expect(await sharesOf(other)).toEqual({ [theirs]: 'aggregate' });
  });

  test('of an account changes the tracks of all its senders, and is in the audit trail', async () => {
    const boat = await callerOf('sixth');
    const rival = await callerOf('sixth', 'rival');
    const ours = await upload(boat, 0, { share: 'open data' });
    const theirs = await upload(rival, 0, { share: 'open data' });
    expect(await inPortal('member', 'POST', '/tracks/consent', { share: 'private' })).toMatchObject(
      { status: 403 },
    );
    const { status, json } = await inPortal('moderator', 'POST', '/tracks/consent', {
      share: 'private',
    });
    expect(status).toBe(200);
    expect((json as { tracks: number }).tracks).toBeGreaterThan(0);
    expect(await sharesOf(boat)).toEqual({ [ours]: 'private' });
    expect((await sharesOf(rival))[theirs]).toBe('open data');
    const listed = (await inPortal('member', 'GET', '/tracks?limit=50')).json as {
      tracks: { share: string }[];
    };
    expect(new Set(listed.tracks.map(({ share }) => share))).toEqual(new Set(['private']));
    const trail = (await inPortal('administrator', 'GET', '/admin/audit?act=track%20share')).json;
    expect(trail).toMatchObject([{ accountId: 'acme', detail: { share: 'private' } }]);
  });

  test.each([
    [{}, 'share'],
    [{ share: 'all' }, 'share'],
    [{ share: 'private', trackId: 'x' }, 'trackId'],
    [{ share: 'private', externalUserId: '\0' }, 'externalUserId'],
    // With a misspelt selection, the change would apply to all tracks.
    [{ share: 'private', externaluserid: 'jo' }, 'unknown fields'],
  ])('is refused for %j', async (body, path) => {
    const { status, json } = await change(await callerOf('sixth'), body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'bad_bathymetry' });
    expect(JSON.stringify(json['errors'])).toContain(path);
  });
});
