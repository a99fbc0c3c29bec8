// Which reports the page knows: the last list of the service, and over it what was done here since,
// as a list may be some seconds old. Of two states of a report the later one counts.

import { isActive, type Report } from './report.ts';

/** How long a list may lack a report that was made here. */
const LIST_LAG_MS = 60_000;

export interface KnownReports {
  /** Active reports, newest first. */
  all(): readonly Report[];
  get(id: string): Report | undefined;
  /** Take a list of the service in place of the one before. */
  takeList(listed: readonly Report[], nowMs: number): void;
  /** Take a report as the service answered it. */
  take(report: Report): void;
  /** Take a report that was made here just now. */
  takeNew(report: Report, nowMs: number): void;
  /** It is gone, whatever lists say. */
  drop(id: string): void;
  onChange(tell: () => void): void;
}

export function openKnownReports(): KnownReports {
  let known = new Map<string, Report>();
  const madeAt = new Map<string, number>();
  const gone = new Set<string>();
  const listeners: (() => void)[] = [];
  const tellAll = () => {
    for (const tell of listeners) tell();
  };
  const later = (one: Report): Report => {
    const other = known.get(one.id);
    return other === undefined || other.updatedAt <= one.updatedAt ? one : other;
  };
  const take = (report: Report) => {
    known.set(report.id, later(report));
    tellAll();
  };
  return {
    all: () =>
      [...known.values()]
        .filter((report) => isActive(report) && !gone.has(report.id))
        .sort((a, b) => b.createdAt - a.createdAt),
    get: (id) => (gone.has(id) ? undefined : known.get(id)),
    takeList: (listed, nowMs) => {
      const next = new Map(listed.map((report) => [report.id, later(report)]));
      for (const id of next.keys()) madeAt.delete(id);
      for (const [id, at] of madeAt) {
        const report = known.get(id);
        if (report !== undefined && nowMs - at < LIST_LAG_MS) next.set(id, report);
        else madeAt.delete(id);
      }
      known = next;
      tellAll();
    },
    take,
    takeNew: (report, nowMs) => {
      madeAt.set(report.id, nowMs);
      take(report);
    },
    drop: (id) => {
      gone.add(id);
      tellAll();
    },
    onChange: (tell) => void listeners.push(tell),
  };
}
