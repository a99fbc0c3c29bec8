// Which marks are shown where texts compete for space, and in what order they are drawn. The order of
// choosing is the same wherever the window lies: style layers from the top, then blocks from north
// to south and west to east, then the order within the block.
//
// Four raster tiles around a corner of blocks look at the same four blocks, so they choose alike. The
// tiles on both sides of a block's middle do not: there one choice follows from another beyond what
// both see. So texts that reach across a middle are chosen before all others, among themselves, and
// what is chosen later keeps off the middles.

import type { Mark, SetBlock } from './block.ts';
import { MARK_MARGIN_PIXELS, TILE_PIXELS } from './display-list.ts';
import { TakenBoxes } from './taken-boxes.ts';

/** A mark and where its block's corner lies, in pixels of the tile. */
export interface SetMark {
  readonly mark: Mark;
  readonly left: number;
  readonly top: number;
}

interface Candidate extends SetMark {
  /** What has less is chosen earlier. */
  readonly rank: number;
}

/** Which middles of blocks a place reaches across. */
type Crossing = 'vertical' | 'horizontal' | 'none';

/** Of what reaches across both, the tiles above and below know more in common. */
const TURNS: readonly Crossing[] = ['vertical', 'horizontal', 'none'];
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
  const optional: Candidate[] = [];
  for (const candidate of candidates) {
    if (isFixed(candidate.mark)) show(withPartner(candidate, NOT_MOVED), candidate.rank);
    else optional.push(candidate);
  }
  const crossingAt = middlesOf(blocks, blockPixels);
  const waiting = new Set(optional);
  for (const turn of TURNS) {
    for (const candidate of waiting) {
      const places = placesOf(candidate).filter((place) => crossingAt(candidate, place) === turn);
      // Nothing goes across a middle that would rather stand elsewhere.
      if (turn !== 'none' && places[0] !== placesOf(candidate)[0]) continue;
      const place = freePlace(candidate, places, taken);
      if (place === undefined) continue;
      waiting.delete(candidate);
      show(withPartner(candidate, place), turn === 'none' ? candidate.rank : FIRST);
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

/** The first place where the mark and its partner are clear of what was chosen before. */
function freePlace(
  { mark, left, top, rank }: Candidate,
  places: readonly Place[],
  taken: TakenBoxes,
): Place | undefined {
  const { partner } = mark;
  if (partner?.isKept === false && taken.meets(partner.boxes, left, top, rank)) return undefined;
  return places.find(([x, y]) => mark.isKept || !taken.meets(mark.boxes, left + x, top + y, rank));
}

/** By which middle of a block, where raster tiles meet, a mark at a place reaches across. */
function middlesOf(blocks: readonly SetBlock[], blockPixels: number) {
  const { left: firstLeft, top: firstTop } = blocks[0] ?? { left: 0, top: 0 };
  // Where a block is one tile, tiles meet only where blocks do.
  const hasMiddles = blockPixels > TILE_PIXELS;
  const crosses = (low: number, high: number, corner: number) =>
    hasMiddles &&
    Math.floor((low - MARK_MARGIN_PIXELS - corner) / blockPixels + 0.5) !==
      Math.floor((high + MARK_MARGIN_PIXELS - corner) / blockPixels + 0.5);
  return (set: SetMark, place: Place): Crossing => {
    let isAcross = false;
    for (const { mark, left, top } of withPartner(set, place)) {
      const { boxes } = mark;
      for (let i = 0; i < boxes.length; i += 4) {
        if (crosses(boxes[i]! + left, boxes[i + 2]! + left, firstLeft)) return 'vertical';
        isAcross ||= crosses(boxes[i + 1]! + top, boxes[i + 3]! + top, firstTop);
      }
    }
    return isAcross ? 'horizontal' : 'none';
  };
}
