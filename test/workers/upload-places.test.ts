// Slow uploads give their places to others, with a clock that the test moves.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inUploadPlace } from '../../workers/service/endpoints/upload-places.ts';
import type { AppContext } from '../../workers/service/http/endpoint.ts';
import { readFormFiles } from '../../workers/service/http/read-form.ts';

const KIBI = 1024;
const SECOND_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Sending {
  /** The code of the error, or the number of received bytes. */
  outcome: string | number | undefined;
  end(): void;
}

/** An upload that receives a number of bytes each second until it is ended. */
function upload(account: string, bytesPerSecond: number): Sending {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const sending: Sending = { outcome: undefined, end };
  async function* body() {
    while (!isOver) {
      await new Promise((done) => setTimeout(done, SECOND_MS));
      if (bytesPerSecond > 0) yield new Uint8Array(bytesPerSecond);
    }
  }
  let received = 0;
  inUploadPlace(account, async (place) => {
    for await (const { length } of place.chunks(body())) received += length;
  }).then(
    () => (sending.outcome = received),
    (error: { readonly code: string }) => (sending.outcome = error.code),
  );
  return sending;
}

const passed = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND_MS);
async function endAll(...uploads: readonly Sending[]): Promise<void> {
  for (const one of uploads) one.end();
  await passed(2);
}

test('a slow upload keeps its place until another one needs it', async () => {
  const [slow, fast, other] = [
    upload('a', 10 * KIBI),
    upload('b', 100 * KIBI),
    upload('c', 70 * KIBI),
  ];
  await passed(29);
  // Too early to tell.
  const early = upload('d', 0);
  await passed(0);
  expect([slow.outcome, early.outcome]).toEqual([undefined, 'too_many_at_once']);
  await passed(31);
  expect(slow.outcome).toBeUndefined();
  const next = upload('d', 100 * KIBI);
  await passed(1);
  expect([slow.outcome, next.outcome]).toEqual(['request_timeout', undefined]);
  // The others are fast.
  const late = upload('e', 100 * KIBI);
  await passed(0);
  expect(late.outcome).toBe('too_many_at_once');
  await endAll(fast, other, next);
  expect([fast, other, next].map(({ outcome }) => typeof outcome)).toEqual(Array(3).fill('number'));
});

test('a fast upload that becomes slow does not keep its place by its first bytes', async () => {
  let bytes = 100_000 * KIBI;
  const isOver = { value: false };
  async function* body() {
    while (!isOver.value) {
      await new Promise((done) => setTimeout(done, SECOND_MS));
      yield new Uint8Array(bytes);
      bytes = 10;
    }
  }
  let code: string | undefined;
  void inUploadPlace('a', async (place) => {
    for await (const _ of place.chunks(body()));
  }).catch((error: { readonly code: string }) => (code = error.code));
  const others = [upload('b', 100 * KIBI), upload('c', 100 * KIBI)];
  await passed(70);
  const next = upload('d', 100 * KIBI);
  await passed(1);
  expect([code, next.outcome]).toEqual(['request_timeout', undefined]);
  isOver.value = true;
  await endAll(...others, next);
});

test('an account does not have all places, and a third upload of it ends a slow one', async () => {
  const own = [upload('a', 10 * KIBI), upload('a', 100 * KIBI)];
  await passed(1);
  const third = upload('a', 100 * KIBI);
  const other = upload('b', 100 * KIBI);
  await passed(0);
  expect([third.outcome, other.outcome]).toEqual(['too_many_at_once', undefined]);
  await passed(40);
  const again = upload('a', 100 * KIBI);
  await passed(1);
  expect(own.map(({ outcome }) => outcome)).toEqual(['request_timeout', undefined]);
  expect(again.outcome).toBeUndefined();
  await endAll(own[1]!, other, again);
});

test('slow uploads in parts shorter than the window do not keep the places', async () => {
  const sendPart = () => ['x', 'y', 'z'].map((account) => upload(account, 10 * KIBI));
  for (let part = 0; part < 3; part++) {
    const parts = sendPart();
    await passed(15);
    await endAll(...parts);
  }
  const slow = sendPart();
  const newer = ['d', 'e', 'f'].map((account) => upload(account, 100 * KIBI));
  await passed(1);
  expect(newer.map(({ outcome }) => outcome)).toEqual([undefined, undefined, undefined]);
  expect(slow.map(({ outcome }) => outcome)).toEqual(Array(3).fill('request_timeout'));
  await endAll(...newer);
});

test('forms that never come to a file do not keep the places', async () => {
  const head = new TextEncoder().encode('--b\r\nContent-Disposition: form-data; name="file"');
  const sendForm = (account: string) => {
    let stop: (reason: Error) => void = () => undefined;
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(head);
        stop = (reason) => controller.error(reason);
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const raw = new Request('https://leadline.test', {
      ...{ method: 'POST', duplex: 'half', body, headers },
    });
    const c = { req: { raw, header: (name: string) => raw.headers.get(name) ?? undefined } };
    const limits = { maxBytes: KIBI, maxFiles: 1 };
    const sent = inUploadPlace(account, (place) =>
      readFormFiles(c as unknown as AppContext, limits, async () => undefined, place.measured),
    ).catch(({ code }: { readonly code: string }) => code);
    return { sent, stop };
  };
  for (let round = 0; round < 2; round++) {
    const forms = ['x', 'y', 'z'].map(sendForm);
    await passed(29);
    for (const { stop } of forms) stop(new Error('The client disconnected.'));
    expect(await Promise.all(forms.map(({ sent }) => sent))).toEqual(
      Array(3).fill('incomplete_body'),
    );
  }
  const forms = ['x', 'y', 'z'].map(sendForm);
  const next = upload('d', 100 * KIBI);
  await passed(1);
  expect(next.outcome).toBeUndefined();
  expect(await forms[0]!.sent).toBe('request_timeout');
  for (const { stop } of forms) stop(new Error('The client disconnected.'));
  await endAll(next);
});

test('many small requests of a fast client do not become slow by the time that the service needs', async () => {
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
  async function* form() {
    await wait(10);
    yield new Uint8Array(10 * KIBI);
  }
  for (let i = 0; i < 20; i++) {
    const sent = inUploadPlace('a', async (place) => {
      for await (const _ of place.chunks(form())) await wait(2 * SECOND_MS);
    });
    await passed(3);
    await sent;
  }
  const all = ['a', 'b', 'c'].map((account) => upload(account, 100 * KIBI));
  const next = upload('d', 100 * KIBI);
  await passed(2);
  expect([all[0]!.outcome, next.outcome]).toEqual([undefined, 'too_many_at_once']);
  await endAll(...all);
});

test('the place of a request that the runtime has dropped becomes free', async () => {
  const drops: (() => void)[] = [];
  const dropped = () => inUploadPlace('a', () => new Promise<void>((end) => drops.push(end)));
  const both = [dropped(), dropped()];
  await passed(40);
  const next = upload('a', 100 * KIBI);
  await passed(60);
  expect(next.outcome).toBeUndefined();
  await endAll(next);
  expect(next.outcome).toBeTypeOf('number');
  // Their memory would be missing in tests that follow.
  for (const end of drops) end();
  await Promise.all(both);
});
