// The form of a new report: what it is, notes, and where. It holds nothing that its draft does not.

import { button, closer, element } from '../../client/chart/elements.ts';
import { positionText } from '../parts/coordinates.ts';
import type { Draft } from './draft.ts';
import { KINDS, type ReportKind } from './report.ts';

/** As many as the service takes. */
const MOST_CHARACTERS = 4000;

/** Whom the form tells. */
interface FormHandlers {
  changed(change: Partial<Pick<Draft, 'reportType' | 'description'>>): void;
  moveToMiddle(): void;
  /** @returns when it was taken; refuses with words to show */
  send(): Promise<void>;
  discard(): void;
  close(): void;
}

export interface ReportForm {
  readonly nodes: readonly Node[];
  /** The place has moved. */
  tellPlace(draft: Draft): void;
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
  whereabouts.append(place, button('To the middle', handlers.moveToMiddle));
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
    send.textContent = 'Sending …';
    try {
      await handlers.send();
    } catch (error) {
      message.textContent = `${(error as Error).message} What you wrote is kept.`;
      send.textContent = 'Send again';
    } finally {
      isSending = false;
      notes.area.readOnly = false;
    }
  });
  const tellPlace = ({ position: { latitude, longitude } }: Draft) => {
    place.textContent = positionText(latitude, longitude);
  };
  tellPlace(draft);
  return {
    nodes: [
      closer('Close, and keep what is written', handlers.close),
      element('h2', 'Report what you see'),
      form,
    ],
    tellPlace,
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
  Object.assign(area, { name: 'description', rows: 4, maxLength: MOST_CHARACTERS, dir: 'auto' });
  area.value = draft.description;
  area.addEventListener('input', () => handlers.changed({ description: area.value }));
  label.append(area);
  return { label, area };
}
