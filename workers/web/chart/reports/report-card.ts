// The card of one report: kind, notes, time, position, votes and actions.

import { button, closer, element } from '../../client/chart/elements.ts';
import { positionText } from '../parts/coordinates.ts';
import { isActive, KINDS, notesOf, type Report, stateText } from './report.ts';

type VoteWord = 'valid' | 'invalid';

/** Actions of the card. They reject with an `Error` with a message for the user. */
interface CardHandlers {
  vote(vote: VoteWord): Promise<void>;
  remove(): Promise<void>;
  close(): void;
}

export interface ReportCard {
  readonly id: string;
  readonly nodes: readonly Node[];
  update(report: Report): void;
  /** Disables the actions: the report is no longer active. */
  end(): void;
  say(words: string): void;
  focus(): void;
}

const DELETE = 'Delete';
const REALLY = 'Confirm delete';

export function reportCard(first: Report, handlers: CardHandlers): ReportCard {
  const heading = element('h2', KINDS[first.reportType]);
  const notes = element('p', notesOf(first));
  notes.className = 'notes';
  notes.dir = 'auto';
  notes.hidden = notes.textContent === '';
  const state = element('p');
  const message = element('p');
  message.className = 'message';
  message.setAttribute('role', 'status');

  let isBusy = false;
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return;
    isBusy = true;
    message.textContent = '';
    try {
      await work();
    } catch (error) {
      message.textContent = (error as Error).message;
    } finally {
      isBusy = false;
    }
  };
  const voteButton = (vote: VoteWord, done: string) => {
    const created = button('', () =>
      attempt(async () => {
        await handlers.vote(vote);
        for (const one of [confirm, dispute])
          one.setAttribute('aria-pressed', `${one === created}`);
        message.textContent = done;
      }),
    );
    created.name = vote;
    created.setAttribute('aria-pressed', 'false');
    return created;
  };
  const confirm = voteButton('valid', 'You confirmed this report.');
  const dispute = voteButton('invalid', 'You disputed this report.');
  const remove = element('button', DELETE);
  remove.type = 'button';
  remove.addEventListener('click', ({ detail }) => {
    // The second click of a double click confirms nothing.
    if (detail > 1) return;
    if (remove.textContent === DELETE) {
      remove.textContent = REALLY;
      message.textContent = 'Press again to delete the report for everyone.';
    } else void attempt(handlers.remove);
  });
  remove.addEventListener('blur', () => {
    remove.textContent = DELETE;
  });
  const buttons = element('p');
  buttons.className = 'buttons';
  buttons.append(confirm, dispute, remove);

  const update = (report: Report) => {
    state.textContent = stateText(report, Date.now());
    state.title = new Date(report.createdAt).toLocaleString();
    confirm.textContent = `Confirm · ${report.upvoteCount}`;
    dispute.textContent = `Dispute · ${report.downvoteCount}`;
    confirm.disabled = dispute.disabled = !isActive(report);
    remove.hidden = !report.isOwner || report.deletedAt !== null;
  };
  update(first);
  const close = closer('Close the report', handlers.close);
  return {
    id: first.id,
    nodes: [
      close,
      heading,
      notes,
      state,
      element('p', positionText(first.latitude, first.longitude)),
      buttons,
      message,
      element('p', 'Reported by a user, not verified. Not for navigation.'),
    ],
    update,
    end: () => {
      confirm.disabled = dispute.disabled = remove.hidden = true;
      message.textContent = 'This report was deleted or has expired.';
    },
    say: (words) => {
      message.textContent = words;
    },
    focus: () => close.focus({ preventScroll: true }),
  };
}
