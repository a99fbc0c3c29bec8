// The reports that the page knows: the last list from the service, plus changes made on this page, which a
// list may not contain for some seconds. The later `updatedAt` wins.

import { isActive, type Report } from './report.ts';

/** How long a list may be missing a report that was created on this page. */
const LIST_LAG_MS = 60_000;

export interface KnownReports {
  /** Active reports, newest first. */
  all(): readonly Report[];
  get(id: string): Report | undefined;
  /** Replaces the list of the service. */
  takeList(listed: readonly Report[], nowMs: number): void;
  /** Adds or updates a report from a response. */
  take(report: Report): void;
  /** Adds a report that was created on this page. */
  takeNew(report: Report, nowMs: number): void;
  /** Removes a report for good, even if later lists contain it. */
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
