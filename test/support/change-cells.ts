// Changes cells in a folder as their producer does: by updates and new editions.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFile } from '../../shared/s57/read/decode.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';
import { updateBetween } from '../../shared/s57/write/update-between.ts';

const EVERY_NEW_EDITION = 7;

/** Change cells as in a week: most get an update, every seventh a new edition. */
export function changeCells(folder: string, names: readonly string[]): void {
  for (const [i, name] of names.entries()) {
    if (i % EVERY_NEW_EDITION === EVERY_NEW_EDITION - 1) writeNewEdition(folder, name);
    else writeNextUpdate(folder, name);
  }
}

/** The path of the base file of a cell. */
export const baseOf = (folder: string, name: string): string => join(folder, name, `${name}.000`);

/** RCNM of the nodes of buoys, rocks and other single objects. */
const ISOLATED_NODE = 110;
/** About 20 metres, in the units of positions. */
const STEP = 2000;

/** The base of a cell, and the same with one single object moved. */
function movedObject(folder: string, name: string, number: number) {
  const { dataSet, parameters, vectors, features } = decodeFile(
    readFileSync(baseOf(folder, name)),
    name,
  );
  if (dataSet === undefined || parameters === undefined) {
    throw new Error(`${name} is not a base file.`);
  }
  const before = { dataSet, parameters, vectors, features };
  const nodes = vectors.filter((one) => one.name === ISOLATED_NODE && one.dimensions === 2);
  const chosen = nodes[number % nodes.length];
  const moved = vectors.map((one) =>
    one === chosen ? { ...one, coordinates: one.coordinates!.map((value) => value + STEP) } : one,
  );
  return { before, after: { ...before, vectors: moved } };
}

/** Write an update that moves one single object of a cell. */
export function writeNextUpdate(folder: string, name: string): void {
  const update = readdirSync(join(folder, name)).length;
  const { before, after } = movedObject(folder, name, update);
  const { file } = updateBetween(before, after, { update, issueDate: '20261120' });
  const ending = String(update).padStart(3, '0');
  writeFileSync(join(folder, name, `${name}.${ending}`), encodeFile(file));
}

function writeNewEdition(folder: string, name: string): void {
  const { after } = movedObject(folder, name, 0);
  const edition = String(Number(after.dataSet.edition) + 1);
  const bytes = encodeFile({ ...after, dataSet: { ...after.dataSet, edition, update: '0' } });
  // The updates of the earlier edition are part of the new one.
  rmSync(join(folder, name), { recursive: true });
  mkdirSync(join(folder, name));
  writeFileSync(baseOf(folder, name), bytes);
}
