// From an upload to a public tile and back: what three accounts share is built by `charts crowd` and served, the
// portal shows what each added, and what one withdraws through the API is in no tile of the next build.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Contributions } from '../../../shared/contract/contributions.ts';
import { CROWD_TILESET } from '../../../shared/crowd/bin.ts';
import { decodeCrowdTile } from '../../../shared/crowd/bin-layer.ts';
import { charts } from '../../support/charts-command.ts';
import { publishCrowdFolder } from '../../support/crowd-archive.ts';
import { binAt } from '../../support/fleet.ts';
import { jsonOf } from '../../support/http-client.ts';
import { type PortalService, startPortal, type UserName } from '../../support/portal-service.ts';
import { startService } from '../../support/service.ts';
import { BATHYMETRY } from '../../support/soundings.ts';

const folder = mkdtempSync(join(tmpdir(), 'contributions-'));
let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(async () => {
  await portal?.stop();
  rmSync(folder, { recursive: true });
});

const START = Date.UTC(2026, 4, 1);
const WEST = -19.98;
/** Soundings eastwards along a parallel, one in ten seconds and 20 m. */
const line = (count: number, depth: number, latitude = -30.05) =>
  Array.from({ length: count }, (_, i) => ({
    ...{ longitude: WEST + i * 0.0002, latitude, depth: depth + 0.1 * (i % 2) },
    time: START + i * 10_000,
  }));

async function upload(account: string, soundings: object[], about: object = {}) {
  const caller = await portal.crowd.caller({ account, subject: `boat of ${account}` });
  const platform = { uniqueId: `${account} 1`, name: `Boat of ${account}`, transducerDepth: 0.5 };
  const answer = await caller.post(BATHYMETRY, {
    ...{ platform, share: 'aggregate', soundings },
    ...about,
  });
  expect(answer.status).toBe(201);
  return caller;
}

const contributionsOf = async (name: UserName) => {
  const headers = await portal.sessionOf(name);
  const { status, json } = await portal.send('GET', '/contributions', { headers });
  expect(status).toBe(200);
  return json as unknown as Contributions;
};

async function build(): Promise<void> {
  const { code, notes } = await charts(
    ...['crowd', '--database', portal.crowd.database.ownerUrl],
    ...['--state', join(folder, 'state'), '--charts', inject('demoCharts')],
  );
  expect({ code, notes: notes.includes('Error') }).toEqual({ code: 0, notes: false });
}

/** Names of the finest bins that a new service with the archive has in its tiles along the line. */
async function servedBins(): Promise<Set<string>> {
  const service = await startService({ charts: inject('demoCharts') });
  try {
    await publishCrowdFolder(service, join(folder, 'state/archive'));
    const [west, y] = binAt(WEST, -30.05);
    const [east] = binAt(WEST + 0.02, -30.05);
    const bins = new Set<string>();
    for (let x = west >> 5; x <= east >> 5; x++) {
      const response = await service.get(`/api/v2/tiles/${CROWD_TILESET}/15/${x}/${y >> 5}.mvt`);
      expect(response.status).toBe(200);
      const bytes = new Uint8Array(await response.arrayBuffer());
      for (const bin of decodeCrowdTile({ z: 15, x, y: y >> 5 }, bytes))
        bins.add(`${bin.x}/${bin.y}`);
    }
    return bins;
  } finally {
    await service.stop();
  }
}

interface TrackFile {
  readonly features: readonly { properties: { readonly depth: number; readonly time: string } }[];
  readonly properties: { readonly leadline: { readonly corrections?: unknown } };
}

describe('a contributor', () => {
  it('sees the contribution of its tracks, which is not served after its withdrawal', async () => {
    expect(await contributionsOf('member')).toMatchObject({
      builtAt: null,
      tracks: 0,
      vessels: [],
    });
    const acme = await upload('acme', [
      ...line(40, 7.2),
      // A depth that no neighbour supports.
      { longitude: WEST + 0.0035, latitude: -30.05, depth: 30, time: START + 175_000 },
    ]);
    await upload('acme', line(20, 7, -30.04), { share: 'private' });
    const rival = await upload('rival', line(100, 7.4));
    const platform = { uniqueId: 'rival 2', depthReference: 'mast' };
    await upload('rival', line(20, 7, -30.04), { platform });
    // Without acme, the second half would not be public.
    await upload('third', line(70, 7.3).slice(30));
    expect(await contributionsOf('member')).toMatchObject({
      ...{ builtAt: null, tracks: 2, privateTracks: 1, waitingTracks: 1, used: 0 },
    });

    await build();
    const both = await servedBins();
    const own = await contributionsOf('member');
    expect(own).toMatchObject({
      ...{ tracks: 2, privateTracks: 1, waitingTracks: 0 },
      ...{ soundings: 41, used: 40, rejected: { outlier: 1 } },
    });
    expect(own.builtAt).toBeGreaterThan(START);
    expect(own.publicCells).toBeGreaterThan(15);
    expect(own.addedCells).toBeGreaterThan(10);
    expect(own.addedCells).toBeLessThan(own.publicCells);
    // The chart has more than 10 m there.
    expect(own.possibleShoals).toBe(own.publicCells);
    expect(own.vessels).toEqual([
      expect.objectContaining({
        ...{ platform: 'Boat of acme', subject: 'boat of acme', externalUserId: null, tracks: 2 },
        bias: {
          meters: expect.any(Number),
          uncertainty: expect.any(Number),
          crossings: expect.any(Number),
        },
      }),
    ]);
    expect((await contributionsOf('rival')).publicCells).toBe(both.size);
    expect((await contributionsOf('administrator')).tracks).toBe(0);

    await exportsCorrections(acme, own);
    await refusesUnknownReference(rival);
    const answer = await acme.post(`${BATHYMETRY}/consent`, { share: 'private' });
    expect(jsonOf(answer)).toEqual({ tracks: 1 });
    await build();
    const left = await servedBins();
    expect(left.size).toBe(both.size - own.addedCells);
    for (const bin of left) expect(both).toContain(bin);
    expect(await contributionsOf('member')).toMatchObject({
      ...{ builtAt: null, privateTracks: 2, used: 0, publicCells: 0 },
    });
  });

  /** The shared track as B-12 with its corrections; 409 for the private track. */
  async function exportsCorrections(acme: Awaited<ReturnType<typeof upload>>, own: Contributions) {
    const { tracks } = jsonOf(await acme.get(BATHYMETRY)) as {
      tracks: { id: string; share: string }[];
    };
    const idOf = (share: string) => tracks.find((one) => one.share === share)!.id;
    const path = `${BATHYMETRY}/${idOf('aggregate')}.geojson`;
    const [sent, corrected] = [await acme.get(path), await acme.get(`${path}?corrected=true`)].map(
      (answer) => jsonOf(answer) as unknown as TrackFile,
    );
    expect([sent!.features.length, corrected!.features.length]).toEqual([41, 40]);
    expect(sent!.properties.leadline.corrections).toBeUndefined();
    const { meters } = own.vessels[0]!.bias!;
    expect(corrected!.properties.leadline.corrections).toMatchObject([
      { transducer: 0.5, bias: { meters }, tide: { reduced: false } },
    ]);
    const depths = new Map(sent!.features.map(({ properties: { time, depth } }) => [time, depth]));
    // No tide station is near the isles.
    for (const { properties } of corrected!.features)
      expect(properties.depth).toBeCloseTo(depths.get(properties.time)! + 0.5 - meters, 2);
    const hidden = await acme.get(`${BATHYMETRY}/${idOf('private')}.geojson?corrected=true`);
    expect([hidden.status, jsonOf(hidden).code]).toEqual([409, 'track_not_corrected']);
    expect((await acme.get(`${path}?corrected=yes`)).status).toBe(400);
    const headers = await portal.sessionOf('member');
    const ofAccount = (share: string) =>
      portal.send('GET', `/tracks/${idOf(share)}.geojson?corrected=true`, { headers });
    expect((await ofAccount('aggregate')).json).toEqual(corrected);
    expect((await ofAccount('private')).status).toBe(409);
  }

  /** The corrections of depths that may be measured from the mast are not known. */
  async function refusesUnknownReference(rival: Awaited<ReturnType<typeof upload>>) {
    const { tracks } = jsonOf(await rival.get(BATHYMETRY)) as {
      tracks: { id: string; pointCount: number }[];
    };
    const answers = await Promise.all(
      [100, 20].map((count) => {
        const { id } = tracks.find(({ pointCount }) => pointCount === count)!;
        return rival.get(`${BATHYMETRY}/${id}.geojson?corrected=true`);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(jsonOf(answers[1]!).code).toBe('track_not_corrected');
  }

  it('needs a session to see contributions', async () => {
    expect((await portal.send('GET', '/contributions')).status).toBe(401);
  });
});
