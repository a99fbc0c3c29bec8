// The charts of a nation: copies of real cells of four usage bands, moved so that they lie in each other as in a
// real nation, with names of their own and updates. The results are only kept in temporary folders.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIso8211 } from '../../shared/s57/read/iso8211.ts';
import { baseOf, writeNextUpdate } from './change-cells.ts';
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
