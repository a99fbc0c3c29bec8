import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { Client } from 'pg';
import { generate } from 'selfsigned';
import { afterAll, expect, inject, it } from 'vitest';
import { decodeCrowdTile } from '../../../shared/crowd/bin-layer.ts';
import type { TrackContribution } from '../../../shared/crowd/contribution.ts';
import { openArchive } from '../../../tiles-build/archive/file-source.ts';
import { trackKey } from '../../../tiles-build/crowd/build-crowd.ts';
import { openTrackDatabase } from '../../../tiles-build/crowd/track-database.ts';
import { readBuild } from '../../../tiles-build/publish/build-folder.ts';
import { charts } from '../../support/charts-command.ts';
import { crowdTest } from '../../support/fixtures.ts';
import { binAt, simulateFleet } from '../../support/fleet.ts';
import { listen } from '../../support/listen.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'charts-crowd-'));
afterAll(() => rmSync(folder, { recursive: true }));
const published = join(folder, 'published');
const run = (url: string) =>
  charts(
    'crowd',
    ...['--database', url, '--state', join(folder, 'state')],
    ...['--charts', inject('demoCharts'), '--store', published],
  );
const fleet = simulateFleet({ seed: 3, boats: 6, trips: 1, soundingsPerTrip: 1500, reach: 3 });

const publicBinsOf = async () => {
  const path = wholeArchive(join(folder, 'state/archive'), 'crowd-depth-v1');
  const { archive, close } = await openArchive(path);
  const [west, north] = binAt(-20.1, -29.9);
  const [east, south] = binAt(-19.9, -30.1);
  const bins = [];
  for (let x = west >> 5; x <= east >> 5; x++)
    for (let y = north >> 5; y <= south >> 5; y++) {
      const tile = await archive.getZxy(15, x, y);
      if (tile !== undefined)
        bins.push(...decodeCrowdTile({ z: 15, x, y }, new Uint8Array(tile.data)));
    }
  await close();
  return bins;
};

crowdTest(
  'charts crowd publishes what contributors share, and removes what they withdraw or erase',
  async ({ crowd }) => {
    const { ownerUrl, query } = crowd.database;
    const none = await run(ownerUrl);
    expect(none).toMatchObject({ code: 0, out: expect.stringContaining('No cell is public') });

    const senders = [];
    for (const track of fleet.tracks) {
      const caller = await crowd.caller({ account: track.account });
      senders.push(caller);
      const { count, longitudes, latitudes, depths, times } = (await fleet.source.read(track))!;
      const soundings = Array.from({ length: count }, (_, i) => ({
        longitude: longitudes[i]!,
        latitude: latitudes[i]!,
        depth: depths[i]!,
        time: times[i]! - 200 * 86_400_000,
      }));
      const share = track.account === 'boat5' ? 'private' : 'aggregate';
      const platform = { uniqueId: 'main', transducerDepth: 0.5 };
      const answer = await caller.post('/api/v1/user-reports/bathymetry', {
        soundings,
        platform,
        share,
      });
      expect(answer.status).toBe(201);
    }

    const first = await run(ownerUrl);
    expect(first.notes).not.toContain('Error');
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('Published') });
    expect(await readBuild(join(folder, 'state/archive'))).toMatchObject({
      manifest: { archives: [{ tileset: 'crowd-depth-v1' }] },
    });
    const bins = await publicBinsOf();
    expect(bins.length).toBeGreaterThan(50);
    expect(Math.max(...bins.map(({ platforms }) => platforms))).toBeLessThanOrEqual(5);
    // No tide station is near the isles.
    expect(bins.every(({ reduced }) => !reduced)).toBe(true);
    expect(bins.some(({ charted }) => charted !== undefined)).toBe(true);

    const { rows } = await query('SELECT account_id, summary FROM crowd_track');
    expect(new Set(rows.map(({ account_id }) => account_id)).size).toBe(5);
    expect(rows[0].summary).toMatchObject({ transducer: 0.5, tide: { reduced: false } });

    const again = await run(ownerUrl);
    expect(again.out).toContain('0 tracks added, 0 removed, 0 of');
    expect(again.out).toContain('already published');

    // One contributor withdraws, the data of another are erased.
    await query(`UPDATE track SET share = 'private' WHERE account_id = 'boat0'`);
    await query(`DELETE FROM track WHERE account_id = 'boat1'`);
    const withdrawn = await run(ownerUrl);
    expect(withdrawn.code).toBe(0);
    const left = await publicBinsOf();
    expect(left.length).toBeLessThan(bins.length);
    expect(Math.max(...left.map(({ platforms }) => platforms))).toBeLessThanOrEqual(3);
    const told = await query('SELECT DISTINCT account_id FROM crowd_track ORDER BY 1');
    expect(told.rows.map(({ account_id }) => account_id)).toEqual(['boat2', 'boat3', 'boat4']);

    await query(`UPDATE track SET share = 'private'`);
    expect((await run(ownerUrl)).out).toContain('No cell is public');
    const { openFolderBucket } = await import('../../../tiles-build/publish/folder-bucket.ts');
    expect(await openFolderBucket(published).list('crowd/')).toEqual([]);
    expect(existsSync(join(folder, 'state/archive'))).toBe(false);
  },
);

crowdTest(
  'openTrackDatabase lists tracks with an unknown reference without an offset, and none of suspended accounts',
  async ({ crowd }) => {
    const caller = await crowd.caller({ account: 'references' });
    for (const depthReference of ['transducer', 'Unknown', 'mast', 5]) {
      const answer = await caller.post('/api/v1/user-reports/bathymetry', {
        soundings: [{ latitude: -30, longitude: -20, depth: 7, time: '2026-06-01T12:00:00Z' }],
        platform: { uniqueId: String(depthReference), depthReference },
        share: 'aggregate',
      });
      expect(answer.status).toBe(201);
    }
    const database = await openTrackDatabase(crowd.database.ownerUrl);
    const ownTracks = async () =>
      (await database.list()).filter(({ account }) => account === 'references');
    const own = await ownTracks();
    const suspend = `INSERT INTO account (id, plan, suspended_at) VALUES ('references', 'standard', 1)
      ON CONFLICT (id) DO UPDATE SET suspended_at = 1`;
    await crowd.database.query(suspend);
    expect(await ownTracks()).toEqual([]);
    await database.close();
    await crowd.database.query(`DELETE FROM track WHERE account_id = 'references'`);
    const offsets = own.map(({ platform, transducer }) => `${platform} ${transducer}`);
    expect(offsets.sort()).toEqual(['5 undefined', 'Unknown 0', 'mast undefined', 'transducer 0']);
  },
);

crowdTest('openTrackDatabase reports a lost connection with the next query', async ({ crowd }) => {
  const { ownerUrl, query } = crowd.database;
  const database = await openTrackDatabase(ownerUrl);
  const { rows } = await query(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objid = 1668445047`,
  );
  expect(rows).toHaveLength(1);
  await expect(database.list()).rejects.toThrow();
  await database.close();
});

crowdTest(
  'openTrackDatabase distinguishes zeros, and stores no deleted track',
  async ({ crowd }) => {
    const { ownerUrl, query } = crowd.database;
    const caller = await crowd.caller();
    const [longitude, latitude, time] = [-20, -30, Date.UTC(2026, 5, 1)];
    for (const platform of [{}, {}, { uniqueId: 'a' }, { uniqueId: 'a', transducerDepth: 0.5 }]) {
      const soundings = [{ longitude, latitude, depth: 9, time }];
      const body = { soundings, platform, share: 'aggregate' };
      expect((await caller.post('/api/v1/user-reports/bathymetry', body)).status).toBe(201);
    }
    const database = await openTrackDatabase(ownerUrl);
    const deletion = new Client({ connectionString: ownerUrl });
    try {
      const tracks = await database.list();
      expect(new Set(tracks.map(({ zero }) => zero)).size).toBe(4);
      await deletion.connect();
      await deletion.query('BEGIN');
      await deletion.query('DELETE FROM track WHERE id = $1', [tracks[0]!.id]);
      const summary = { used: 1 } as TrackContribution;
      await database.store(new Map(tracks.map((track) => [trackKey(track), summary])));
      await deletion.query('COMMIT');
      const { rows } = await query('SELECT track_id FROM crowd_track ORDER BY 1');
      expect(rows.map(({ track_id }) => track_id)).toEqual(tracks.slice(1).map(({ id }) => id));
    } finally {
      await deletion.end();
      await database.close();
    }
  },
);

it('charts crowd names a missing database and one that cannot be reached', async () => {
  const state = join(folder, 'other');
  expect(await charts('crowd', '--state', state)).toMatchObject({
    code: 2,
    notes: expect.stringContaining('DATABASE_OWNER_URL'),
  });
  const closed = 'postgres://nobody@127.0.0.1:9/none';
  expect(await charts('crowd', '--state', state, '--database', closed)).toMatchObject({
    code: 7,
    notes: expect.stringContaining('The depths could not be made'),
  });
});

it.each([
  ['', '', /^The depths could not be made. Cause: Connection terminated unexpectedly\n*$/],
  ['?sslmode=verify-full', 'N', /Cause: The server does not support SSL connections\n*$/],
  ['?sslmode=verify-full', '-', /Cause: There was an error establishing an SSL connection\n*$/],
  ['?sslmode=verify-full', 'S', /Cause: self-signed certificate\n*$/],
])(
  'charts crowd explains the end of a connection "%s" after the answer "%s"',
  async (mode, answer, notes) => {
    const { private: key, cert } = await generate();
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          if (answer !== 'S') return socket.end(answer);
          socket.write(answer);
          return new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => undefined);
        });
    });
    const url = `postgres://nobody@127.0.0.1:${await listen(server)}/none${mode}`;
    const ended = await charts('crowd', '--state', join(folder, 'ended'), '--database', url);
    server.close();
    expect(ended).toMatchObject({ code: 7, notes: expect.stringMatching(notes) });
  },
);
