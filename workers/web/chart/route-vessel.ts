// The vessel form, stored in localStorage. The draft is required, because the service would otherwise
// plan for 0 m. For other empty fields the service uses safe defaults.

import type { AvoidKind } from '../../../shared/route/trip.ts';
import { button, element } from '../client/chart/elements.ts';
import type { WaterLevel } from '../client/wire.ts';
import type { Vessel } from './route-request.ts';
import { noLevelText } from './tide.ts';

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

/** Names and ranges of the route endpoint. */
const DRAFT = field('vessel', 'draft', 'Draft (m)', 0, 50);
const LEVEL = field('safety', 'waterLevel', 'Water level above datum (m)', -15, 20);
const FIELDS: readonly Field[] = [
  DRAFT,
  field('vessel', 'airDraft', 'Air draft (m)', 0, 200),
  field('vessel', 'beam', 'Beam (m)', 0, 150),
  field('vessel', 'speed', 'Speed (kn)', 0.1, 100),
  field('vessel', 'turningRadius', 'Turning radius (m)', 0, 10_000),
  field('vessel', 'maxTurnAngle', 'Maximum turn angle (°)', 1, 180),
  field('safety', 'underKeelClearance', 'Under-keel clearance (m)', 0, 50),
  field('safety', 'overheadClearance', 'Overhead clearance (m)', 0, 100),
  field('safety', 'lateralClearance', 'Distance from dangers (m)', 0, 2000),
  LEVEL,
];

/** Areas that a route can avoid, with their labels and defaults. */
const AVOID: readonly (readonly [kind: AvoidKind, label: string, otherwise: boolean])[] = [
  ['areasToBeAvoided', 'Areas to be avoided', true],
  ['restricted', 'Restricted areas', false],
  ['caution', 'Caution areas', false],
  ['military', 'Military areas', false],
  ['tss', 'Traffic separation schemes', false],
  ['locks', 'Locks', false],
  ['openingBridges', 'Opening bridges', false],
];

const KEY = 'leadline-vessel';
/** Prefixed, because browsers may still store an old default of `restricted` under the plain name. */
const keyOf = (kind: AvoidKind): string => `avoid-${kind}`;

interface VesselForm {
  /** Returns the entered vessel, or `undefined` if a value is invalid or the draft is missing. */
  vessel(): Vessel | undefined;
  /** What the user must enter first; empty if there is a vessel. */
  faultText(): string;
  focusFault(): void;
  /** The height of the tide at one place is wrong at another. */
  forgetTide(): void;
}

/**
 * Fills the form.
 * @param changed called after every change of a field
 * @param levelAt the height of the tide at the start, if the user asks for it
 */
export function showVessel(
  form: HTMLFormElement,
  changed: () => void,
  levelAt: (departure: number) => Promise<WaterLevel>,
): VesselForm {
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
  const fault = () => inputs.find(([, input]) => !input.checkValidity());
  const now = (): Vessel => {
    const valuesOf = (of: Part) =>
      Object.fromEntries(
        inputs
          .filter(([one, input]) => one.of === of && input.value !== '')
          .map(([{ name }, input]) => [name, input.valueAsNumber]),
      );
    const avoid = boxes.flatMap(({ kind, box }) => (box.checked ? [kind] : []));
    return { vessel: valuesOf('vessel'), safety: valuesOf('safety'), avoid };
  };
  const avoided = document.createElement('fieldset');
  const legend = document.createElement('legend');
  legend.textContent = 'Avoid';
  avoided.append(legend, ...boxes.map(({ row }) => row));
  const [draftRow, ...rows] = inputs.map(([{ label }, input]) => labelled(label, input));
  const others = document.createElement('details');
  const level = inputs.find(([one]) => one === LEVEL)![1];
  const tide = tideRow(levelAt, (height) => {
    if (height === undefined) {
      if (level.value === level.dataset['tide']) level.value = '';
      return;
    }
    level.value = `${height}`;
    level.dataset['tide'] = level.value;
    level.dispatchEvent(new Event('change', { bubbles: true }));
  });
  others.append(element('summary', 'Vessel and clearances'), ...rows, tide.row, avoided);
  form.replaceChildren(draftRow!, others);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', ({ target }) => {
    // The route for the old value must disappear. The last valid values remain stored.
    if (target instanceof HTMLInputElement) target.reportValidity();
    if (fault() !== undefined) return changed();
    const { vessel, safety } = now();
    const avoid = Object.fromEntries(boxes.map(({ kind, box }) => [keyOf(kind), box.checked]));
    // The height of one departure is wrong for the next.
    const { waterLevel: _, ...lasting } = safety;
    const isTide = level.value === level.dataset['tide'];
    remember({ ...vessel, ...(isTide ? lasting : safety), ...avoid });
    changed();
  });
  return {
    // Without an invalid value the service would use its default, for example no air draft.
    vessel: () => (fault() === undefined ? now() : undefined),
    faultText: () => faultText(fault()),
    focusFault: () => {
      const input = fault()?.[1];
      if (others.contains(input ?? null)) others.open = true;
      input?.focus({ preventScroll: true });
    },
    forgetTide: tide.forget,
  };
}

function faultText(fault: readonly [Field, HTMLInputElement] | undefined): string {
  if (fault === undefined) return '';
  const [one, { validity }] = fault;
  return validity.valueMissing
    ? 'Enter the draft of your vessel to plan a route.'
    : `Correct “${one.label}” to plan a route: a number from ${one.least} to ${one.most}.`;
}

/**
 * The time of departure, and a button that enters the height of the tide then.
 * @param use is called with the height, and with `undefined` when it no longer holds
 */
function tideRow(
  levelAt: (departure: number) => Promise<WaterLevel>,
  use: (height: number | undefined) => void,
): { readonly row: HTMLElement; readonly forget: () => void } {
  const departure = document.createElement('input');
  Object.assign(departure, { type: 'datetime-local', name: 'departure' });
  const status = element('p', '');
  status.setAttribute('aria-live', 'polite');
  const row = document.createElement('div');
  let asked = 0;
  // Called before the listener of the form, which plans the route again.
  const forget = () => {
    asked++;
    status.textContent = '';
    use(undefined);
  };
  departure.addEventListener('change', forget);
  const ask = async () => {
    const mine = ++asked;
    const time = departure.value === '' ? Date.now() : new Date(departure.value).getTime();
    try {
      const { height, error, datum, station } = await levelAt(time);
      if (mine !== asked) return;
      status.textContent = `${height} m above ${datum} at ${station.name}, ± ${error} m, without weather. It holds for the whole route.`;
      use(height);
    } catch (error) {
      if (mine !== asked) return;
      status.textContent = noLevelText(error as Error, 'meters');
    }
  };
  row.append(
    labelled('Departure; now if empty', departure),
    button('Use the height of the tide', () => void ask()),
    status,
  );
  return { row, forget };
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

/** Reads stored values; returns none if storage is blocked or the value is invalid. */
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
    // Storage is full or blocked: the user has to enter the values again next time.
  }
}
