// Shows the card of a report, with votes and deletion, or a list of overlapping reports to choose from.

import { closer, element } from '../../client/chart/elements.ts';
import type { KnownReports } from './known-reports.ts';
import type { Popup } from './popup.ts';
import type { Position, Report } from './report.ts';
import { type ReportCard, reportCard } from './report-card.ts';
import { reportRows } from './report-list.ts';
import { Refusal, type ReportsClient } from './reports-client.ts';
import type { ReportsLayer } from './reports-layer.ts';

export interface Reading {
  open(report: Report, words?: string): void;
  choose(reports: readonly Report[]): void;
  /** Updates the open card from the known reports. */
  update(covers: (position: Position) => boolean): void;
}

/** @param enter called when a card or list opens */
export function openReading(
  popup: Popup,
  client: ReportsClient,
  known: KnownReports,
  layer: ReportsLayer,
  enter: () => void,
): Reading {
  let shown: { readonly card: ReportCard; readonly at: Position } | undefined;
  /** Runs an action and drops the report if the service no longer has it. */
  const act = async (id: string, work: () => Promise<Report>) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && [404, 410].includes(error.status)) known.drop(id);
      throw error;
    }
  };
  const open = (report: Report, words?: string) => {
    const { id } = report;
    enter();
    const card = reportCard(report, {
      vote: async (vote) => known.take(await act(id, () => client.vote(id, vote))),
      remove: async () => {
        await act(id, () => client.remove(id));
        // The user may have opened something else during the request.
        const isShown = shown?.card.id === id;
        known.drop(id);
        if (!isShown) return;
        const closeButton = closer('Close', popup.close);
        popup.show([closeButton, element('p', 'The report was deleted.')], () => undefined);
        closeButton.focus({ preventScroll: true });
      },
      close: popup.close,
    });
    popup.show(card.nodes, () => {
      shown = undefined;
      layer.choose(undefined);
    });
    shown = { card, at: report };
    layer.choose(report);
    if (words !== undefined) card.say(words);
    card.focus();
  };
  return {
    open,
    choose: (reports) => {
      enter();
      const closeButton = closer('Close', popup.close);
      const rows = reportRows(reports, (report) => open(report));
      popup.show(
        [closeButton, element('h2', `${reports.length} reports here`), rows],
        () => undefined,
      );
      rows.querySelector('button')?.focus({ preventScroll: true });
    },
    update: (covers) => {
      if (shown === undefined) return;
      const { card, at } = shown;
      const now = known.get(card.id);
      if (now !== undefined) card.update(now);
      else if (covers(at)) card.end();
    },
  };
}
