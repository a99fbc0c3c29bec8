// Decides which marks are shown if they compete for space, and their drawing order. The order of
// decisions does not depend on the window: style layers from the top, then blocks from north to
// south and west to east, then the order in the block.
// The four raster tiles around a corner of blocks use the same four blocks, so they decide equally.
// Tiles on both sides of a block's middle line could decide differently, because decisions depend
// on blocks that only one of them knows. So texts that cross a middle line are decided first, among
// themselves, and later texts must not cross it (`block-middles.ts`). Soundings give way to texts, but
// texts do not give way to them. Across a middle line they are shown only where no text is possible.

import type { Mark, SetBlock, SetMark } from './block.ts';
import { BlockMiddles, TURNS, type Turn } from './block-middles.ts';
import { TakenBoxes } from './taken-boxes.ts';

interface Candidate extends SetMark {
  /** Lower ranks are decided earlier. */
  readonly rank: number;
}

/** A mark that is shown only if it has space, with the turn of each of its places. */
interface Waiting extends Candidate {
  readonly turns: readonly Turn[];
}

/** Decided before all turns; every other mark gives way. */
const FIRST = -1;

/** The shown marks in drawing order. Blocks are squares of `blockPixels`. */
export function placeMarks(blocks: readonly SetBlock[], blockPixels: number): SetMark[] {
  const candidates = inOrderOfChoice(blocks);
  const shown = new Set<SetMark>();
  const taken = new TakenBoxes();
  const show = (set: readonly SetMark[], rank: number) => {
    for (const one of set) {
      if (one.mark.isObstacle) taken.add(one.mark.boxes, one.left, one.top, rank);
      if (one.mark.isBlank !== true) shown.add(one);
    }
  };
  const middles = new BlockMiddles(blocks, blockPixels);
  const waiting = new Set<Waiting>();
  for (const candidate of candidates) {
    if (isFixed(candidate.mark)) show(withPartner(candidate, NOT_MOVED), candidate.rank);
    else waiting.add({ ...candidate, turns: turnsOf(candidate, middles) });
  }
  const possible = possibleBoxes(waiting);
  for (const turn of TURNS) {
    for (const candidate of waiting) {
      const place = placeInTurn(candidate, turn, middles, taken);
      if (place === undefined || (turn !== 'last' && givesWay(candidate, possible))) continue;
      waiting.delete(candidate);
      show(withPartner(candidate, place), turn === 'last' ? candidate.rank : FIRST);
    }
  }
  return inDrawingOrder([...shown]);
}

function inOrderOfChoice(blocks: readonly SetBlock[]): Candidate[] {
  return (
    [...blocks]
      .sort((a, b) => a.top - b.top || a.left - b.left)
      .flatMap(({ block, left, top }) => block.marks.map((mark) => ({ mark, left, top })))
      // Sorting is stable, so the order of blocks and features is kept.
      .sort((a, b) => b.mark.layer - a.mark.layer || keyOf(a) - keyOf(b))
      .map((set, rank) => ({ ...set, rank }))
  );
}

const keyOf = ({ mark }: SetMark): number => mark.sortKey ?? 0;

/** Within a layer, marks with larger keys or further south are drawn on top, as in MapLibre. */
function inDrawingOrder(marks: readonly SetMark[]): SetMark[] {
  const southing = ({ mark, top }: SetMark) => mark.item.y + top;
  const byPlace = (a: SetMark, b: SetMark) =>
    southing(a) - southing(b) || a.mark.item.x + a.left - (b.mark.item.x + b.left);
  return [...marks].sort(
    (a, b) =>
      a.mark.layer - b.mark.layer ||
      keyOf(a) - keyOf(b) ||
      (a.mark.sortKey === undefined ? byPlace(a, b) : 0),
  );
}

/** Shown in any case. */
const isFixed = ({ isKept, partner }: Mark): boolean => isKept && partner?.isKept !== false;

type Place = readonly [x: number, y: number];

const NOT_MOVED: Place = [0, 0];
const UNMOVED: readonly Place[] = [NOT_MOVED];
const placesOf = ({ mark }: SetMark): readonly Place[] => mark.places ?? UNMOVED;

const withPartner = ({ mark, left, top }: SetMark, [x, y]: Place): SetMark[] => [
  { mark, left: left + x, top: top + y },
  ...(mark.partner === undefined ? [] : [{ mark: mark.partner, left, top }]),
];

const turnsOf = (set: SetMark, middles: BlockMiddles): Turn[] =>
  placesOf(set).map((place) => middles.turnOf(withPartner(set, place)));

/** All places of the marks that others give way to. */
function possibleBoxes(waiting: Iterable<Waiting>): TakenBoxes {
  const possible = new TakenBoxes();
  for (const one of waiting) {
    if (!one.mark.isObstacle) continue;
    for (const [x, y] of placesOf(one)) {
      possible.add(one.mark.boxes, one.left + x, one.top + y, one.rank);
    }
  }
  return possible;
}

const givesWay = ({ mark, left, top, rank }: Waiting, possible: TakenBoxes): boolean =>
  !mark.isObstacle && !mark.isKept && possible.meets(mark.boxes, left, top, rank);

/**
 * The first free place, if it belongs to this turn. A mark whose preferred place belongs to a later
 * turn waits for it.
 */
function placeInTurn(
  candidate: Waiting,
  turn: Turn,
  middles: BlockMiddles,
  taken: TakenBoxes,
): Place | undefined {
  const { mark, left, top, rank, turns } = candidate;
  const { partner } = mark;
  if (!turns.includes(turn)) return undefined;
  if (partner?.isKept === false && taken.meets(partner.boxes, left, top, rank)) return undefined;
  for (const [i, place] of placesOf(candidate).entries()) {
    if (TURNS.indexOf(turns[i]!) < TURNS.indexOf(turn)) continue;
    const [x, y] = [left + place[0], top + place[1]];
    if (turns[i] !== turn && !middles.isSure(mark.boxes, x, y, turn)) return undefined;
    if (!mark.isKept && taken.meets(mark.boxes, x, y, rank)) continue;
    return turns[i] === turn ? place : undefined;
  }
  return undefined;
}
