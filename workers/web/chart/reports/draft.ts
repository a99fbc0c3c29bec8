// A draft report. It survives closing the popup, a failed request and a page reload. It keeps its id until
// the service accepts it, so that a retry cannot create a second report.

import { randomId as newId } from '../../client/random-id.ts';
import { isKind, type Position, type ReportKind } from './report.ts';

export interface Draft {
  readonly id: string;
  readonly position: Position;
  readonly reportType: ReportKind | undefined;
  readonly description: string;
}

export const draftAt = (position: Position): Draft => ({
  id: newId(),
  position,
  reportType: undefined,
  description: '',
});

/** Whether the user has entered anything. */
export const isWritten = ({ reportType, description }: Draft): boolean =>
  reportType !== undefined || description !== '';

const KEY = 'leadline-report';

/** Stores the draft for this tab, or deletes it if `undefined`. */
export function keepDraft(draft: Draft | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is full or blocked: the draft is only in memory.
  }
}

export function keptDraft(): Draft | undefined {
  try {
    const { id, position, reportType, description } = JSON.parse(
      sessionStorage.getItem(KEY) ?? '',
    ) as Draft;
    const { latitude, longitude } = position;
    if (typeof id !== 'string' || typeof description !== 'string') return undefined;
    if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return undefined;
    return {
      id,
      position: { latitude, longitude },
      reportType: isKind(reportType) ? reportType : undefined,
      description,
    };
  } catch {
    return undefined;
  }
}

const USER_KEY = 'leadline-user';

/** Returns a random user id, stored in this browser. */
export function userId(): string {
  try {
    const kept = localStorage.getItem(USER_KEY);
    if (kept !== null && kept !== '' && kept.length <= 256) return kept;
    const newUserId = newId();
    localStorage.setItem(USER_KEY, newUserId);
    return newUserId;
  } catch {
    return newId();
  }
}
