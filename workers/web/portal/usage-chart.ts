// Requests by day, as a chart and as a table.

import { html } from 'lit';
import uPlot from 'uplot';
import { downloadCsv } from './api.ts';
import { drawChart } from './line-chart.ts';

export interface UsageDay {
  /** In UTC, such as 2030-06-01. */
  readonly day: string;
  readonly requests: number;
}

/** Days that are shown. */
export const SHOWN_DAYS = 30;
const DAY_MS = 86_400_000;

/** The last days until today, with those that have no requests. */
export function withEmptyDays(
  days: readonly UsageDay[],
  count = SHOWN_DAYS,
  nowMs = Date.now(),
): UsageDay[] {
  const known = new Map(days.map(({ day, requests }) => [day, requests]));
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(nowMs - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return { day, requests: known.get(day) ?? 0 };
  });
}

/** The sum, the place of the chart, and the table. @param note ends the sentence with the sum */
export function usageSection(days: readonly UsageDay[], note: unknown = '') {
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  const rows = days.map(({ day, requests }) => [day, requests] as const);
  return html`
    <h2>Requests</h2>
    <p>${total.toLocaleString()} requests in the last ${days.length} days, in UTC. ${note}</p>
    <div class="usage-chart" role="img" aria-label="Requests by day; the table below has the numbers"></div>
    <details>
      <summary>Table of the requests</summary>
      <button type="button"
        @click=${() => downloadCsv('requests', [['day', 'requests'], ...rows])}>Download as CSV</button>
      <table>
        <thead><tr><th scope="col">Day</th><th scope="col">Requests</th></tr></thead>
        <tbody>${rows.map(([day, requests]) => html`<tr><td>${day}</td><td>${requests}</td></tr>`)}</tbody>
      </table>
    </details>`;
}

/** Draw the chart of a `usageSection` in a component. */
export function drawUsageIn(component: HTMLElement, days: readonly UsageDay[]): void {
  const place = component.querySelector<HTMLElement>('.usage-chart');
  if (place !== null) drawUsage(place, days);
}

/** Replace the content of an element by the chart. */
function drawUsage(place: HTMLElement, days: readonly UsageDay[]): void {
  drawChart(place, {
    data: [days.map(({ day }) => Date.parse(day) / 1000), days.map(({ requests }) => requests)],
    scales: { y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
    series: { paths: uPlot.paths.bars!({ size: [0.7] }) },
  });
}
