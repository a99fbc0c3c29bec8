// Anchors for labels and icons along a line: at equal distances, within the block, if the label
// fits and the line does not bend too much. Uses MapLibre's algorithm, so that both maps agree.

/** A position on a line. */
export interface LineAnchor {
  readonly x: number;
  readonly y: number;
  /** Index of the segment. */
  readonly segment: number;
  /** Direction of the segment, radians clockwise from the x axis. */
  readonly angle: number;
}

export interface AnchorOptions {
  readonly spacingPixels: number;
  /** Length of the label or icon. */
  readonly lengthPixels: number;
  /** Text size of the layer. It determines the space before the first anchor, also for icons. */
  readonly sizePixels: number;
  /** Bends only matter for texts. */
  readonly isText: boolean;
  readonly maxBendRadians: number;
  /** Side of the block. Anchors must lie inside. */
  readonly blockPixels: number;
}

/** Ems before the first label of a line that starts inside the block. */
const LEAD_EMS = 2;

/** Anchors along a line with coordinates x, y, x, y … in pixels of its block. */
export function lineAnchors(line: ArrayLike<number>, options: AnchorOptions): LineAnchor[] {
  const { lengthPixels, blockPixels } = options;
  let spacing = options.spacingPixels;
  if (spacing - lengthPixels < spacing / 4) spacing = lengthPixels + spacing / 4;
  const isContinued = onBorder(line[0]!, blockPixels) || onBorder(line[1]!, blockPixels);
  const lead = lengthPixels / 2 + LEAD_EMS * options.sizePixels;
  const first = isContinued ? spacing / 2 : lead % spacing;
  const found = anchorsFrom(line, first, spacing, options);
  if (found.length > 0 || isContinued) return found;
  return anchorsFrom(line, lengthOf(line) / 2, spacing, options);
}

const onBorder = (value: number, side: number): boolean => value === 0 || value === side;

function anchorsFrom(
  line: ArrayLike<number>,
  first: number,
  spacing: number,
  options: AnchorOptions,
): LineAnchor[] {
  const { lengthPixels, blockPixels } = options;
  const total = lengthOf(line);
  const anchors: LineAnchor[] = [];
  let passed = 0;
  let next = first;
  for (let i = 0; i + 3 < line.length; i += 2) {
    const x0 = line[i]!;
    const y0 = line[i + 1]!;
    const dx = line[i + 2]! - x0;
    const dy = line[i + 3]! - y0;
    const length = Math.hypot(dx, dy);
    for (; next < passed + length; next += spacing) {
      const t = (next - passed) / length;
      const anchor = { x: x0 + dx * t, y: y0 + dy * t, segment: i / 2, angle: Math.atan2(dy, dx) };
      const isWithin =
        anchor.x >= 0 && anchor.x < blockPixels && anchor.y >= 0 && anchor.y < blockPixels;
      const fits = next - lengthPixels / 2 >= 0 && next + lengthPixels / 2 <= total;
      if (isWithin && fits && !bendsTooMuch(line, anchor, options)) anchors.push(anchor);
    }
    passed += length;
  }
  return anchors;
}

/** Length of a line with coordinates x, y, x, y …. */
export function lengthOf(line: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i + 3 < line.length; i += 2) {
    total += Math.hypot(line[i + 2]! - line[i]!, line[i + 3]! - line[i + 1]!);
  }
  return total;
}

/** Whether the bends under the label add up to too much within a window of 0.6 em. */
function bendsTooMuch(
  line: ArrayLike<number>,
  anchor: LineAnchor,
  options: AnchorOptions,
): boolean {
  if (!options.isText) return false;
  const window = (3 / 5) * options.sizePixels;
  // Go back to the start of the label.
  let index = anchor.segment + 1;
  let along = 0;
  let x = anchor.x;
  let y = anchor.y;
  while (along > -options.lengthPixels / 2) {
    index--;
    if (index < 0) return true;
    along -= Math.hypot(line[2 * index]! - x, line[2 * index + 1]! - y);
    x = line[2 * index]!;
    y = line[2 * index + 1]!;
  }
  along += Math.hypot(line[2 * index + 2]! - x, line[2 * index + 3]! - y);
  index++;
  const recent: { at: number; bend: number }[] = [];
  let sum = 0;
  while (along < options.lengthPixels / 2) {
    if (2 * index + 3 >= line.length) return true;
    const before = Math.atan2(
      line[2 * index + 1]! - line[2 * index - 1]!,
      line[2 * index]! - line[2 * index - 2]!,
    );
    const dx = line[2 * index + 2]! - line[2 * index]!;
    const dy = line[2 * index + 3]! - line[2 * index + 1]!;
    const turn = Math.atan2(dy, dx) - before;
    const bend = Math.abs(((turn + 3 * Math.PI) % (2 * Math.PI)) - Math.PI);
    recent.push({ at: along, bend });
    sum += bend;
    while (along - recent[0]!.at > window) sum -= recent.shift()!.bend;
    if (sum > options.maxBendRadians) return true;
    index++;
    along += Math.hypot(dx, dy);
  }
  return false;
}
