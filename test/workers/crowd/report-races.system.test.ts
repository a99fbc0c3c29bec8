// Concurrent requests: each acknowledged vote counts once, and a deleted report does not change. The
// counts are compared with a recount of the votes by the database.

import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect } from 'vitest';
import {
  type Caller,
  type CrowdService,
  HAZARD,
  REPORTS,
  type ReportBody,
} from '../../support/crowd-service.ts';
import { crowdTest as test } from '../../support/fixtures.ts';
import { type Answer, jsonOf } from '../../support/http-client.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const CLIENTS = 64;
const VOTES = isLong ? 6000 : 400;
const IDS = isLong ? 100 : 7;
const ROUNDS = isLong ? 200 : 4;
const MIXED = isLong ? 40_000 : 600;

let crowd: CrowdService;
let anna: Caller;
/** A token that may vote for end users. */
let server: Caller;
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  anna = await crowd.caller({ subject: 'anna', expiresInSeconds: 7200 });
  server = await crowd.caller({ subject: 'server', votesForUsers: true, expiresInSeconds: 7200 });
});

/** Runs the calls with a limited number of clients in parallel. */
async function byClients<T>(count: number, act: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = new Array(count);
  let next = 0;
  const client = async () => {
    for (let at = next++; at < count; at = next++) results[at] = await act(at);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return results;
}

/** Retries as a client does after a 503. */
async function persist(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
}

const wrongCounts = async () =>
  (
    await crowd.database.query(
      `SELECT id, upvotes, downvotes, up, down FROM user_report JOIN LATERAL (
         SELECT count(*) FILTER (WHERE value = 1) AS up, count(*) FILTER (WHERE value = -1) AS down
         FROM report_vote WHERE report_id = id
       ) AS counted ON up <> upvotes OR down <> downvotes`,
    )
  ).rows;

afterEach(async () => {
  expect(await wrongCounts()).toEqual([]);
  const { rows } = await crowd.database.query(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
});

describe('concurrent requests', () => {
  test(`count the last vote of each of 300 users on one report (${VOTES} votes)`, async () => {
    const { id } = await anna.report();
    const random = seededRandom(20_261_203);
    const cast = Array.from({ length: VOTES }, () => ({
      user: `u${Math.floor(random() * 300)}`,
      vote: random() < 0.6 ? ('valid' as const) : ('invalid' as const),
    }));
    const answers = await byClients(VOTES, (at) =>
      persist(() => server.vote(id, cast[at]!.vote, { externalUserId: cast[at]!.user })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // Each answer has a later time than the previous one.
    const times = answers.map((answer) => (jsonOf(answer) as ReportBody).updatedAt);
    expect(new Set(times).size).toBe(VOTES);
    const report = jsonOf(await anna.get(`${REPORTS}/${id}`)) as ReportBody;
    expect(report.upvoteCount + report.downvoteCount).toBe(new Set(cast.map((c) => c.user)).size);
    expect(report.updatedAt).toBe(Math.max(...times));
  });

  test(`give one 201 and fifteen 409 for each of ${IDS} ids created by 16 clients`, async () => {
    const ids = Array.from({ length: IDS }, () => randomUUID());
    const answers = await byClients(IDS * 16, (at) =>
      persist(() => anna.post(REPORTS, { ...HAZARD, id: ids[at % IDS] })),
    );
    for (const [at, id] of ids.entries()) {
      const ofId = answers.filter((_, i) => i % IDS === at).map(({ status }) => status);
      expect(ofId.sort(), id).toEqual([201, ...new Array(15).fill(409)]);
    }
  });

  test(`count votes before a deletion, and answer 410 to votes after it (${ROUNDS} rounds of 40)`, async () => {
    let before = 0;
    let after = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await anna.report();
      // The deletion comes at various points in the votes, even with few rounds.
      const deletion = (round * 11) % 40;
      // In every second round, some votes are answered before it.
      let awaited = round % 2 === 0 ? 0 : 5;
      let start: () => void = () => undefined;
      const started = new Promise<void>((done) => {
        start = done;
      });
      if (awaited === 0) start();
      const answers = await byClients(41, async (at) => {
        if (at === deletion) {
          await started;
          return persist(() => anna.delete(`${REPORTS}/${id}`));
        }
        const vote = at % 3 ? 'valid' : 'invalid';
        const answer = await persist(() => server.vote(id, vote, { externalUserId: `${at}` }));
        if (--awaited === 0) start();
        return answer;
      });
      const deleted = jsonOf(answers[deletion]!) as ReportBody;
      expect(answers[deletion]!.status).toBe(200);
      const votes = answers.filter((_, at) => at !== deletion);
      const counted = votes.filter(({ status }) => status === 200);
      expect(votes.filter(({ status }) => status === 410)).toHaveLength(40 - counted.length);
      // The answer to the deletion is the final state, and includes every acknowledged vote.
      expect(deleted.upvoteCount + deleted.downvoteCount).toBe(counted.length);
      const { rows } = await crowd.database.query(
        'SELECT upvotes, downvotes FROM user_report WHERE id = $1',
        [id],
      );
      expect(rows).toEqual([{ upvotes: deleted.upvoteCount, downvotes: deleted.downvoteCount }]);
      before += counted.length;
      after += 40 - counted.length;
    }
    // Votes on both sides of the deletion must have occurred.
    expect(before).toBeGreaterThan(0);
    expect(after).toBeGreaterThan(0);
  });

  test('delete a report once if 32 clients delete it', async () => {
    for (let round = 0; round < Math.min(ROUNDS, 100); round++) {
      const { id } = await anna.report();
      const answers = await byClients(32, () => persist(() => anna.delete(`${REPORTS}/${id}`)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...new Array(31).fill(410)]);
    }
  });

  test(`cause no deadlock and only documented answers in ${MIXED} mixed requests`, async () => {
    const random = seededRandom(20_261_204);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await anna.report()).id));
    const seen = new Map<number, number>();
    let left = MIXED;
    const user = () => ({ externalUserId: `u${Math.floor(random() * 50)}` });
    const renew = async (at: number) => {
      ids[at] = randomUUID();
      return anna.post(REPORTS, { ...HAZARD, id: ids[at] });
    };
    const sounding = () => ({
      latitude: 47 + random(),
      longitude: -122,
      depth: 5,
      time: 1_700_000_000_000 + Math.floor(random() * 1e7),
    });
    const act = (): Promise<Answer> => {
      const kind = random();
      const at = Math.floor(random() * ids.length);
      if (kind < 0.7) return server.vote(ids[at]!, pick(['valid', 'invalid']), user());
      if (kind < 0.76) return anna.delete(`${REPORTS}/${ids[at]}`);
      if (kind < 0.84) return renew(at);
      if (kind < 0.9) return anna.get(`${REPORTS}?bbox=-123,47,-122,48&limit=20`);
      const soundings = Array.from({ length: 5 }, sounding);
      const platform = { uniqueId: pick(['a', 'b']) };
      return anna.post(`${REPORTS}/bathymetry`, { soundings, platform });
    };
    /** Moves the time of a report, and runs the sweep. */
    const expire = async () => {
      await crowd.database.query(
        'UPDATE user_report SET expires_at = 1, sweep_at = 1 WHERE id = $1',
        [pick(ids)],
      );
      await crowd.database.query('SELECT sweep_reports($1, 500)', [Date.now()]);
    };
    const client = async () => {
      while (left-- > 0) {
        if (left % 25 === 0) await expire();
        const { status } = await act();
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const documented = new Set([200, 201, 404, 410, 503]);
    expect([...seen.keys()].filter((status) => !documented.has(status))).toEqual([]);
    expect(seen.get(200) ?? 0).toBeGreaterThan(MIXED / 10);
    expect(seen.get(410) ?? 0).toBeGreaterThan(0);
  });
});
