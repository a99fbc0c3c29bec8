// Stores writes until the service accepts them. Each entry has an id or idempotency key that is sent with
// every attempt, so the service carries it out once, even if several tabs send it.

import type { Client } from './client.ts';
import {
  ConflictError,
  GoneError,
  LeadlineError,
  OutcomeUnknownError,
  ProblemError,
  ServiceError,
  TokenError,
  TooOftenError,
  UnavailableError,
} from './errors.ts';
import { randomId } from './random-id.ts';
import type { CallOptions } from './send-request.ts';
import { type KeyValueStorage, oneAtATime, readItem, reserveRoom, writeItem } from './storage.ts';
import { PROGRESS_ROOM, uploadStorageKey } from './upload-soundings.ts';
import type { NewReport, NewSoundings, Vote } from './wire.ts';

type Content =
  | { readonly kind: 'report'; readonly report: NewReport & { readonly id: string } }
  | { readonly kind: 'vote'; readonly reportId: string; readonly vote: Vote['vote'] }
  | { readonly kind: 'delete'; readonly reportId: string }
  | { readonly kind: 'soundings'; readonly soundings: NewSoundings };

export type OutboxEntry = Content & {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly addedAt: number;
  /** Whether an attempt to send it was made. */
  readonly isTried?: boolean;
  /** Why the service rejected it. The entry stays until `discard` or `retry` is called. */
  readonly refusal?: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly errors: ProblemError['errors'];
  };
};

export interface OutboxResult {
  readonly sent: readonly OutboxEntry[];
  readonly refused: readonly OutboxEntry[];
  /** Why other entries were not sent: no network, an invalid token or an unavailable service. */
  readonly stoppedBy: LeadlineError | undefined;
}

export interface Outbox {
  /** @returns the report's id */
  addReport(report: NewReport): Promise<string>;
  addVote(reportId: string, vote: Vote['vote']): Promise<void>;
  addDeletion(reportId: string): Promise<void>;
  addSoundings(soundings: NewSoundings): Promise<void>;
  /** All entries in the order in which they were added. */
  entries(): Promise<OutboxEntry[]>;
  /** Sends the entries in order, one at a time. Call it whenever there may be a network. */
  send(options?: CallOptions): Promise<OutboxResult>;
  /** Marks a rejected entry to be sent again. */
  retry(entryId: string): Promise<void>;
  discard(entryId: string): Promise<void>;
}

/**
 * @param storage stores each entry under its own key, which starts with `name`
 * @param name must differ for each account or user
 */
export function openOutbox(
  client: Client,
  storage: KeyValueStorage,
  name = 'leadline-outbox',
): Outbox {
  const exclusively = oneAtATime(name);
  const at = (id: string) => `${name}.${id}`;
  const ids = async () => (await readItem<string[]>(storage, name)) ?? [];
  const add = (content: Content) =>
    exclusively(async () => {
      // Reserve the space for all writes during sending: if storage is full, only sending can free it.
      const entry: OutboxEntry = {
        ...content,
        id: randomId(),
        addedAt: Date.now(),
        isTried: false,
      };
      try {
        if (content.kind === 'soundings') {
          await reserveRoom(storage, uploadStorageKey(entry.id), PROGRESS_ROOM);
        }
        // Write the entry before the list, so that each listed entry exists.
        await writeItem(storage, at(entry.id), entry);
        await writeItem(storage, name, [...(await ids()), entry.id]);
      } catch (error) {
        // Free the space of an incomplete entry.
        await remove(entry.id);
        throw error;
      }
    });
  const remove = async (id: string) => {
    await storage.removeItem(at(id));
    await storage.removeItem(uploadStorageKey(id));
  };
  const discard = (id: string) =>
    exclusively(async () => {
      await writeItem(
        storage,
        name,
        (await ids()).filter((one) => one !== id),
      );
      await remove(id);
    });
  const change = (id: string, part: Pick<OutboxEntry, 'refusal' | 'isTried'>) =>
    exclusively(async () => {
      const entry = await readItem<OutboxEntry>(storage, at(id));
      if (entry === undefined) return undefined;
      const { refusal: _, ...rest } = entry;
      const changed = { ...rest, ...part } as OutboxEntry;
      await writeItem(storage, at(id), changed);
      return changed;
    });
  const entries = () =>
    exclusively(async () => {
      const all = await Promise.all(
        (await ids()).map((id) => readItem<OutboxEntry>(storage, at(id))),
      );
      return all.filter((entry) => entry !== undefined);
    });
  /** The next entry as it is now. Others may be added, discarded or sent by another tab meanwhile. */
  const nextOf = (seen: Set<string>) =>
    exclusively(async () => {
      for (const id of await ids()) {
        if (seen.has(id)) continue;
        seen.add(id);
        const entry = await readItem<OutboxEntry>(storage, at(id));
        if (entry !== undefined && entry.refusal === undefined) return entry;
      }
      return undefined;
    });
  const sendAll = async ({ signal }: CallOptions): Promise<OutboxResult> => {
    const sent: OutboxEntry[] = [];
    const refused: OutboxEntry[] = [];
    const seen = new Set<string>();
    for (let entry = await nextOf(seen); entry !== undefined; entry = await nextOf(seen)) {
      try {
        // It may have been discarded, or sent by another tab, since it was read.
        const isGone =
          entry.isTried !== true && (await change(entry.id, { isTried: true })) === undefined;
        if (isGone) continue;
        await carryOut(client, storage, entry, signal);
      } catch (error) {
        if (!(error instanceof LeadlineError)) throw error;
        if (!isFinal(error)) return { sent, refused, stoppedBy: error };
        const { status, code, message, errors } = error;
        const refusal = { status, code, message, errors };
        // If storage is full, the next attempt gets the same refusal.
        const failed = { ...entry, refusal };
        const changed = await change(entry.id, { refusal }).catch(() => failed);
        if (changed !== undefined) refused.push(changed);
        continue;
      }
      await discard(entry.id);
      sent.push(entry);
    }
    return { sent, refused, stoppedBy: undefined };
  };
  let sending: Promise<OutboxResult> | undefined;
  return {
    addReport: async (report) => {
      const id = report.id ?? randomId();
      await add({ kind: 'report', report: { ...report, id } });
      return id;
    },
    addVote: (reportId, vote) => add({ kind: 'vote', reportId, vote }),
    addDeletion: (reportId) => add({ kind: 'delete', reportId }),
    addSoundings: (soundings) => add({ kind: 'soundings', soundings }),
    entries,
    send: (options = {}) => {
      sending ??= sendAll(options).finally(() => {
        sending = undefined;
      });
      return sending;
    },
    retry: async (id) => void (await change(id, {})),
    discard,
  };
}

/** Whether the service rejected the request and would reject it again. */
function isFinal(error: LeadlineError): error is ProblemError & { readonly code: string } {
  const passing = [TokenError, TooOftenError, UnavailableError, OutcomeUnknownError, ServiceError];
  return (
    error instanceof ProblemError &&
    error.code !== undefined &&
    !passing.some((one) => error instanceof one)
  );
}

async function carryOut(
  { reports, soundings }: Client,
  storage: KeyValueStorage,
  entry: OutboxEntry,
  signal: AbortSignal | undefined,
): Promise<void> {
  switch (entry.kind) {
    case 'report':
      await reports.create(entry.report, { key: entry.id, signal }).catch((error: unknown) => {
        // An earlier attempt created the report. Do not create it again, even if it was deleted since.
        const isThere = error instanceof ConflictError && error.code === 'report_exists';
        if (!(entry.isTried === true && isThere)) unlessGone(error);
      });
      return;
    case 'vote':
      return void (await reports.vote(entry.reportId, entry.vote, { signal }));
    case 'delete':
      return void (await reports.delete(entry.reportId, { signal }).catch(unlessGone));
    case 'soundings':
      await soundings.upload(entry.soundings, { name: entry.id, storage, signal });
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof GoneError)) throw error;
}
