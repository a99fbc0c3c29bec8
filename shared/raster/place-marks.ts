// Which marks are shown where texts compete for space, and in what order they are drawn. The order of
// choosing is the same wherever the window lies: style layers from the top, then blocks from north
// to south and west to east, then the order within the block.
//
// Four raster tiles around a corner of blocks look at the same four blocks, so they choose alike. The
// tiles on both sides of a block's middle do not: there one choice follows from another beyond what
// both see. So texts that reach across a middle are chosen before all others, among themselves, and
// what is chosen later keeps off the middles (`block-middles.ts`).

import type { Mark, SetBlock, SetMark } from './block.ts';
import { BlockMiddles, TURNS, type Turn } from './block-middles.ts';
import { TakenBoxes } from './taken-boxes.ts';

interface Candidate extends SetMark {
  /** What has less is chosen earlier. */
  readonly rank: number;
}

/** A mark that is shown only where it has space, and the turn of each of its places. */
interface Waiting extends Candidate {
  readonly turns: readonly Turn[];
}

/** Chosen before their turn: every other mark gives way. */
const FIRST = -1;

/** The marks that are shown, in drawing order. Blocks are squares of `blockPixels`. */
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
  for (const turn of TURNS) {
    for (const candidate of waiting) {
      const place = placeInTurn(candidate, turn, middles, taken);
      if (place === undefined) continue;
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
      // Sorting is stable, so blocks and features stay in their order.
      .sort((a, b) => b.mark.layer - a.mark.layer)
      .map((set, rank) => ({ ...set, rank }))
  );
}

/** Of one layer, what stands further south lies on top, as if nearer to the reader. */
function inDrawingOrder(marks: readonly SetMark[]): SetMark[] {
  const southing = ({ mark, top }: SetMark) => mark.item.y + top;
  return [...marks].sort(
    (a, b) =>
      a.mark.layer - b.mark.layer ||
      a.mark.sortKey - b.mark.sortKey ||
      southing(a) - southing(b) ||
      a.mark.item.x + a.left - (b.mark.item.x + b.left),
  );
}

/** Shown whatever else is. */
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

/**
 * The first place that is free, where it is of this turn: what would rather stand at a place of a
 * later turn waits for that.
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
