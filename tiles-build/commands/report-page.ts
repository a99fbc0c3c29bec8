// The report of a build as one HTML file without scripts or external files: the cells with problems, their
// positions, and the consequences for the chart.

import type { ManifestCell } from '../../shared/chart/manifest.ts';
import { type Gap, gapsOf, placeOf, type ReportedBuild } from './chart-gaps.ts';
import { escapeHtml, reportMap } from './report-map.ts';

export function reportPage(build: ReportedBuild): string {
  const gaps = gapsOf(build.cells, build.problems);
  const warned = build.cells.filter(
    ({ name, problems }) => problems.length > 0 && !gaps.some(({ cell }) => cell === name),
  );
  const count = (status: ManifestCell['status']) =>
    build.cells.filter((cell) => cell.status === status).length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Report of the chart build</title>
<style>${CSS}</style>
</head>
<body>
<h1>Report of the chart build</h1>
<p class="notice">Charts made by Leadline are not official and not for navigation.</p>
<p>${count('used')} cells used, ${count('used-partly')} used partly, ${count('cancelled')} cancelled, ${count('refused')} refused.</p>
${reportMap(build)}
<h2>What the chart lacks</h2>
${gaps.length === 0 ? '<p>Nothing is missing.</p>' : table(gaps.map((gap) => gapRow(gap, build)))}
<h2>Warnings</h2>
${warned.length === 0 ? '<p>There are no warnings.</p>' : table(warned.map((cell) => warningRow(cell, build)))}
</body>
</html>
`;
}

const table = (rows: readonly string[]): string =>
  `<table><thead><tr><th>Cell</th><th>Place</th><th>Problem</th><th>Consequence</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>`;

const row = (...texts: readonly string[]): string =>
  `<tr>${texts.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`;

function gapRow({ cell: name, problem, consequence }: Gap, build: ReportedBuild): string {
  const cell = build.cells.find((one) => one.name === name);
  return row(name ?? '–', cell === undefined ? '–' : placeText(cell, build), problem, consequence);
}

function warningRow(cell: ManifestCell, build: ReportedBuild): string {
  const consequence =
    cell.status === 'cancelled'
      ? 'The producer has withdrawn this chart. It is not shown.'
      : 'This chart is shown.';
  const problems = [...new Set(cell.problems.map(({ message }) => message))].join('; ');
  return row(cell.name, placeText(cell, build), problems, consequence);
}

function placeText(cell: ManifestCell, build: ReportedBuild): string {
  const place = placeOf(cell, build);
  if (place === undefined) return 'unknown';
  const [west, south, east, north] = place;
  return `${angle(south, 'N', 'S')} to ${angle(north, 'N', 'S')}, ${angle(west, 'E', 'W')} to ${angle(east, 'E', 'W')}`;
}

const angle = (degrees: number, positive: string, negative: string): string =>
  `${Math.abs(degrees).toFixed(3)}° ${degrees < 0 ? negative : positive}`;

const CSS = `
body { font: 16px/1.5 sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff }
.notice { border: 2px solid #a00; padding: .5rem 1rem; font-weight: bold }
svg { width: 100%; height: auto; border: 1px solid #888; background: #d7e8f4 }
table { border-collapse: collapse; width: 100% }
th, td { border: 1px solid #bbb; padding: .4rem .6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere }
td:first-child, th { white-space: nowrap }
`;
