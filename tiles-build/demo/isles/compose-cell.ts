// Composes one cell of the Lantern Isles at the state after an update.

import { CellBuilder, type Sounding } from '../../../shared/s57/write/cell-builder.ts';
import type { FileContents } from '../../../shared/s57/write/encode-file.ts';
import { addGround } from './add-ground.ts';
import { addRocks } from './add-rocks.ts';
import { addSoundings, soundedPositions } from './add-soundings.ts';
import { addThing } from './add-thing.ts';
import { AGENCY, type DemoCell } from './cells.ts';
import { thingsAfter } from './changes.ts';
import { type Ground, groundOf } from './ground-of-cell.ts';
import { numberOf } from './identity.ts';
import { rocksOf } from './shoal-heads.ts';

/** Issue dates of the base and of each update, yyyymmdd. */
export const ISSUE_DATES = ['20260901', '20261001', '20261101'] as const;
/** CATZOC by usage band: the smaller the scale, the lower the quality. */
const ZONES_OF_CONFIDENCE = { 1: 5, 2: 4, 3: 4, 4: 3, 5: 2 } as const;

/** Data that updates do not change. */
export interface Survey {
  readonly ground: Ground;
  readonly rocks: readonly Sounding[];
  readonly sounded: readonly Sounding[];
}

/** Creates the ground of a cell. */
export function surveyOf(cell: DemoCell): Survey {
  const ground = groundOf(cell);
  const rocks = rocksOf(cell, ground.heights);
  return { ground, rocks, sounded: soundedPositions(cell, ground, rocks) };
}

/**
 * A cell at the state after an update.
 * @param survey ground and soundings of the cell, the same after every update
 * @param ids record ids assigned so far; extended here, and passed to the next state
 */
export function composeCell(
  cell: DemoCell,
  update: number,
  { ground, rocks, sounded }: Survey,
  ids: Map<string, number>,
): FileContents {
  const { name, usageBand, scaleDenominator } = cell;
  const builder = new CellBuilder(
    {
      name,
      usageBand,
      scaleDenominator,
      edition: 1,
      update: 0,
      issueDate: ISSUE_DATES[0],
      agency: AGENCY,
    },
    ids,
  );
  addGround(builder, cell, ground);
  addRocks(builder, cell, rocks);
  addSoundings(builder, cell, update, sounded);
  const meta = (acronym: string, values: Readonly<Record<string, string | number>>) =>
    builder.area(numberOf(`${name} ${acronym}`), acronym, [ground.parts.limit], values);
  meta('M_COVR', { CATCOV: 1, INFORM: 'Fictional, not for navigation' });
  meta('M_QUAL', { CATZOC: ZONES_OF_CONFIDENCE[usageBand] });
  const slaves = new Map<string, string[]>();
  const shown = new Set<string>();
  for (const thing of thingsAfter(name, update)) {
    if (!addThing(builder, cell, thing)) continue;
    shown.add(thing.name);
    const { master } = thing;
    if (master !== undefined) slaves.set(master, [...(slaves.get(master) ?? []), thing.name]);
  }
  for (const [master, names] of slaves) {
    if (shown.has(master)) builder.relate(numberOf(master), names.map(numberOf));
  }
  return builder.contents();
}
