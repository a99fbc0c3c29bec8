// Zips of exchange sets with small cells, in any edition and with any number of updates.

import { crc32 } from 'node:zlib';
import { encodeCatalog } from '../../../../shared/s57/write/catalog.ts';
import { CellBuilder } from '../../../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../../../shared/s57/write/encode-file.ts';
import { updateBetween } from '../../../../shared/s57/write/update-between.ts';
import { boxCourse, harbourPlan } from '../../../support/harbour-plan.ts';
import { storeZip } from '../../fetch/support/store-zip.ts';

const BOX = { south: 0, west: 0, north: 0.0001, east: 0.0001 };
const limit = boxCourse(0, 0, 1000, 1000);

/** Base and updates of a small cell by file name, for example `US5AA01M.001`. */
export function cellFiles(
  name: string,
  edition: number,
  updates: number,
  issueDate = harbourPlan(name).issueDate,
  depth = 10,
): Map<string, Uint8Array> {
  const contents = (update: number) => {
    const builder = new CellBuilder({
      ...harbourPlan(name),
      usageBand: Number(name[2]),
      edition,
      issueDate,
    });
    const ring = [[{ course: limit, atLimit: true }]];
    builder.area(1, 'DEPARE', ring, { DRVAL1: 5, DRVAL2: depth });
    builder.area(2, 'M_COVR', ring, { CATCOV: 1 });
    builder.point(3, 'BOYLAT', [500, 500], { OBJNAM: `After update ${update}`, BOYSHP: 2 });
    return builder.contents();
  };
  let state = contents(0);
  const files = new Map([[`${name}.000`, encodeFile(state)]]);
  for (let update = 1; update <= updates; update++) {
    const step = updateBetween(state, contents(update), { update, issueDate: '20260201' });
    files.set(`${name}.${String(update).padStart(3, '0')}`, encodeFile(step.file));
    state = step.state;
  }
  return files;
}

interface ZipChanges {
  /** Files that CATALOG.031 lists but the zip does not contain. */
  readonly listedOnly?: readonly string[];
  /** File whose CRC-32 in CATALOG.031 is wrong. */
  readonly wrongSum?: string;
  readonly leaveOut?: readonly string[];
  readonly extra?: Readonly<Record<string, string>>;
}

/** Zip of a cell: ENC_ROOT with CATALOG.031. */
export function cellZip(
  name: string,
  edition: number,
  updates = 0,
  changes: ZipChanges = {},
): Buffer {
  const files = cellFiles(name, edition, updates);
  const entries = [...files].map(([file, bytes]) => ({
    path: `${name}\\${file}`,
    title: file,
    crc32: file === changes.wrongSum ? crc32(bytes) ^ 1 : crc32(bytes),
    box: BOX,
  }));
  for (const file of changes.listedOnly ?? []) {
    entries.push({ path: `${name}\\${file}`, title: file, crc32: 1, box: BOX });
  }
  const stay = [...files].filter(([file]) => !changes.leaveOut?.includes(file));
  return storeZip({
    'ENC_ROOT/README.TXT': 'Not for navigation.',
    'ENC_ROOT/CATALOG.031': encodeCatalog(
      entries.map((one) => ({ ...one, crc32: one.crc32 >>> 0 })),
    ),
    ...Object.fromEntries(stay.map(([file, bytes]) => [`ENC_ROOT/${name}/${file}`, bytes])),
    ...changes.extra,
  });
}
