// The map of a build report: the boxes of all cells over land, as SVG in plate carrée.

import type { ManifestCell } from '../../shared/chart/manifest.ts';
import { cutAtAntimeridian } from '../background/antimeridian.ts';
import { findBackground, readBackground } from '../background/background-layers.ts';
import { polygonsOf } from '../background/geojson.ts';
import { placeOf, type ReportedBuild } from './chart-gaps.ts';

const WIDTH = 1000;
/** Minimum width and height of the map in degrees. */
const MIN_SPAN = 0.2;
const MARGIN = 0.15;

const STYLES: Readonly<Record<ManifestCell['status'], string>> = {
  used: 'fill="none" stroke="#557" stroke-width="1"',
  'used-partly': 'fill="#f80" fill-opacity=".25" stroke="#c60" stroke-width="2"',
  refused: 'fill="#d00" fill-opacity=".25" stroke="#a00" stroke-width="2" stroke-dasharray="6 4"',
  cancelled: 'fill="#777" fill-opacity=".25" stroke="#555" stroke-width="2" stroke-dasharray="2 4"',
};

interface Box {
  readonly cell: ManifestCell;
  readonly west: number;
  readonly south: number;
  /** Beyond 180 for a box across that meridian. */
  readonly east: number;
  readonly north: number;
}

interface View {
  readonly west: number;
  readonly north: number;
  readonly height: number;
  readonly scale: number;
}

/** An `svg` element, or a sentence if no position of a cell is known. */
export function reportMap(build: ReportedBuild): string {
  const boxes = build.cells.flatMap((cell) => boxOf(cell, build));
  if (boxes.length === 0) return '<p>The positions of the cells are unknown.</p>';
  const view = viewOf(boxes);
  // Draw cells with problems last, so that no other cell covers them.
  const order = ['used', 'cancelled', 'used-partly', 'refused'];
  const sorted = [...boxes].sort(
    (a, b) => order.indexOf(a.cell.status) - order.indexOf(b.cell.status),
  );
  return `<svg viewBox="0 0 ${WIDTH} ${view.height}" role="img" aria-label="Map of the cells">
<path d="${landPath(view)}" fill="#efe6cf" stroke="#998" stroke-width=".5"/>
${sorted.map((box) => boxElement(box, view)).join('\n')}
</svg>
<p>Red, dashed: refused. Orange: used partly. Grey, dotted: cancelled. Blue line: used.</p>`;
}

function boxOf(cell: ManifestCell, build: ReportedBuild): Box[] {
  const place = placeOf(cell, build);
  if (place === undefined) return [];
  const [west, south, east, north] = place;
  return [{ cell, west, south, east: east < west ? east + 360 : east, north }];
}

function viewOf(boxes: readonly Box[]): View {
  const west = Math.min(...boxes.map((box) => box.west));
  const east = Math.max(...boxes.map((box) => box.east));
  const south = Math.min(...boxes.map((box) => box.south));
  const north = Math.max(...boxes.map((box) => box.north));
  const width = Math.max(east - west, MIN_SPAN) * (1 + 2 * MARGIN);
  const high = Math.max(north - south, MIN_SPAN) * (1 + 2 * MARGIN);
  const scale = WIDTH / width;
  return {
    west: (west + east - width) / 2,
    north: (south + north + high) / 2,
    height: Math.round(high * scale),
    scale,
  };
}

function boxElement({ cell, west, south, east, north }: Box, view: View): string {
  const [x, y] = [(west - view.west) * view.scale, (view.north - north) * view.scale];
  const [width, height] = [(east - west) * view.scale, (north - south) * view.scale];
  const label =
    cell.status === 'used'
      ? ''
      : `<text x="${(x + 4).toFixed(1)}" y="${(y + 16).toFixed(1)}" font-size="14">${escapeHtml(cell.name)}</text>`;
  return (
    `<g><title>${escapeHtml(`${cell.name}: ${cell.status}`)}</title>` +
    `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" ${STYLES[cell.status]}/>${label}</g>`
  );
}

/** The built-in land in the view. Points outside are moved to its margin; repeated points are omitted. */
function landPath(view: View): string {
  const land = readBackground(findBackground(undefined)).find(({ layer }) => layer === 'bg_land');
  const rings = (land?.features ?? []).flatMap(({ geometry }) =>
    cutAtAntimeridian(polygonsOf(geometry)).flat(),
  );
  return [-360, 0, 360]
    .flatMap((turn) => rings.map((ring) => ringPath(ring, turn, view)))
    .filter((path) => path !== '')
    .join('');
}

function ringPath(ring: readonly (readonly number[])[], turn: number, view: View): string {
  const clamp = (value: number, most: number) =>
    Math.round(Math.max(-20, Math.min(most + 20, value)));
  const points: string[] = [];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [longitude = 0, latitude = 0] of ring) {
    const x = clamp((longitude + turn - view.west) * view.scale, WIDTH);
    const y = clamp((view.north - latitude) * view.scale, view.height);
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    const point = `${x} ${y}`;
    if (points[points.length - 1] !== point) points.push(point);
  }
  const isInside = left < WIDTH && right > 0 && top < view.height && bottom > 0;
  return isInside && points.length > 2 ? `M${points.join('L')}Z` : '';
}

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
