// The card of one report: what was seen, where and when, what others say of it, and what the reader
// may do about it.

import { button, closer, element } from '../../client/chart/elements.ts';
import { positionText } from '../parts/coordinates.ts';
import { isActive, KINDS, notesOf, type Report, stateText } from './report.ts';

type VoteWord = 'valid' | 'invalid';

/** Whom the card tells; each refuses with words to show. */
interface CardHandlers {
  vote(vote: VoteWord): Promise<void>;
  remove(): Promise<void>;
  close(): void;
}

export interface ReportCard {
  readonly id: string;
  readonly nodes: readonly Node[];
  update(report: Report): void;
  /** It is not among the active ones any more. */
  end(): void;
  say(words: string): void;
  focus(): void;
}

const DELETE = 'Delete';
const REALLY = 'Really delete?';

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
    const made = button('', () =>
      attempt(async () => {
        await handlers.vote(vote);
        for (const one of [confirm, dispute]) one.setAttribute('aria-pressed', `${one === made}`);
        message.textContent = done;
      }),
    );
    made.name = vote;
    made.setAttribute('aria-pressed', 'false');
    return made;
  };
  const confirm = voteButton('valid', 'You confirmed it.');
  const dispute = voteButton('invalid', 'You disputed it.');
  const remove = button(DELETE, () => {
    if (remove.textContent === DELETE) {
      remove.textContent = REALLY;
      message.textContent = 'Press again to delete it for everybody.';
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
      element('p', 'Reported by a user, not checked. Not for navigation.'),
    ],
    update,
    end: () => {
      confirm.disabled = dispute.disabled = remove.hidden = true;
      message.textContent = 'This report is gone: it was deleted, or it expired.';
    },
    say: (words) => {
      message.textContent = words;
    },
    focus: () => close.focus({ preventScroll: true }),
  };
}
