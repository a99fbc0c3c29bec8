// The form of a new report: kind, notes and position. The draft stores all of its state.

import { button, closer, element } from '../../client/chart/elements.ts';
import { positionText } from '../parts/coordinates.ts';
import type { Draft } from './draft.ts';
import { KINDS, type ReportKind } from './report.ts';

/** Limit of the service. */
const MAX_CHARACTERS = 4000;

interface FormHandlers {
  changed(change: Partial<Pick<Draft, 'reportType' | 'description'>>): void;
  moveToMiddle(): void;
  /** Resolves when the service has accepted the report. Rejects with a message for the user. */
  send(): Promise<void>;
  discard(): void;
  close(): void;
}

export interface ReportForm {
  readonly nodes: readonly Node[];
  /** Shows the position of the draft. */
  showPosition(draft: Draft): void;
  focus(): void;
}

export function reportForm(draft: Draft, handlers: FormHandlers): ReportForm {
  const form = element('form');
  const place = element('output');
  const message = element('p');
  message.className = 'message';
  message.setAttribute('role', 'alert');
  const notes = notesField(draft, handlers);
  const send = element('button', 'Send report');
  const whereabouts = element('p');
  whereabouts.className = 'place';
  whereabouts.append(place, button('Move to centre', handlers.moveToMiddle));
  const buttons = element('p');
  buttons.className = 'buttons';
  buttons.append(send, button('Discard', handlers.discard));
  form.append(kindField(draft, handlers), notes.label, whereabouts, message, buttons);

  let isSending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    notes.area.readOnly = true;
    message.textContent = '';
    send.textContent = 'Sending…';
    try {
      await handlers.send();
    } catch (error) {
      message.textContent = `${(error as Error).message} Your text is kept.`;
      send.textContent = 'Send again';
    } finally {
      isSending = false;
      notes.area.readOnly = false;
    }
  });
  const showPosition = ({ position: { latitude, longitude } }: Draft) => {
    place.textContent = positionText(latitude, longitude);
  };
  showPosition(draft);
  return {
    nodes: [
      closer('Close and keep the draft', handlers.close),
      element('h2', 'Report what you see'),
      form,
    ],
    showPosition,
    focus: () =>
      (form.querySelector<HTMLInputElement>('input:checked') ?? form.querySelector('input'))?.focus(
        { preventScroll: true },
      ),
  };
}

function kindField(draft: Draft, handlers: FormHandlers): HTMLElement {
  const field = element('fieldset');
  field.append(element('legend', 'Kind'));
  for (const [kind, words] of Object.entries(KINDS)) {
    const row = element('label');
    const choice = element('input');
    Object.assign(choice, { type: 'radio', name: 'reportType', value: kind, required: true });
    choice.checked = kind === draft.reportType;
    choice.addEventListener('change', () => handlers.changed({ reportType: kind as ReportKind }));
    row.append(choice, words);
    field.append(row);
  }
  return field;
}

function notesField(draft: Draft, handlers: FormHandlers) {
  const label = element('label', 'Notes');
  const area = element('textarea');
  Object.assign(area, { name: 'description', rows: 4, maxLength: MAX_CHARACTERS, dir: 'auto' });
  area.value = draft.description;
  area.addEventListener('input', () => handlers.changed({ description: area.value }));
  label.append(area);
  return { label, area };
}
