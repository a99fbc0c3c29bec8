// Selects cells of a producer's catalogue.

import { type Box, boxAcrossAntimeridian, boxesMeet } from './boxes.ts';
import type { OfferedCell } from './catalogue.ts';

export interface Selection {
  readonly all: boolean;
  readonly cells: readonly string[];
  readonly states: readonly string[];
  readonly regions: readonly string[];
  readonly districts: readonly string[];
  /** West may be greater than east, across 180°. */
  readonly boxes: readonly Box[];
}

/** Whether the selection is empty. */
export function selectsNothing({ all, ...lists }: Selection): boolean {
  return !all && Object.values(lists).every((list) => list.length === 0);
}

/** Whether any criterion of the selection matches the cell. */
export function isSelected(cell: OfferedCell, selection: Selection): boolean {
  if (selection.all) return true;
  const upper = (words: readonly string[]) => words.map((word) => word.toUpperCase());
  return (
    upper(selection.cells).includes(cell.name.toUpperCase()) ||
    upper(selection.states).some((state) => cell.states.includes(state)) ||
    sameNumber(selection.regions, cell.regions) ||
    sameNumber(selection.districts, cell.districts) ||
    selection.boxes.some((box) =>
      cell.boxes.some((own) => boxesMeet(boxAcrossAntimeridian(box), own)),
    )
  );
}

/** Messages about criteria that match no cell, for example a mistyped state. */
export function unmatchedCriteria(cells: readonly OfferedCell[], selection: Selection): string[] {
  const alone = { all: false, cells: [], states: [], regions: [], districts: [], boxes: [] };
  const each = [
    ...selection.cells.map((word) => ['cell', word, { ...alone, cells: [word] }] as const),
    ...selection.states.map((word) => ['state', word, { ...alone, states: [word] }] as const),
    ...selection.regions.map((word) => ['region', word, { ...alone, regions: [word] }] as const),
    ...selection.districts.map(
      (word) => ['district', word, { ...alone, districts: [word] }] as const,
    ),
    ...selection.boxes.map((box) => ['box', box.join(), { ...alone, boxes: [box] }] as const),
  ];
  return each
    .filter(([, , one]) => !cells.some((cell) => isSelected(cell, one)))
    .map(([kind, word]) => `The catalogue has no cell of ${kind} ${word}.`);
}

/** Compares region numbers: 05 equals 5. */
function sameNumber(selected: readonly string[], ofCell: readonly string[]): boolean {
  return selected.some((one) =>
    ofCell.some((other) => one === other || Number(one) === Number(other)),
  );
}
