// The charts of a nation: copies of real cells of four usage bands, moved so that they lie in each other as in a
// real nation, with names of their own and updates. The results are only kept in temporary folders.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFile } from '../../shared/s57/read/decode.ts';
import { readIso8211 } from '../../shared/s57/read/iso8211.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';
import { updateBetween } from '../../shared/s57/write/update-between.ts';
import { encData } from './enc-data.ts';

/** A harbour of average density in each of the 16 squares of a district, but a busy one in the last. */
const HARBOURS = ['NF', 'PE', 'PF', 'QF', 'QG', 'SI', 'SJ'].map((name) => `US5AK5${name}`);
const BUSY_HARBOUR = 'US5MD1MC';
const APPROACHES = ['OG', 'PG', 'PH'].map((name) => `US4AK4${name}`);
const COAST = 'US3AK12M';
const OVERVIEW = 'US1WC01M';

/** Districts of an approach, 0.6° by 0.3° as the approaches are; 24 of them lie on a coast. */
const DISTRICT = { width: 0.6, height: 0.3, harbours: 16 };
const COAST_DISTRICTS = { columns: 6, rows: 4 };
const COASTS_IN_ROW = 6;
/** South-west corner, near the latitude of the real cells. */
const NATION = { west: -177, south: 56.5 };
/** Every third cell has an update from the beginning. */
const WITH_UPDATE = 3;
const EVERY_NEW_EDITION = 7;

interface PlacedCell {
  readonly source: string;
  readonly west: number;
  readonly south: number;
}

/** Write the first cells of a nation: the overview, then coast by coast. @returns names of all cells */
export function writeNation(folder: string, count: number): readonly string[] {
  const templates = new Map<string, Template>();
  const names: string[] = [];
  for (const cell of cellsOfNation()) {
    if (names.length === count) break;
    const name = `${cell.source.slice(0, 3)}${String(names.length).padStart(5, '0')}`;
    names.push(name);
    if (existsSync(join(folder, name))) continue;
    let template = templates.get(cell.source);
    if (template === undefined) {
      template = templateOf(cell.source);
      templates.set(cell.source, template);
    }
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(baseOf(folder, name), movedBytes(template, name, cell));
    if (names.length % WITH_UPDATE === 0) writeNextUpdate(folder, name);
  }
  return names;
}

/** Change cells as in a week: most get an update, every seventh a new edition. */
export function changeCells(folder: string, names: readonly string[]): void {
  for (const [i, name] of names.entries()) {
    if (i % EVERY_NEW_EDITION === EVERY_NEW_EDITION - 1) writeNewEdition(folder, name);
    else writeNextUpdate(folder, name);
  }
}

function* cellsOfNation(): Generator<PlacedCell> {
  yield { source: OVERVIEW, ...NATION };
  const { width, height, harbours } = DISTRICT;
  const { columns, rows } = COAST_DISTRICTS;
  for (let coast = 0, number = 0; ; coast++) {
    const west = NATION.west + (coast % COASTS_IN_ROW) * columns * width;
    const south = NATION.south + Math.floor(coast / COASTS_IN_ROW) * rows * height;
    yield { source: COAST, west, south };
    for (let i = 0; i < columns * rows; i++, number++) {
      const corner = {
        west: west + (i % columns) * width,
        south: south + Math.floor(i / columns) * height,
      };
      yield { source: APPROACHES[number % APPROACHES.length]!, ...corner };
      for (let square = 0; square < harbours; square++) {
        const isBusy = square === harbours - 1;
        yield {
          source: isBusy ? BUSY_HARBOUR : HARBOURS[(number + square) % HARBOURS.length]!,
          west: corner.west + ((square % 4) * width) / 4,
          south: corner.south + (Math.floor(square / 4) * height) / 4,
        };
      }
    }
  }
}

/** The bytes of a cell, and where they state its name and its positions. */
interface Template {
  readonly bytes: Uint8Array;
  readonly nameAt: number;
  /** Offsets of latitudes; longitudes follow after four bytes. */
  readonly positions: readonly number[];
  readonly factor: number;
  readonly west: number;
  readonly south: number;
}

/** RCNM, RCID, EXPP and INTU come before DSNM; RCNM to COUN before COMF. */
const NAME_OFFSET = 7;
const FACTOR_OFFSET = 16;

function templateOf(source: string): Template {
  const set = existsSync(encData('ENC_BUSY', source)) ? 'ENC_BUSY' : 'ENC_ROOT';
  const bytes = new Uint8Array(readFileSync(encData(set, source, `${source}.000`)));
  const view = viewOf(bytes);
  const positions: number[] = [];
  let [nameAt, factor, west, south] = [0, 0, Infinity, Infinity];
  for (const { tag, start, end } of readIso8211(bytes, source).records.flat()) {
    if (tag === 'DSID') nameAt = start + NAME_OFFSET;
    if (tag === 'DSPM') factor = view.getUint32(start + FACTOR_OFFSET, true);
    if (tag !== 'SG2D' && tag !== 'SG3D') continue;
    for (let at = start; at < end; at += tag === 'SG2D' ? 8 : 12) {
      positions.push(at);
      south = Math.min(south, view.getInt32(at, true));
      west = Math.min(west, view.getInt32(at + 4, true));
    }
  }
  return { bytes, nameAt, positions, factor, west, south };
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function movedBytes(template: Template, name: string, { west, south }: PlacedCell): Uint8Array {
  const moved = template.bytes.slice();
  const view = viewOf(moved);
  const dx = Math.round(west * template.factor) - template.west;
  const dy = Math.round(south * template.factor) - template.south;
  for (const at of template.positions) {
    view.setInt32(at, view.getInt32(at, true) + dy, true);
    view.setInt32(at + 4, view.getInt32(at + 4, true) + dx, true);
  }
  moved.set(new TextEncoder().encode(name), template.nameAt);
  return moved;
}

const baseOf = (folder: string, name: string): string => join(folder, name, `${name}.000`);

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

function writeNextUpdate(folder: string, name: string): void {
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
