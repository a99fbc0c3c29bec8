// One object in the middle of a small chart, as a row of `effect-rows.ts` draws it.

import type { SEA_FLAGS } from '../../../shared/route/sea.ts';
import type { ChartBuilder } from '../portray/chart-builder.ts';

export const NEVER = Number.NEGATIVE_INFINITY;
export const WEST = 10;
export const SOUTH = 54;
export const HERE = [WEST + 0.01, SOUTH + 0.01] as const;
export const BESIDE = [WEST + 0.0135, SOUTH + 0.0135] as const;

type Draw = (chart: ChartBuilder) => void;
export interface Row {
  readonly what: string;
  readonly draw: Draw;
  /** The safe depth at the object; 20 by default. */
  readonly depth?: number;
  readonly flags?: readonly (keyof typeof SEA_FLAGS)[];
  /** The safe clearance; none by default. */
  readonly clearance?: number;
  readonly bearing?: number;
  /** The kind, depth and radius of the edges; no edges by default. */
  readonly edge?: readonly [kind: string, depth: number, radius?: number];
}

type Words = Readonly<Record<string, string | number>>;
export const area =
  (acronym: string, words: Words = {}): Draw =>
  (chart) =>
    chart.box(
      acronym,
      [HERE[0] - 0.002, HERE[1] - 0.002],
      [HERE[0] + 0.002, HERE[1] + 0.002],
      words,
    );
export const line =
  (acronym: string, words: Words = {}): Draw =>
  (chart) => {
    const a = chart.node([HERE[0] - 0.002, HERE[1]]);
    const b = chart.node([HERE[0] + 0.002, HERE[1]]);
    chart.along(acronym, 'line', [chart.edge(a, b)], words);
  };
export const point =
  (acronym: string, words: Words = {}, spatial: Words = {}): Draw =>
  (chart) =>
    void chart.point(acronym, HERE, words, spatial);

export const STANDING = ['LNDMRK', 'SILTNK', 'BUISGL', 'FORSTC', 'CRANES', 'DAYMAR', 'notmrk'];

export const AREAS_AT_SEA: readonly (readonly [string, Draw])[] = [
  ...'PONTON HULKES FLODOC SLCONS PYLONS OFSPLF MORFAC FSHFAC DRYDOC'
    .split(' ')
    .map((acronym) => [`an area of ${acronym}`, area(acronym)] as const),
  ['a bridge that floats', area('BRIDGE', { CATBRG: '6' })],
];
