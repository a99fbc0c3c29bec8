// What an app was told while it was offline, kept until the service has taken it. Every entry is known by
// an id or a key that goes with every attempt, so it is carried out once, whenever and however often it
// is sent, and from whichever tab.

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
  /** Whether it was sent before, with or without an answer. */
  readonly isTried?: boolean;
  /** Why the service does not take it; it waits until it is discarded or tried again. */
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
  /** Why the rest is still waiting: no network, a token that is not valid, a service that is away. */
  readonly stoppedBy: LeadlineError | undefined;
}

export interface Outbox {
  /** @returns the report's id */
  addReport(report: NewReport): Promise<string>;
  addVote(reportId: string, vote: Vote['vote']): Promise<void>;
  addDeletion(reportId: string): Promise<void>;
  addSoundings(soundings: NewSoundings): Promise<void>;
  /** In the order they were added. */
  entries(): Promise<OutboxEntry[]>;
  /** Send what waits, in its order, one after another; to be called whenever there may be a network. */
  send(options?: CallOptions): Promise<OutboxResult>;
  /** Let an entry that was refused be sent again. */
  retry(entryId: string): Promise<void>;
  discard(entryId: string): Promise<void>;
}

/**
 * @param storage where entries are kept: below `name`, each under a key of its own
 * @param name another for each account or person
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
      // All that is written while it is sent has its room from the beginning: a full storage can only
      // become empty again by sending.
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
        // The entry first: one that is listed is there.
        await writeItem(storage, at(entry.id), entry);
        await writeItem(storage, name, [...(await ids()), entry.id]);
      } catch (error) {
        // What was not added takes no room either.
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
  const sendAll = async ({ signal }: CallOptions): Promise<OutboxResult> => {
    const sent: OutboxEntry[] = [];
    const refused: OutboxEntry[] = [];
    for (const entry of await entries()) {
      if (entry.refusal !== undefined) continue;
      try {
        if (entry.isTried !== true) await change(entry.id, { isTried: true });
        await carryOut(client, storage, entry, signal);
      } catch (error) {
        if (!(error instanceof LeadlineError)) throw error;
        if (!isFinal(error)) return { sent, refused, stoppedBy: error };
        const { status, code, message, errors } = error;
        const refusal = { status, code, message, errors };
        // Where there is no room for the reason, it is asked for again with the next attempt.
        const changed = await change(entry.id, { refusal }).catch(() => ({ ...entry, refusal }));
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

/** Whether the service itself has refused, and would refuse again. */
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
        // An attempt of before made it: whether or not it is gone since, it is not made anew.
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
