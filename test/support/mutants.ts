// Damaged files: seeded, so that the number of a mutant identifies it and no file is needed. Some kinds of damage apply
// to any bytes, others to the records of ISO 8211 files.

import { seededRandom } from './seeded-random.ts';

type Random = () => number;
/** Returns a damaged copy; the given bytes are unchanged. */
export type Harm = (bytes: Uint8Array, random: Random) => Uint8Array;

const below = (most: number, random: Random) => Math.floor(random() * most);
const place = (bytes: Uint8Array, random: Random) => below(bytes.length, random);

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Damage to any file. */
export const BYTE_HARMS = {
  'flipped bits': (bytes, random) => {
    const harmed = bytes.slice();
    for (let i = below(8, random); i >= 0; i--) {
      harmed[place(bytes, random)]! ^= 1 << below(8, random);
    }
    return harmed;
  },
  'a changed byte': (bytes, random) => {
    const harmed = bytes.slice();
    harmed[place(bytes, random)] = [0, 1, 0x1e, 0x1f, 0x20, 0x30, 0x7f, 0x80, 0xff][
      below(9, random)
    ]!;
    return harmed;
  },
  'a cut end': (bytes, random) => bytes.slice(0, place(bytes, random)),
  'a missing middle': (bytes, random) => {
    const from = place(bytes, random);
    return joined(bytes.subarray(0, from), bytes.subarray(from + below(400, random)));
  },
  'a repeated piece': (bytes, random) => {
    const from = place(bytes, random);
    const at = place(bytes, random);
    const piece = bytes.subarray(from, from + below(400, random));
    return joined(bytes.subarray(0, at), piece, bytes.subarray(at));
  },
  'zeros over a stretch': (bytes, random) => {
    const from = place(bytes, random);
    return bytes.slice().fill(0, from, from + below(600, random));
  },
  'digits for digits': (bytes, random) => {
    // Lengths and positions are digits: this damage misleads readers instead of stopping them.
    const harmed = bytes.slice();
    for (let tries = 0, done = 0; tries < 5000 && done < 3; tries++) {
      const at = place(bytes, random);
      if (harmed[at]! < 0x30 || harmed[at]! > 0x39) continue;
      harmed[at] = 0x30 + below(10, random);
      done++;
    }
    return harmed;
  },
  noise: (bytes, random) => bytes.map(() => below(256, random)),
} as const satisfies Readonly<Record<string, Harm>>;

/** Damage to records (ISO/IEC 8211, clause 5.2): a record begins with its length in five digits. */
export const RECORD_HARMS = {
  'a record left out': onRecords((records, random) => {
    records.splice(1 + below(records.length - 1, random), 1);
  }),
  'a record put twice': onRecords((records, random) => {
    const one = records[1 + below(records.length - 1, random)]!;
    records.splice(1 + below(records.length - 1, random), 0, one);
  }),
  'two records in each other’s place': onRecords((records, random) => {
    const [one, other] = [1, 1].map((first) => first + below(records.length - 1, random));
    [records[one!], records[other!]] = [records[other!]!, records[one!]!];
  }),
  'a byte of a record’s content': onRecords((records, random) => {
    const at = 1 + below(records.length - 1, random);
    const harmed = records[at]!.slice();
    const from = Number(Buffer.from(harmed.subarray(12, 17)).toString('latin1'));
    harmed[from + below(harmed.length - from, random)] = below(256, random);
    records[at] = harmed;
  }),
  'a changed tag': onRecords((records, random) => {
    const at = 1 + below(records.length - 1, random);
    const harmed = records[at]!.slice();
    const tags = ['FRID', 'FOID', 'ATTF', 'NATF', 'FFPT', 'FSPT', 'VRID', 'VRPT', 'SG2D', 'SG3D'];
    const width =
      4 + Number(String.fromCharCode(harmed[20]!)) + Number(String.fromCharCode(harmed[21]!));
    const from = 24 + width * below(3, random);
    harmed.set(Buffer.from(tags[below(tags.length, random)]!, 'latin1'), from);
    records[at] = harmed;
  }),
} as const satisfies Readonly<Record<string, Harm>>;

function onRecords(change: (records: Uint8Array[], random: Random) => void): Harm {
  return (bytes, random) => {
    const records: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const length = Number(Buffer.from(bytes.subarray(at, at + 5)).toString('latin1'));
      if (!(length > 24)) break;
      records.push(bytes.subarray(at, at + length));
      at += length;
    }
    if (records.length > 1) change(records, random);
    return joined(...records);
  };
}

/** The mutant with a number: the same bytes with the same damage, on any machine. */
export function mutant<Name extends string>(
  bytes: Uint8Array,
  harms: Readonly<Record<Name, Harm>>,
  number: number,
): { readonly harm: Name; readonly bytes: Uint8Array } {
  const names = Object.keys(harms) as Name[];
  const harm = names[number % names.length]!;
  // A plain Uint8Array, because a Buffer behaves differently in details.
  return { harm, bytes: harms[harm](new Uint8Array(bytes), seededRandom(number)) };
}
