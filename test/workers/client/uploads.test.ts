// Uploads of soundings in batches: order, resumption and duplicates.

import { describe, expect, it, vi } from 'vitest';
import { openOutbox, uploadStorageKey } from '../../../workers/web/client/index.ts';
import {
  clientWithAnswers,
  json,
  memoryStorage,
  noNetwork,
  problem,
  type RecordedRequest,
  type Reply,
} from '../../support/fetch-double.ts';

const at = (minute: number) => ({
  latitude: 1,
  longitude: minute / 100,
  depth: 5,
  time: Date.UTC(2026, 0, 1, 0, minute),
});
const soundings = Array.from({ length: 10 }, (_, minute) => at(minute));
const platform = { uniqueId: 'boat' };

type Sent = { readonly soundings: ReturnType<typeof at>[] };
const sentIn = ({ body }: RecordedRequest) => (body as Sent).soundings;
const keyOf = ({ headers }: RecordedRequest) => headers.get('idempotency-key');
const taken: Reply = (asked) =>
  json(
    {
      tracks: [
        {
          id: 'track',
          pointCount: 1,
          startTime: 0,
          endTime: sentIn(asked).at(-1)!.time,
          merged: true,
        },
      ],
      totalPoints: sentIn(asked).length,
    },
    201,
  );
const opened = (replies: readonly Reply[]) => clientWithAnswers(replies, { retries: 0 });

describe('an upload of soundings', () => {
  it('divides soundings into batches in order of time, each with the common metadata', async () => {
    const { client, requests } = opened([taken, taken, taken]);
    const progress: number[] = [];
    const answer = await client.soundings.upload(
      { platform, soundings: [...soundings].reverse() },
      { batchSize: 4, onProgress: ({ sent }) => progress.push(sent) },
    );
    expect(requests.map((one) => sentIn(one).length)).toEqual([4, 4, 2]);
    expect(requests.flatMap(sentIn)).toEqual(soundings);
    expect(
      requests.every(({ body }) => (body as { platform: object }).platform !== undefined),
    ).toBe(true);
    expect(new Set(requests.map(keyOf)).size).toBe(3);
    expect(progress).toEqual([4, 8, 10]);
    expect(answer).toEqual({
      totalPoints: 10,
      tracks: [{ id: 'track', pointCount: 1, startTime: 0, endTime: at(9).time, merged: true }],
    });
  });

  it('orders times as the service reads them, with times without a zone as UTC', async () => {
    const { client, requests } = opened([taken]);
    const times = ['2026-01-01T02:00+03:00', '2026-01-01T00:30', '20251231T225900Z', at(10).time];
    await client.soundings.upload({ soundings: times.map((time) => ({ ...at(0), time })) });
    expect(sentIn(requests[0]!).map(({ time }) => time)).toEqual([
      '20251231T225900Z',
      '2026-01-01T02:00+03:00',
      at(10).time,
      '2026-01-01T00:30',
    ]);
  });

  it('resumes after an interruption, and repeats the batch of unknown outcome with its key', async () => {
    const storage = memoryStorage();
    const options = { name: 'voyage-7', storage, batchSize: 4 };
    const first = opened([taken, noNetwork()]);
    await expect(first.client.soundings.upload({ platform, soundings }, options)).rejects.toThrow();
    const second = opened([taken, taken]);
    // A different batch size must not change the batch of unknown outcome.
    const answer = await second.client.soundings.upload(
      { platform, soundings },
      { ...options, batchSize: 10 },
    );
    expect(keyOf(second.requests[0]!)).toBe(keyOf(first.requests[1]!));
    expect(second.requests[0]!.body).toEqual(first.requests[1]!.body);
    expect(second.requests.flatMap(sentIn)).toEqual(soundings.slice(4));
    expect(answer.totalPoints).toBe(10);
  });

  it('is sent once, even if it is started again after its end', async () => {
    const storage = memoryStorage();
    const { client, requests } = opened([taken]);
    const upload = () => client.soundings.upload({ soundings }, { name: 'once', storage });
    const answer = await upload();
    expect(await upload()).toEqual(answer);
    expect(requests).toHaveLength(1);
  });

  it('reduces the batch size down to one if the service requires it', async () => {
    const tooMany = () => problem(413, 'too_many_soundings');
    const { client, requests } = opened([tooMany(), tooMany(), taken, taken, taken, taken]);
    await client.soundings.upload({ soundings });
    expect(requests.map((one) => sentIn(one).length)).toEqual([10, 5, 3, 3, 3, 1]);
    const never = opened([problem(413, 'body_too_large')]);
    const one = never.client.soundings.upload({ soundings: [at(0)] });
    await expect(one).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it('rejects a second upload with the same name', async () => {
    const storage = memoryStorage();
    const { client } = opened([taken]);
    await client.soundings.upload({ soundings }, { name: 'voyage', storage });
    const other = client.soundings.upload({ soundings: [at(3)] }, { name: 'voyage', storage });
    await expect(other).rejects.toThrow('The name voyage is in use by a different upload');
  });

  const pageOf = (tracks: readonly object[], nextCursor: string | null = null) =>
    json({ tracks, nextCursor });
  const track = { id: 'track', startTime: at(0).time, endTime: at(9).time };

  /** An upload whose last batch so far has an unknown outcome, two days later. */
  const twoDaysLater = async (
    replies: readonly Reply[],
    given = { soundings, batchSize: soundings.length, stored: 0 },
  ) => {
    const storage = memoryStorage();
    const first = opened([...Array<Reply>(given.stored).fill(taken), noNetwork()]);
    const upload = ({ client }: ReturnType<typeof opened>) =>
      client.soundings.upload(
        { platform, soundings: given.soundings },
        { name: 'voyage', storage, batchSize: given.batchSize },
      );
    await expect(upload(first)).rejects.toThrow();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 48 * 3_600_000);
    try {
      const second = opened(replies);
      await upload(second);
      return second.requests.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`);
    } finally {
      vi.restoreAllMocks();
    }
  };

  it('checks the tracks of the service after the key has expired, and does not duplicate stored soundings', async () => {
    const asked = await twoDaysLater([
      pageOf([{ ...track, endTime: at(5).time }], 'next'),
      pageOf([track]),
      json({ ...track, points: soundings }),
    ]);
    expect(asked).toEqual(['GET bathymetry', 'GET bathymetry', 'GET track']);
  });

  it('sends a batch again if the key has expired and the tracks do not contain it', async () => {
    const points = soundings.map((sounding) => ({ ...sounding, depth: 6 }));
    const asked = await twoDaysLater([pageOf([track]), json({ ...track, points }), taken]);
    expect(asked).toEqual(['GET bathymetry', 'GET track', 'POST bathymetry']);
  });

  it('does not take a stored sounding of the batch before for an equal one of this batch', async () => {
    const equal = [at(0), at(1), at(1), at(1)];
    const given = { soundings: equal, batchSize: 2, stored: 1 };
    const found = (points: number) => [
      pageOf([track]),
      json({ ...track, points: equal.slice(0, points) }),
    ];
    const missing = await twoDaysLater([...found(2), taken], given);
    expect(missing).toEqual(['GET bathymetry', 'GET track', 'POST bathymetry']);
    expect(await twoDaysLater(found(4), given)).toEqual(['GET bathymetry', 'GET track']);
    const mixed = { ...given, soundings: [at(0), at(1), at(1), at(2)] };
    expect(await twoDaysLater([...found(2), taken], mixed)).toEqual(missing);
  });

  it('resumes from the outbox after an interruption, and leaves nothing in the storage', async () => {
    const storage = memoryStorage();
    const first = opened([noNetwork()]);
    await openOutbox(first.client, storage).addSoundings({ platform, soundings });
    await openOutbox(first.client, storage).send();
    const second = opened([taken]);
    expect((await openOutbox(second.client, storage).send()).sent).toHaveLength(1);
    expect(keyOf(second.requests[0]!)).toBe(keyOf(first.requests[0]!));
    expect([...storage.texts.keys()]).toEqual(['leadline-outbox']);
  });

  it('finishes from the outbox if the storage is full, and resumes after an interruption', async () => {
    const storage = memoryStorage();
    const many = Array.from({ length: 60_000 }, (_, minute) => at(minute));
    const first = opened([taken, noNetwork()]);
    await openOutbox(first.client, storage).addSoundings({ platform, soundings: many });
    storage.setFull();
    await openOutbox(first.client, storage).send();
    const second = opened([taken, taken]);
    expect((await openOutbox(second.client, storage).send()).sent).toHaveLength(1);
    expect(second.requests.map((one) => sentIn(one).length)).toEqual([20_000, 20_000]);
    expect(keyOf(second.requests[0]!)).toBe(keyOf(first.requests[1]!));
    expect([...storage.texts.keys()]).toEqual(['leadline-outbox']);
  });

  it('is refused at once if its name is not valid in a header', async () => {
    const { client, requests } = opened([]);
    for (const name of ['', 'with space', 'Törn', 'x'.repeat(129)]) {
      await expect(client.soundings.upload({ soundings }, { name })).rejects.toThrow('name');
    }
    expect(requests).toEqual([]);
    expect(uploadStorageKey('a')).toBe('leadline-upload.a');
  });
});
