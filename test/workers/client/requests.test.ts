// Responses, retries and errors of the client.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { readRetryAfter } from '../../../shared/contract/retry-after.ts';
import { REFUSALS } from '../../../workers/service/runtime/refusals.ts';
import {
  BadRequestError,
  ConflictError,
  createClient,
  GoneError,
  NoAnswerError,
  NotAllowedError,
  NotFoundError,
  OutcomeUnknownError,
  type ProblemError,
  ServiceError,
  TokenError,
  TooLargeError,
  TooOftenError,
  UnavailableError,
} from '../../../workers/web/client/index.ts';
import { createPortal, type PortalCall } from '../../../workers/web/client/portal.ts';
import { clientWithAnswers, json, noNetwork, problem } from '../../support/fetch-double.ts';

const REPORT = { reportType: 'hazard', position: { latitude: 1, longitude: 2 } } as const;
const MADE = { id: 'x', ...REPORT, latitude: 1, longitude: 2 };
const DATASETS = [{ id: 'enc' }];

const failureOf = async (work: Promise<unknown>): Promise<ProblemError> =>
  work.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: ProblemError) => error,
  );

describe('the client retries', () => {
  it('waits for the seconds in Retry-After', async () => {
    const { client, waits, requests } = clientWithAnswers([
      problem(429, 'too_many_requests', { headers: { 'retry-after': '17' } }),
      problem(503, 'charts_unavailable', { headers: { 'retry-after': '2' } }),
      json(DATASETS),
    ]);
    expect(await client.charts.attributions()).toEqual(DATASETS);
    expect(waits).toEqual([17_000, 2000]);
    expect(requests).toHaveLength(3);
  });

  it('after growing delays without a Retry-After header', async () => {
    const { client, waits } = clientWithAnswers([
      noNetwork(),
      noNetwork(),
      noNetwork(),
      json(DATASETS),
    ]);
    await client.charts.attributions();
    waits.forEach((ms, i) => {
      expect(ms).toBeGreaterThanOrEqual(500 * 2 ** i);
      expect(ms).toBeLessThanOrEqual(1000 * 2 ** i);
    });
    expect(waits).toHaveLength(3);
  });

  it('up to the configured number of attempts, and then throws the last failure', async () => {
    const { client, requests } = clientWithAnswers([noNetwork(), noNetwork(), noNetwork()], {
      retries: 2,
    });
    expect(await failureOf(client.charts.attributions())).toBeInstanceOf(NoAnswerError);
    expect(requests).toHaveLength(3);
  });

  it('does not retry if Retry-After is longer than the app allows', async () => {
    const { client, waits } = clientWithAnswers(
      [problem(429, 'too_many_requests', { headers: { 'retry-after': '61' } })],
      { longestWaitMs: 60_000 },
    );
    const failure = await failureOf(client.charts.attributions());
    expect([failure.retryAfterMs, waits]).toEqual([61_000, []]);
  });

  it('repeats a report of unknown outcome with the same id and key, and it is created once', async () => {
    const { client, requests } = clientWithAnswers([
      noNetwork(),
      problem(503, 'outcome_unknown', { headers: { 'retry-after': '2' } }),
      new Response('<h1>Bad gateway</h1>', { status: 502 }),
      json(MADE, 201),
    ]);
    await client.reports.create(REPORT);
    expect(requests).toHaveLength(4);
    expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    const ids = new Set(requests.map(({ body }) => (body as { id: string }).id));
    expect([...ids]).toEqual([expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab]/)]);
  });

  it('uses another token when its token has expired, once', async () => {
    let given = 0;
    const renewToken = async () => `token-${++given}`;
    const once = clientWithAnswers([problem(401, 'token_expired'), json(DATASETS)], { renewToken });
    await once.client.charts.attributions();
    expect(once.requests.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer the-token',
      'Bearer token-1',
    ]);
    expect(once.client.charts.styleUrl()).toContain('token=token-1');
    const twice = clientWithAnswers(
      [problem(401, 'token_expired'), problem(401, 'token_expired')],
      {
        renewToken,
      },
    );
    expect(await failureOf(twice.client.charts.attributions())).toBeInstanceOf(TokenError);
  });

  it("retries if a network's own page answers instead of the service", async () => {
    const page = () =>
      new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } });
    const { client } = clientWithAnswers([page(), page(), json(DATASETS)]);
    expect(await client.charts.attributions()).toEqual(DATASETS);
    const tile = clientWithAnswers([page()], { retries: 0 });
    const asking = tile.client.charts.tile('raster-v1', { z: 0, x: 0, y: 0 });
    expect(await failureOf(asking)).toBeInstanceOf(NoAnswerError);
    const file = clientWithAnswers([page()], { retries: 0 }).client.soundings.trackFile('x', 'csv');
    expect(await failureOf(file)).toBeInstanceOf(NoAnswerError);
    const deleting = clientWithAnswers([page()], { retries: 0 });
    expect(await failureOf(deleting.client.savedStyles.delete('x'))).toBeInstanceOf(NoAnswerError);
  });
});

describe('the outcome of a write', () => {
  it('treats a report created by an earlier attempt as a success', async () => {
    const { client, requests } = clientWithAnswers([
      noNetwork(),
      problem(409, 'report_exists', { owned: true }),
      json(MADE),
    ]);
    expect(await client.reports.create(REPORT)).toEqual(MADE);
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  });

  it('the caller’s own report with the same id and other content stays a conflict', async () => {
    const { client } = clientWithAnswers([
      problem(409, 'report_exists', { owned: true }),
      json({ ...MADE, latitude: 50 }),
    ]);
    expect(await failureOf(client.reports.create({ ...REPORT, id: 'x' }))).toBeInstanceOf(
      ConflictError,
    );
  });

  it('another user’s report with the same id is a conflict', async () => {
    const { client } = clientWithAnswers([problem(409, 'report_exists')]);
    expect(await failureOf(client.reports.create(REPORT))).toBeInstanceOf(ConflictError);
  });

  it('treats a repeated deletion as done if the report does not exist any more', async () => {
    const { client } = clientWithAnswers([noNetwork(), problem(410, 'report_gone')]);
    expect(await client.reports.delete('x')).toBeUndefined();
    const others = clientWithAnswers([problem(410, 'report_gone')]);
    expect(await failureOf(others.client.reports.delete('x'))).toBeInstanceOf(GoneError);
  });

  it('a deletion of a style or a track whose answer was lost is done when it is not found', async () => {
    const style = clientWithAnswers([noNetwork(), problem(404, 'style_not_found')]);
    await style.client.savedStyles.delete('x');
    const track = clientWithAnswers([noNetwork(), problem(404, 'track_not_found')]);
    await track.client.soundings.deleteTrack('x');
    const missing = clientWithAnswers([problem(404, 'track_not_found')]);
    expect(await failureOf(missing.client.soundings.deleteTrack('x'))).toBeInstanceOf(
      NotFoundError,
    );
  });

  it('a failed write reports whether it may have taken effect', async () => {
    const lost = clientWithAnswers([noNetwork()], { retries: 0 });
    expect((await failureOf(lost.client.reports.vote('x', 'valid'))).mayHaveSucceeded).toBe(true);
    const refused = clientWithAnswers([problem(503, 'database_unavailable')], { retries: 0 });
    expect((await failureOf(refused.client.reports.vote('x', 'valid'))).mayHaveSucceeded).toBe(
      false,
    );
    const first = clientWithAnswers([noNetwork(), problem(503, 'database_unavailable')], {
      retries: 1,
    });
    expect((await failureOf(first.client.reports.vote('x', 'valid'))).mayHaveSucceeded).toBe(true);
    const read = clientWithAnswers([noNetwork()], { retries: 0 });
    expect((await failureOf(read.client.charts.attributions())).mayHaveSucceeded).toBe(false);
  });
});

it('rejects with the reason of the signal during a request and during a wait', async () => {
  const during = new AbortController();
  const reason = new Error('The page was closed.');
  const asking = clientWithAnswers([
    async () => {
      during.abort(reason);
      throw noNetwork();
    },
  ]);
  await expect(asking.client.charts.attributions({ signal: during.signal })).rejects.toBe(reason);
  const waiting = new AbortController();
  const { client } = clientWithAnswers(
    [problem(503, 'charts_unavailable', { headers: { 'retry-after': '9' } })],
    {
      // As the platform's timer does it.
      wait: async (_, signal) => {
        waiting.abort(reason);
        signal?.throwIfAborted();
      },
    },
  );
  await expect(client.charts.attributions({ signal: waiting.signal })).rejects.toBe(reason);
});

it('sends no request if the signal is already aborted', async () => {
  const { client, requests } = clientWithAnswers([]);
  await expect(client.charts.attributions({ signal: AbortSignal.abort('no') })).rejects.toBe('no');
  expect(requests).toEqual([]);
});

it('throws the error of an invalid request instead of a network error', async () => {
  const circular: { own?: unknown } = {};
  circular.own = circular;
  const { client, requests } = clientWithAnswers([]);
  const report = client.reports.create({ ...REPORT, properties: circular });
  await expect(report).rejects.toThrow(TypeError);
  await expect(client.reports.create(REPORT, { key: 'two\nlines' })).rejects.toThrow(TypeError);
  const strange = clientWithAnswers([], { token: 'Ωmega' });
  await expect(strange.client.charts.attributions()).rejects.toThrow(TypeError);
  expect([requests, strange.requests]).toEqual([[], []]);
});

describe('refusals as classes', () => {
  const CLASSES = {
    400: BadRequestError,
    401: TokenError,
    403: NotAllowedError,
    404: NotFoundError,
    405: BadRequestError,
    409: ConflictError,
    410: GoneError,
    413: TooLargeError,
    415: BadRequestError,
    429: TooOftenError,
    500: ServiceError,
    503: UnavailableError,
  } as const;

  it.each(Object.entries(CLASSES))(
    '%s is a class of its own, with code and fields',
    async (status, of) => {
      const errors = [{ path: 'radius', message: 'must be a number' }];
      const members = { errors, requestId: 'r-1', owned: true };
      const { client } = clientWithAnswers([problem(Number(status), 'some_code', members)], {
        retries: 0,
      });
      const failure = await failureOf(client.charts.attributions());
      expect(failure.constructor).toBe(of);
      expect(failure).toMatchObject({ status: Number(status), code: 'some_code', errors });
      expect(failure).toMatchObject({ requestId: 'r-1', message: 'It was some_code.' });
      expect(failure.problem['owned']).toBe(true);
      expect(failure.name).toBe(of.name);
    },
  );

  it('outcome_unknown is not an unavailable service, which did nothing', async () => {
    expect(Object.keys(REFUSALS)).toContain('outcome_unknown');
    const { client } = clientWithAnswers([problem(503, 'outcome_unknown')], { retries: 0 });
    expect(await failureOf(client.reports.vote('x', 'valid'))).toBeInstanceOf(OutcomeUnknownError);
  });

  it('a proxy’s 503 without a code does not mean that nothing was done', async () => {
    const { client } = clientWithAnswers([new Response('down', { status: 503 })], { retries: 0 });
    const failure = await failureOf(client.reports.vote('x', 'valid'));
    expect([failure.constructor, failure.mayHaveSucceeded]).toEqual([ServiceError, true]);
  });

  it('Retry-After is read in seconds and as a date', () => {
    const now = Date.UTC(2026, 0, 1);
    expect(readRetryAfter('0', now)).toBe(0);
    expect(readRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
    expect(readRetryAfter('Wed, 31 Dec 2025 00:00:30 GMT', now)).toBe(0);
    expect([readRetryAfter('soon', now), readRetryAfter(null, now)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('the time limit of a request', () => {
  afterEach(() => void vi.useRealTimers());

  /** Sends the headers at once and the end of the body after 40 seconds, as the events of a pending job. */
  const slowly: typeof fetch = async (_, init) => {
    const body = new ReadableStream({
      start(controller) {
        const timer = setTimeout(() => controller.close(), 40_000);
        controller.enqueue(new TextEncoder().encode('event: job'));
        init!.signal!.addEventListener('abort', () => {
          clearTimeout(timer);
          controller.error(init!.signal!.reason);
        });
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };

  const options = { address: 'https://charts.example', token: '', retries: 0, fetch: slowly };

  /** @returns the response of the call after 40 seconds, or its error */
  async function outcomeOf(call: () => Promise<unknown>): Promise<unknown> {
    vi.useFakeTimers();
    const outcome = call().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(40_000);
    return await outcome;
  }
  const outcomeOfPortal = (call: PortalCall) =>
    outcomeOf(() => createPortal(options).call(call, { id: 'job' } as never));

  it.each<PortalCall>([
    'GET /jobs/{id}/events',
    'GET /reports.csv',
    'GET /admin/audit.csv',
    'POST /admin/erasure',
    'POST /admin/erasure/count',
  ])('is long enough for %s', async (call) => {
    expect(await outcomeOfPortal(call)).toBe('event: job');
  });

  it('is long enough for a file of tracks or of crowdsourced depths', async () => {
    const { charts, soundings } = createClient(options);
    expect(await outcomeOf(() => soundings.trackFile('x', 'gpx'))).toBe('event: job');
    const file = await outcomeOf(() => charts.crowdDepthsFile('csv', [0, 0, 1, 1]));
    expect(new TextDecoder().decode(file as Uint8Array)).toBe('event: job');
  });

  it('is the usual one for other calls of the portal', async () => {
    expect(await outcomeOfPortal('GET /usage')).toBeInstanceOf(NoAnswerError);
  });
});
