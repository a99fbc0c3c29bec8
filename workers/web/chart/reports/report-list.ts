// Reports as a list of buttons: those in view, for who cannot point at the chart, and those that lie
// under one another.

import { element } from '../../client/chart/elements.ts';
import { ageText, KINDS, notesOf, type Report } from './report.ts';
import type { FeedState } from './reports-feed.ts';

/** Of notes, as many characters as fit a row. */
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
    // Apart, so that notes written from right to left turn nothing else around.
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
  waiting: 'Asking for reports …',
  fresh: '',
  cut: 'There are more than shown: go nearer.',
  away: 'Reports cannot be reached right now. What is shown may be old.',
  refused: 'This page’s token may not see reports, or this service lists none.',
};

/** What to say of how the reports shown came about, and of how many there are. */
export function stateWords(state: FeedState, count: number): string {
  const words = STATE_WORDS[state];
  return words === '' && count === 0 ? 'There are none in view.' : words;
}
