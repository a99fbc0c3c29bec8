// A report being written. It outlives a closed popup, a failed sending and a reload of the page; it
// keeps its id until it was taken, so that sending it again is safe.

import { v4 as newId } from 'uuid';
import { isKind, type Position, type ReportKind } from './report.ts';

export interface Draft {
  readonly id: string;
  readonly position: Position;
  readonly reportType: ReportKind | undefined;
  /** Exactly as typed. */
  readonly description: string;
}

export const draftAt = (position: Position): Draft => ({
  id: newId(),
  position,
  reportType: undefined,
  description: '',
});

/** Whether anything would be lost with it. */
export const isWritten = ({ reportType, description }: Draft): boolean =>
  reportType !== undefined || description !== '';

const KEY = 'leadline-report';

/** Keep it for this tab; nothing is kept where the browser's storage is full or off. */
export function keepDraft(draft: Draft | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is full or forbidden: the page still has it.
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

/** Who sits at this browser: a random id that tells nothing, the same at every visit. */
export function userId(): string {
  try {
    const kept = localStorage.getItem(USER_KEY);
    if (kept !== null && kept !== '' && kept.length <= 256) return kept;
    const made = newId();
    localStorage.setItem(USER_KEY, made);
    return made;
  } catch {
    return newId();
  }
}
