// Random cells written and read: base files are compared with the input, and chains of updates with a base
// file of the last state.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Cell, Feature } from '../../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf, nodesOf, positionsOf } from '../../../shared/s57/cell/geometry.ts';
import { CellBuilder, type Position } from '../../../shared/s57/write/cell-builder.ts';
import type { FileContents } from '../../../shared/s57/write/encode-file.ts';
import { updateBetween } from '../../../shared/s57/write/update-between.ts';
import { harbourPlan, readContents } from '../../support/harbour-plan.ts';
import { isLong } from '../../support/long-run.ts';

/** Positions are all over the globe, as in an overview of the world. */
const PLAN = { ...harbourPlan('ZL1ROUND'), usageBand: 1, scaleDenominator: 10_000_000 };

interface Thing {
  readonly number: number;
  readonly kind: 'buoy' | 'cable' | 'zone' | 'soundings';
  readonly positions: readonly Position[];
  readonly depths: readonly number[];
  readonly name: string;
  readonly national: string;
  readonly isMasked: boolean;
}

const isVisible = (text: string) => !/\p{Cc}/u.test(text);
/** Latin-1 without control characters; national names use the whole basic multilingual plane. */
const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(String.fromCharCode) });
const wide = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xd7ff }).map(String.fromCharCode),
  maxLength: 12,
});
const whole = (most: number) => fc.integer({ min: -most, max: most });
const position = fc.tuple(whole(1_800_000_000), whole(900_000_000));

const KINDS = ['buoy', 'cable', 'zone', 'soundings'] as const;

// The number determines the kind, as an update must not change the class of a feature, and the count of
// positions, which the writer does not change either.
const thing = fc.integer({ min: 1, max: 12 }).chain((number) =>
  fc.record<Thing>({
    number: fc.constant(number),
    kind: fc.constant(KINDS[number % KINDS.length]!),
    positions: fc.uniqueArray(position, {
      minLength: 3 + (number % 5),
      maxLength: 3 + (number % 5),
      selector: (at) => at.join(),
    }),
    depths: fc.array(
      whole(1000).map((it) => it / 10),
      { minLength: 9, maxLength: 9 },
    ),
    name: latin.filter(isVisible),
    national: wide.filter(isVisible),
    isMasked: fc.boolean(),
  }),
);
/** One state of a cell: things with different numbers. */
const things = fc.uniqueArray(thing, { maxLength: 6, selector: ({ number }) => number });

function contentsOf(state: readonly Thing[], ids: Map<string, number>): FileContents {
  const builder = new CellBuilder(PLAN, ids);
  for (const { number, kind, positions, depths, name, national, isMasked } of state) {
    const words = { OBJNAM: name, NOBJNM: national };
    if (kind === 'buoy') builder.point(number, 'BOYLAT', positions[0]!, words);
    else if (kind === 'cable') {
      builder.line(number, 'CBLSUB', [{ course: { positions }, masked: isMasked }], words);
    } else if (kind === 'zone') {
      const ring = { positions: [...positions, positions[0]!] };
      builder.area(number, 'RESARE', [[{ course: ring, atLimit: isMasked }]], words);
    } else {
      const soundings = positions.map((at, i) => ({ position: at, depth: depths[i]! }));
      builder.soundings(number, soundings, words);
    }
  }
  return builder.contents();
}

function read(base: FileContents, updates: readonly FileContents[] = []): Cell {
  const { cell, problems } = readContents(base, ...updates);
  const lost = problems.filter(({ severity }) => severity === 'error');
  if (cell === undefined || lost.length > 0) throw new Error(JSON.stringify(problems));
  return cell;
}

/** Every position of a feature in degrees, as text. */
function placesOf(cell: Cell, feature: Feature): string[] {
  const lists =
    feature.primitive === 'point'
      ? nodesOf(cell, feature).map(({ positions }) => positions)
      : feature.primitive === 'line'
        ? chainsOf(cell, feature).map(positionsOf)
        : areaOf(cell, feature).flatMap((rings) => rings.map(({ uses }) => positionsOf(uses)));
  return lists.flatMap((list) =>
    Array.from({ length: list.length / 2 }, (_, i) => `${list[2 * i]} ${list[2 * i + 1]}`),
  );
}

/** The content of a cell in a fixed order, without its header. */
function plain({ features, edges, isolatedNodes, connectedNodes }: Cell) {
  const byNumber = [...features].sort((a, b) => a.id.number - b.id.number);
  const sorted = <T>(map: ReadonlyMap<number, T>) => [...map].sort(([a], [b]) => a - b);
  return {
    features: byNumber,
    edges: sorted(edges),
    isolatedNodes: sorted(isolatedNodes),
    connectedNodes: sorted(connectedNodes),
  };
}

it('readCell returns every feature that encodeFile wrote, with its texts, positions and depths', () => {
  fc.assert(
    fc.property(things, (state) => {
      const cell = read(contentsOf(state, new Map()));
      expect(cell.features.length).toBe(state.length);
      for (const wanted of state) {
        const feature = cell.features.find(({ id }) => id.number === wanted.number)!;
        expect(feature.attributes['OBJNAM'] ?? '').toBe(wanted.name);
        expect(feature.attributes['NOBJNM'] ?? '').toBe(wanted.national);
        const given = wanted.kind === 'buoy' ? wanted.positions.slice(0, 1) : wanted.positions;
        const degrees = new Set(given.map(([x, y]) => `${x / 1e7} ${y / 1e7}`));
        const seen = new Set(placesOf(cell, feature));
        expect([...seen].sort()).toEqual([...degrees].sort());
        if (wanted.kind === 'soundings') {
          const node = cell.isolatedNodes.get(feature.spatial[0]!.id)!;
          expect([...node.depths!]).toEqual(wanted.depths.slice(0, wanted.positions.length));
        }
      }
    }),
    { numRuns: isLong ? 150 : 50 },
  );
});

it('readCell returns the same cell for a chain of updates as for a base file of the last state', () => {
  fc.assert(
    fc.property(fc.array(things, { minLength: 2, maxLength: 5 }), (states) => {
      const ids = new Map<string, number>();
      const base = contentsOf(states[0]!, ids);
      let state = base;
      const updates = states.slice(1).map((next, i) => {
        const words = { update: i + 1, issueDate: `202602${String(i + 1).padStart(2, '0')}` };
        const step = updateBetween(state, contentsOf(next, ids), words);
        state = step.state;
        return step.file;
      });
      const updated = read(base, updates);
      expect(updated.header.update).toBe(updates.length);
      expect(plain(updated)).toEqual(plain(read(contentsOf(states.at(-1)!, ids))));
    }),
    { numRuns: isLong ? 100 : 35 },
  );
});
