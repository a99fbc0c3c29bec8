// Checks that PORTRAYAL.md covers what the objects of a cell request by SYMINS.

import type { Cell } from '../../../shared/s57/cell/cell.ts';
import { textOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import {
  INSTRUCTIONS,
  symbolInstructions,
} from '../../../tiles-build/portray/features/symbol-instructions.ts';
import { portrayCell } from '../../../tiles-build/portray/portray-cell.ts';
import { VIRTUAL_AID_KINDS } from '../../../tiles-build/portray/rules/new-object-rules.ts';

const OF_NEW_OBJECTS: ReadonlySet<unknown> = new Set([
  'NEWOBJ01',
  'VAIS-other',
  ...VIRTUAL_AID_KINDS.map(({ symbol }) => symbol),
]);

/** Every SYMINS of a cell, with its class. */
export function symbolInstructionsOf(cell: Cell): { cls: string; text: string }[] {
  return cell.features.flatMap(({ acronym, attributes }) => {
    const text = textOf(attributes, 'SYMINS');
    return text === undefined ? [] : [{ cls: acronym, text }];
  });
}

/** The SYMINS of a cell that the page does not cover, or that are drawn differently. */
export function unstatedInstructions(cell: Cell): string[] {
  const drawn = portrayCell(cell);
  return cell.features.flatMap(({ id, acronym, attributes, primitive }) => {
    const text = textOf(attributes, 'SYMINS');
    // Other classes are drawn by their row of the table, whatever they request.
    if (text === undefined || acronym !== 'NEWOBJ') return [];
    const { commands, symbols, texts, unread } = symbolInstructions(text);
    const faults = commands
      .filter((command) => !Object.hasOwn(INSTRUCTIONS, command))
      .map((command) => `${command}: no such row`);
    if (unread !== '') faults.push(`not read: ${unread}`);
    const key = `${id.agency}-${id.number}-${id.subdivision}`;
    const own = drawn.filter(({ key: drawnKey }) => drawnKey.split(':').includes(key));
    const marks = own.filter(({ geometry }) => geometry.type === 'point');
    if (own.length === 0 && primitive !== 'none') faults.push('nothing is drawn');
    for (const { properties } of marks) {
      const { sy, tx } = properties;
      const isWritten = sy === undefined && (tx ?? properties['nm']) !== undefined;
      const isStated = OF_NEW_OBJECTS.has(sy) || symbols.includes(String(sy)) || isWritten;
      if (!isStated) faults.push(`drawn as ${sy}`);
      if (texts.length > 0 && tx !== texts[0]) faults.push(`its text is ${tx}`);
    }
    return faults.map((fault) => `${cell.header.name} ${key} ${text}: ${fault}`);
  });
}
