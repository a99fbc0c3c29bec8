// Reports as a list of buttons: reports in view (for keyboard users), or overlapping reports.

import { element } from '../../client/chart/elements.ts';
import { ageText, KINDS, notesOf, type Report } from './report.ts';
import type { FeedState } from './reports-feed.ts';

/** Maximum number of characters of notes in a row. */
const ROW_CHARACTERS = 60;

export function reportRows(
  reports: readonly Report[],
  choose: (report: Report) => void,
): HTMLUListElement {
  const list = element('ul');
  const now = Date.now();
  for (const report of reports) {
    const row = element('li');
    const press = element('button');
    press.type = 'button';
    press.dataset['report'] = report.id;
    // Isolated, so that right-to-left notes do not affect the heading.
    const notes = element('bdi', firstOf(notesOf(report)));
    const heading = `${KINDS[report.reportType]}, ${ageText(report.createdAt, now)}`;
    press.append(...(notes.textContent === '' ? [heading] : [`${heading}: `, notes]));
    press.addEventListener('click', () => choose(report));
    row.append(press);
    list.append(row);
  }
  return list;
}

function firstOf(notes: string): string {
  const characters = [...notes];
  return characters.length <= ROW_CHARACTERS
    ? notes
    : `${characters.slice(0, ROW_CHARACTERS).join('')}…`;
}

const STATE_WORDS: Readonly<Record<FeedState, string>> = {
  waiting: 'Loading reports…',
  fresh: '',
  cut: 'Not all reports are shown. Zoom in to see more.',
  away: 'Reports are not available right now. Those shown may be out of date.',
  refused: 'This token has no permission to read reports.',
  none: 'This service has no user reports.',
};

/** States in which the reports on the chart are not those that exist. */
const INCOMPLETE: readonly FeedState[] = ['cut', 'away', 'refused'];

/** Text of a notice on the chart; empty if all reports are shown. */
export const noticeWords = (state: FeedState): string =>
  INCOMPLETE.includes(state) ? STATE_WORDS[state] : '';

/** Status text of the list. */
export function stateWords(state: FeedState, count: number): string {
  const words = STATE_WORDS[state];
  return words === '' && count === 0 ? 'No reports in view.' : words;
}
