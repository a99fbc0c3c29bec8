// Writing a report: a draft with a pin on the chart and a form in the popup, until the service accepts it
// or the user discards it. A retry cannot create a second report.

import type { Map as ChartMap } from 'maplibre-gl';
import { randomId as newId } from '../../client/random-id.ts';
import { type Draft, draftAt, isWritten, keepDraft, keptDraft } from './draft.ts';
import { openDraftPin, placeOf } from './draft-pin.ts';
import type { Popup } from './popup.ts';
import { isActive, notesOf, type Position, type Report } from './report.ts';
import { type ReportForm, reportForm } from './report-form.ts';
import { type NewReport, Refusal, type ReportsClient } from './reports-client.ts';

export interface Writing {
  /** Opens the form at a position. An existing draft moves there. */
  openAt(position: Position): void;
  /** Opens the form with the existing draft, or with a new draft at the centre of the chart. */
  open(): void;
}

/**
 * @param enter called when the form opens
 * @param taken called with the accepted report, and whether its form is still shown
 */
export function openWriting(
  map: ChartMap,
  popup: Popup,
  client: ReportsClient,
  enter: () => void,
  taken: (report: Report, isFormShown: boolean) => void,
): Writing {
  let draft: Draft | undefined = keptDraft();
  let form: ReportForm | undefined;
  const middle = () => placeOf(map.getCenter().wrap());
  const change = (next: Draft | undefined) => {
    draft = next;
    keepDraft(next !== undefined && isWritten(next) ? next : undefined);
    pin.show(next?.position);
    if (next !== undefined) form?.showPosition(next);
  };
  const moveTo = (position: Position) => {
    if (draft !== undefined) change({ ...draft, position });
  };
  const show = (shown: Draft) => {
    enter();
    change(shown);
    form = reportForm(shown, {
      changed: (part) => draft !== undefined && change({ ...draft, ...part }),
      moveToMiddle: () => moveTo(middle()),
      send,
      discard: () => {
        change(undefined);
        popup.close();
      },
      close: popup.close,
    });
    popup.show(form.nodes, () => {
      form = undefined;
      if (draft !== undefined && !isWritten(draft)) change(undefined);
    });
    form.focus();
  };
  const send = async () => {
    const sent = draft!;
    const { id, reportType, position, description } = sent;
    const properties = description === '' ? {} : { description };
    const report: NewReport = { id, reportType: reportType!, position, properties };
    const createdReport = await create(client, report).catch((error: Error) => {
      if (error instanceof IdSpent && draft?.id === id) change({ ...draft, id: newId() });
      throw error;
    });
    const isFormShown = form !== undefined && draft?.id === id;
    // The user may have written a new report during the request.
    if (draft === sent) change(undefined);
    else if (draft?.id === id) change({ ...draft, id: newId() });
    taken(createdReport, isFormShown);
  };
  const open = () => show(draft ?? draftAt(middle()));
  const pin = openDraftPin(map, open, moveTo);
  pin.show(draft?.position);
  return {
    open,
    openAt: (position) => show(draft === undefined ? draftAt(position) : { ...draft, position }),
  };
}

/** The draft needs another id before it can be sent again. */
class IdSpent extends Refusal {}

/** Creates a report. Returns the existing report if an earlier attempt, whose response was lost, created it. */
async function create(client: ReportsClient, report: NewReport): Promise<Report> {
  try {
    return await client.create(report);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 409) throw error;
    if (!error.isOwned)
      throw new IdSpent('The report was not saved, because its id was in use. Send it again.');
  }
  const earlier = await client.read(report.id).catch((error: Refusal) => {
    if (error.status === 404 || error.status === 410) return undefined;
    throw error;
  });
  if (earlier === undefined || !isActive(earlier)) {
    throw new IdSpent(
      'Your report was saved earlier, but was deleted or has expired. Send again to create a new report.',
    );
  }
  if (!isSame(earlier, report)) {
    throw new IdSpent(
      'Your report was saved before your last changes. Send again to create a second report.',
    );
  }
  return earlier;
}

const isSame = (earlier: Report, { reportType, position, properties }: NewReport): boolean =>
  earlier.reportType === reportType &&
  earlier.latitude === position.latitude &&
  earlier.longitude === position.longitude &&
  notesOf(earlier) === (properties['description'] ?? '');
