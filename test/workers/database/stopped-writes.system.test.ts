// An upload, a report and a saved style that are stopped at every step of a write to a real
// database. After `database_unavailable` the object does not exist. After `outcome_unknown` and a
// retry with the id or key from the response, it exists once.

import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import type { TestDatabase } from '../../support/database.ts';
import {
  databaseBehindProxy,
  type FaultyProxy,
  type ProxyFault,
} from '../../support/faulty-proxy.ts';
import { jsonOf, sendHttp } from '../../support/http-client.ts';
import { isLong } from '../../support/long-run.ts';
import { type Service, startService } from '../../support/service.ts';
import { voyage } from '../../support/soundings.ts';

let database: TestDatabase;
let proxy: FaultyProxy;
let service: Service;
let token: string;
beforeAll(async () => {
  ({ database, proxy } = await databaseBehindProxy());
  service = await startService({
    isAlone: false,
    charts: inject('demoCharts'),
    database: database.bindings,
  });
  token = await service.token();
});
beforeEach(() => {
  proxy.decide = () => 'none';
});
afterAll(async () => {
  await service?.stop();
  await database?.stop();
});

/** The writes: endpoint, body, and a query that counts the objects with a mark. */
interface Write {
  readonly path: string;
  readonly body: (mark: string) => unknown;
  readonly count: string;
}
const WRITES: Readonly<Record<string, Write>> = {
  soundings: {
    path: '/api/v1/user-reports/bathymetry',
    body: (mark) => ({ soundings: voyage(100, 1), platform: { uniqueId: mark } }),
    count: `SELECT count(*)::int AS n FROM track_about WHERE platform_uid = $1`,
  },
  report: {
    path: '/api/v1/user-reports',
    body: (mark) => ({
      reportType: 'hazard',
      position: { latitude: 1, longitude: 2 },
      properties: { mark },
    }),
    count: `SELECT count(*)::int AS n FROM user_report WHERE properties::text LIKE '%' || $1 || '%'`,
  },
  style: {
    path: '/api/portal/v1/styles',
    body: (mark) => ({ name: mark }),
    count: 'SELECT count(*)::int AS n FROM saved_style WHERE name = $1',
  },
};

async function put({ path, body }: Write, mark: string, headers: Record<string, string> = {}) {
  const answer = await sendHttp(service.port, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body(mark)),
  });
  return { status: answer.status, body: jsonOf(answer) };
}

const isBusy = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  AND usename <> current_user AND state <> 'idle' AND pid <> pg_backend_pid()`;

/** How often it is there once no statement of the service runs any more. */
async function countInTheEnd({ count }: Write, mark: string): Promise<number> {
  await vi.waitFor(async () => expect((await database.query(isBusy)).rows).toEqual([]), {
    timeout: 30_000,
    interval: 20,
  });
  return (await database.query(count, [mark])).rows[0].n;
}

/** Tests that a response agrees with the stored objects, also after a retry. @returns its code */
async function heldTrue(write: Write, mark: string, answer: Awaited<ReturnType<typeof put>>) {
  proxy.decide = () => 'none';
  const there = await countInTheEnd(write, mark);
  const code = answer.status === 201 ? 'made' : String(answer.body.code);
  if (code === 'made') expect(there).toBe(1);
  else if (code === 'database_unavailable') expect(there).toBe(0);
  else {
    expect([answer.status, code]).toEqual([503, 'outcome_unknown']);
    const { idempotencyKey, id } = answer.body as Record<string, string | undefined>;
    const again =
      idempotencyKey === undefined
        ? await put({ ...write, body: () => ({ ...(write.body(mark) as object), id }) }, mark)
        : await put(write, mark, { 'idempotency-key': idempotencyKey });
    // Created now or by the first attempt.
    expect(again.status === 201 || again.body.owned).toBe(true);
    expect(await countInTheEnd(write, mark)).toBe(1);
  }
  return code;
}

const EACH = Object.entries(WRITES);
/** For faults that take seconds each. */
const SLOWLY = isLong ? EACH : EACH.slice(0, 1);
/** The expected code if every attempt has this fault. If only one has it, the object may be created. */
const FAULTS: readonly (readonly [ProxyFault, always: string])[] = [
  ['reset', 'outcome_unknown'],
  ['broken', 'database_unavailable'],
  ['hang', 'outcome_unknown'],
  ['lose-answer', 'outcome_unknown'],
  ['half-answer', 'outcome_unknown'],
  ['no-answer', 'outcome_unknown'],
  ['other-answer', 'outcome_unknown'],
  ['half-refusal', 'outcome_unknown'],
];

test.each(EACH)(
  'a write of %s reports its true outcome, wherever its answer is lost',
  async (_, write) => {
    for (const [fault, always] of FAULTS) {
      if (fault === 'hang' && !SLOWLY.some(([, one]) => one === write)) continue;
      for (const [times, expected] of [
        [1, ['made', always]],
        [Number.POSITIVE_INFINITY, [always]],
      ] as const) {
        let asked = 0;
        proxy.decide = () => (asked++ < times ? fault : 'none');
        const mark = randomUUID();
        const answer = await put(write, mark, { 'idempotency-key': mark });
        const code = await heldTrue(write, mark, answer);
        expect([fault, times, expected.includes(code)]).toEqual([fault, times, true]);
      }
    }
  },
);

test.each(SLOWLY)(
  'a write of %s that waits for a lock until its time is over is not there later',
  async (_, write) => {
    const holder = new Client({ connectionString: database.ownerUrl });
    await holder.connect();
    await holder.query(
      'BEGIN; LOCK TABLE track, user_report, saved_style IN ACCESS EXCLUSIVE MODE',
    );
    const mark = randomUUID();
    const answer = await put(write, mark);
    await holder.end();
    expect(await heldTrue(write, mark, answer)).not.toBe('made');
  },
);

/** Something that the database does to itself, at a step of every transaction that writes. */
async function withTrigger(when: string, does: string, work: () => Promise<void>): Promise<void> {
  const tables = ['track_about', 'user_report', 'saved_style'];
  const create = when.startsWith('BEFORE') ? 'CREATE TRIGGER' : 'CREATE CONSTRAINT TRIGGER';
  await database.query(`
    CREATE SEQUENCE attempt;
    CREATE FUNCTION at_step() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN IF nextval('attempt') = 1 THEN PERFORM ${does}; END IF; RETURN NEW; END $$;
    ${tables.map((name) => `${create} at_step ${when.replace('TABLE', name)} FOR EACH ROW EXECUTE FUNCTION at_step();`).join('')}`);
  try {
    await work();
  } finally {
    await database.query('DROP FUNCTION at_step CASCADE; DROP SEQUENCE attempt');
  }
}

const STEPS = [
  ['within its statement', 'BEFORE INSERT ON TABLE'],
  ['within its commit', 'AFTER INSERT ON TABLE DEFERRABLE INITIALLY DEFERRED'],
] as const;

test.each(STEPS)('a write whose session is ended %s reports its true outcome', async (_, when) => {
  for (const [, write] of EACH) {
    await withTrigger(when, 'pg_terminate_backend(pg_backend_pid())', async () => {
      const mark = randomUUID();
      const answer = await put(write, mark);
      expect(['made', 'outcome_unknown']).toContain(await heldTrue(write, mark, answer));
      const { rows } = await database.query('SELECT last_value::int AS n FROM attempt');
      // The first attempt got so far, and ended there.
      expect(rows[0].n).toBeGreaterThan(1);
    });
  }
});

test('a write whose commit exceeds the time limit has an unknown outcome', async () => {
  const [, when] = STEPS[1];
  await withTrigger(when, 'pg_sleep(4)', async () => {
    const mark = randomUUID();
    const write = WRITES['soundings']!;
    const answer = await put(write, mark);
    // The time limits of PostgreSQL apply to statements, not to a commit.
    expect(await heldTrue(write, mark, answer)).toBe('outcome_unknown');
  });
});

// The last test: after these failures, the service does not ask the database for some time.
test('a truncated or invalid response of the database is 503 for reads', async () => {
  for (const fault of ['half-answer', 'no-answer', 'other-answer', 'half-refusal'] as const) {
    proxy.decide = () => fault;
    for (const path of ['/api/v1/user-reports', '/api/portal/v1/styles']) {
      const answer = await sendHttp(service.port, path, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { status } = answer;
      expect([fault, path, status, jsonOf(answer).code]).toEqual([
        fault,
        path,
        503,
        'database_unavailable',
      ]);
    }
  }
});
