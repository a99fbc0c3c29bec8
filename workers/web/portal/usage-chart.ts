// Requests by day and group of endpoints, as a chart and as a table.

import { html, nothing } from 'lit';
import uPlot from 'uplot';
import type { AccountUsage } from '../client/portal-wire.ts';
import { downloadCsv } from './api.ts';
import { drawChart } from './line-chart.ts';

export type UsageDay = AccountUsage['days'][number];

/** Days that are shown. */
export const SHOWN_DAYS = 30;
const DAY_MS = 86_400_000;

/** The last days until today, with those that have no requests. */
export function withEmptyDays(
  days: readonly UsageDay[],
  count = SHOWN_DAYS,
  nowMs = Date.now(),
): UsageDay[] {
  const known = new Map(days.map((one) => [one.day, one]));
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(nowMs - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, requests: 0, refused: 0, failed: 0, kinds: {} };
  });
}

type Sum = 'requests' | 'refused' | 'failed';
const sumOf = (days: readonly UsageDay[], field: Sum) =>
  days.reduce((sum, day) => sum + day[field], 0);

/** The groups of endpoints that were requested, the most frequent first, with their requests. */
function kindsOf(days: readonly UsageDay[]): [string, number][] {
  const totals = new Map<string, number>();
  for (const { kinds } of days) {
    for (const [kind, n] of Object.entries(kinds)) totals.set(kind, (totals.get(kind) ?? 0) + n);
  }
  return [...totals].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

/** The sums, the place of the chart, and the table. @param note ends the sentence with the sum */
export function usageSection(days: readonly UsageDay[], note: unknown = '') {
  const kinds = kindsOf(days);
  const refused = sumOf(days, 'refused');
  const failed = sumOf(days, 'failed');
  return html`
    <h2>Requests</h2>
    <p>${sumOf(days, 'requests').toLocaleString()} requests in the last ${days.length} days, in
      UTC. ${note}</p>
    ${
      refused + failed === 0
        ? nothing
        : html`<p>${refused.toLocaleString()} of them were refused because of an error of the request,
            and ${failed.toLocaleString()} failed because of a fault of the service.
            <a href="/docs/guides/errors">Errors</a></p>`
    }
    <div class="usage-chart" role="img" aria-label="Requests by day; the table below has the numbers"></div>
    <ul class="kinds">${kinds.map(
      ([kind, n]) => html`<li><span class="chip" aria-hidden="true"></span>${kind}:
        ${n.toLocaleString()}</li>`,
    )}</ul>
    ${usageTable(
      days,
      kinds.map(([kind]) => kind),
    )}`;
}

function usageTable(days: readonly UsageDay[], kinds: readonly string[]) {
  const head = ['Day', 'Requests', 'Refused', 'Failed', ...kinds];
  const rows = days.map(({ day, requests, refused, failed, kinds: known }) => [
    ...[day, requests, refused, failed],
    ...kinds.map((kind) => known[kind] ?? 0),
  ]);
  return html`<details>
    <summary>Table of the requests</summary>
    <button type="button"
      @click=${() => downloadCsv('requests', [head, ...rows])}>Download as CSV</button>
    <div class="wide" role="region" tabindex="0" aria-label="Requests by day"><table>
      <thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
    </table></div>
  </details>`;
}

/** Draw the chart of a `usageSection` in a component. */
export function drawUsageIn(component: HTMLElement, days: readonly UsageDay[]): void {
  const place = component.querySelector<HTMLElement>('.usage-chart');
  if (place !== null) drawUsage(place, days, component.querySelectorAll('.kinds .chip'));
}

/** Stacked bars: each row of data contains the requests of a group and of those below it. */
function drawUsage(place: HTMLElement, days: readonly UsageDay[], chips: NodeListOf<Element>) {
  const known = kindsOf(days).map(([kind]) => kind);
  // A chart without requests has empty bars.
  const kinds = known.length > 0 ? known : ['none'];
  const sums = kinds.map((_, at) =>
    days.map((day) =>
      kinds.slice(0, at + 1).reduce((sum, kind) => sum + (day.kinds[kind] ?? 0), 0),
    ),
  );
  const series = kinds.map((_, at) => {
    const { backgroundColor } = getComputedStyle(chips[at] ?? place);
    return {
      ...{ stroke: backgroundColor, fill: backgroundColor, width: 0 },
      paths: uPlot.paths.bars!({ size: [0.7] }),
    };
  });
  drawChart(place, {
    // The largest sums first, so that the others cover them in part.
    data: [days.map(({ day }) => Date.parse(day) / 1000), ...sums.reverse()],
    scales: { y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
    series: series.reverse(),
  });
}
