// The vessel that routes are planned for: a form, remembered by the browser. The draft is required: the
// service would plan for 0 m. Other fields may stay empty, and the service then assumes the safe side.

import type { AvoidKind } from '../../../shared/route/trip.ts';
import { element } from './parts/elements.ts';
import type { Vessel } from './route-request.ts';

type Part = 'vessel' | 'safety';

interface Field {
  readonly name: string;
  readonly of: Part;
  readonly label: string;
  readonly least: number;
  readonly most: number;
}

const field = (of: Part, name: string, label: string, least: number, most: number) => ({
  of,
  name,
  label,
  least,
  most,
});

/** Names and ranges are those of the endpoint. */
const DRAFT = field('vessel', 'draft', 'Draft (m)', 0, 50);
const FIELDS: readonly Field[] = [
  DRAFT,
  field('vessel', 'airDraft', 'Air draft (m)', 0, 200),
  field('vessel', 'beam', 'Beam (m)', 0, 150),
  field('vessel', 'speed', 'Speed (kn)', 0.1, 100),
  field('vessel', 'turningRadius', 'Turning radius (m)', 0, 10_000),
  field('vessel', 'maxTurnAngle', 'Sharpest turn (°)', 1, 180),
  field('safety', 'underKeelClearance', 'Under the keel (m)', 0, 50),
  field('safety', 'overheadClearance', 'Above the mast (m)', 0, 100),
  field('safety', 'lateralClearance', 'Off dangers (m)', 0, 2000),
  field('safety', 'waterLevel', 'Water above datum (m)', -15, 20),
];

/** What a route may keep out of, and whether it does by default. */
const AVOID: readonly (readonly [kind: AvoidKind, label: string, otherwise: boolean])[] = [
  ['areasToBeAvoided', 'Areas to be avoided', true],
  ['restricted', 'Areas of restricted entry', false],
  ['caution', 'Caution areas', false],
  ['military', 'Military areas', false],
  ['tss', 'Traffic separation', false],
  ['locks', 'Locks', false],
  ['openingBridges', 'Bridges that open', false],
];

const KEY = 'leadline-vessel';
/** Under the bare name an earlier default of `restricted` may be kept. */
const keyOf = (kind: AvoidKind): string => `avoid-${kind}`;

interface VesselForm {
  /** The vessel as it stands in the form, or `undefined` if no valid draft is entered. */
  vessel(): Vessel | undefined;
  /** Move the keyboard focus to the draft. */
  focusDraft(): void;
}

/** Fill the form. @param changed called after every change of a field */
export function showVessel(form: HTMLFormElement, changed: () => void): VesselForm {
  const kept = recall();
  const inputs = FIELDS.map((one) => [one, inputFor(one, kept[one.name])] as const);
  const boxes = AVOID.map(([kind, label, otherwise]) => {
    const box = document.createElement('input');
    Object.assign(box, { type: 'checkbox', name: kind });
    const chosen = kept[keyOf(kind)];
    box.checked = typeof chosen === 'boolean' ? chosen : otherwise;
    return { kind, box, row: labelled(label, box) };
  });
  const draft = inputs.find(([one]) => one === DRAFT)![1];
  draft.required = true;
  const now = (): Vessel => {
    const said = (of: Part) =>
      Object.fromEntries(
        inputs
          .filter(([one, input]) => one.of === of && input.value !== '' && input.checkValidity())
          .map(([{ name }, input]) => [name, input.valueAsNumber]),
      );
    const avoid = boxes.flatMap(({ kind, box }) => (box.checked ? [kind] : []));
    return { vessel: said('vessel'), safety: said('safety'), avoid };
  };
  const avoided = document.createElement('fieldset');
  const legend = document.createElement('legend');
  legend.textContent = 'Keep out of';
  avoided.append(legend, ...boxes.map(({ row }) => row));
  const [draftRow, ...rows] = inputs.map(([{ label }, input]) => labelled(label, input));
  const others = document.createElement('details');
  others.append(element('summary', 'Vessel and clearances'), ...rows, avoided);
  form.replaceChildren(draftRow!, others);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', ({ target }) => {
    // A route for a draft that is no longer entered must not stay on the chart.
    const isFit = !(target instanceof HTMLInputElement) || target.reportValidity();
    if (!isFit && target !== draft) return;
    const { vessel, safety } = now();
    const avoid = Object.fromEntries(boxes.map(({ kind, box }) => [keyOf(kind), box.checked]));
    remember({ ...vessel, ...safety, ...avoid });
    changed();
  });
  return {
    vessel: () => (draft.checkValidity() ? now() : undefined),
    focusDraft: () => draft.focus({ preventScroll: true }),
  };
}

function labelled(label: string, input: HTMLInputElement): HTMLElement {
  const row = document.createElement('label');
  const words = document.createElement('span');
  words.textContent = label;
  row.append(words, input);
  return row;
}

function inputFor({ name, least, most }: Field, value: unknown): HTMLInputElement {
  const input = document.createElement('input');
  Object.assign(input, { name, type: 'number', min: `${least}`, max: `${most}`, step: 'any' });
  input.placeholder = '–';
  if (typeof value === 'number') input.value = String(value);
  return input;
}

/** Browsers may refuse to keep anything. */
function recall(): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function remember(values: Readonly<Record<string, number | boolean>>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // Then it is typed again next time.
  }
}
