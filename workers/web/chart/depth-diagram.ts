// The charted depths along a line as a diagram and as text.

import type { DepthProfile } from '../client/wire.ts';
import { chosenDepthText, depthText } from './depth-text.ts';
import { positionText } from './parts/coordinates.ts';
import { milesText } from './parts/miles-text.ts';

const WIDTH = 280;
const HEIGHT = 120;
/** Space for the labels of depths. */
const TOP = 14;

type Sample = DepthProfile['samples'][number];
/** A sample with a charted depth. */
type Sounded = Sample & { readonly minDepth: number };

export interface DiagramOptions {
  readonly units: string;
  /** Safety depth in metres. */
  readonly depthLimit: number;
}

const hasDepth = (sample: Sample): sample is Sounded => sample.minDepth !== null;

/** The least depth and its place, and what has no depth. */
export function profileText({ samples }: DepthProfile, units: string): string {
  const sounded = samples.filter(hasDepth);
  const gaps = [
    ...(samples.some(({ surface }) => surface === 'land') ? ['land'] : []),
    ...(samples.some(({ surface }) => surface === 'uncharted') ? ['uncharted areas'] : []),
    ...(samples.some((one) => one.surface !== 'land' && one.source !== null && !hasDepth(one))
      ? ['areas without depths']
      : []),
  ];
  const crossed = gaps.length === 0 ? '' : ` The line crosses ${gaps.join(' and ')}.`;
  if (sounded.length === 0) return `No charted depths.${crossed}`;
  const least = sounded.reduce((a, b) => (b.minDepth < a.minDepth ? b : a));
  const { minDepth, distance, latitude, longitude } = least;
  return `Least charted depth ${depthText(minDepth, units)} after ${milesText(distance)}, at ${positionText(latitude, longitude)}.${crossed} Tide, rocks and wrecks are not included.`;
}

/** The range of charted depths along the line. Land is a block, and an uncharted part is empty. */
export function profileDiagram(profile: DepthProfile, options: DiagramOptions): SVGElement {
  const { samples, length } = profile;
  const { units, depthLimit } = options;
  const sounded = samples.filter(hasDepth);
  const highest = Math.min(0, ...sounded.map(({ minDepth }) => minDepth));
  const deepest = Math.max(depthLimit * 1.5, ...sounded.map((one) => one.maxDepth ?? one.minDepth));
  const x = (distance: number) => (distance / length) * WIDTH;
  const y = (depth: number) => TOP + ((depth - highest) / (deepest - highest)) * (HEIGHT - TOP);
  const box = (className: string, i: number, top: number, bottom: number) => {
    // From the middle between two samples to the next.
    const from = (samples[i]!.distance + samples[Math.max(0, i - 1)]!.distance) / 2;
    const to = (samples[i]!.distance + samples[Math.min(samples.length - 1, i + 1)]!.distance) / 2;
    return shape('rect', {
      class: className,
      x: x(from),
      y: top,
      width: x(to - from),
      height: Math.max(bottom - top, 1.5),
    });
  };
  const level = (className: string, depth: number) =>
    shape('line', { class: className, x1: 0, x2: WIDTH, y1: y(depth), y2: y(depth) });
  const drawing = shape('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT + 2}`,
    role: 'img',
    'aria-label': `Charted depths along the line, to ${depthText(deepest, units)}`,
    class: 'profile',
  });
  drawing.append(
    ...samples.flatMap((sample, i) => {
      if (sample.surface === 'land') return [box('land', i, y(highest), HEIGHT)];
      if (!hasDepth(sample)) return [];
      const to = sample.maxDepth ?? sample.minDepth;
      return [
        box('sea', i, y(Math.min(0, sample.minDepth)), y(sample.minDepth)),
        box('range', i, y(sample.minDepth), y(to)),
      ];
    }),
    level('datum', 0),
    level('safety', depthLimit),
    label(0, y(highest) - 3, 'start', `Line: ${depthText(0, units)}. Dashed: safety depth`),
    label(WIDTH, y(depthLimit) - 3, 'end', chosenDepthText(depthLimit, units)),
    label(WIDTH, HEIGHT - 3, 'end', depthText(deepest, units)),
  );
  return drawing;
}

const SVG = 'http://www.w3.org/2000/svg';

function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const svgElement = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    svgElement.setAttribute(key, typeof value === 'number' ? value.toFixed(1) : value);
  }
  return svgElement;
}

function label(x: number, y: number, anchor: string, text: string): SVGElement {
  const svgText = shape('text', { x, y, 'text-anchor': anchor });
  svgText.textContent = text;
  return svgText;
}
