// Which of a producer's cells are wanted.

import { askedBox, type Box, boxesMeet } from './boxes.ts';
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

/** Whether nothing at all was selected. */
export function selectsNothing({ all, ...lists }: Selection): boolean {
  return !all && Object.values(lists).every((list) => list.length === 0);
}

/** A cell is wanted where any of the selection's words names it. */
export function isSelected(cell: OfferedCell, selection: Selection): boolean {
  if (selection.all) return true;
  const upper = (words: readonly string[]) => words.map((word) => word.toUpperCase());
  return (
    upper(selection.cells).includes(cell.name.toUpperCase()) ||
    upper(selection.states).some((state) => cell.states.includes(state)) ||
    sameNumber(selection.regions, cell.regions) ||
    sameNumber(selection.districts, cell.districts) ||
    selection.boxes.some((box) => cell.boxes.some((own) => boxesMeet(askedBox(box), own)))
  );
}

/** Words that no cell of the catalogue answers to: a mistyped state selects nothing, without a word. */
export function unknownWords(cells: readonly OfferedCell[], selection: Selection): string[] {
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

/** 05 and 5 are one region. */
function sameNumber(asked: readonly string[], own: readonly string[]): boolean {
  return asked.some((one) => own.some((other) => one === other || Number(one) === Number(other)));
}
