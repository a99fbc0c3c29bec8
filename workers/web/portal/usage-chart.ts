// Draws requests by day.

import uPlot from 'uplot';

export interface UsageDay {
  /** In UTC, such as 2030-06-01. */
  readonly day: string;
  readonly requests: number;
}

const DAY_MS = 86_400_000;
const HEIGHT = 220;

/** The last days until today, with those that have no requests. */
export function withEmptyDays(
  days: readonly UsageDay[],
  count: number,
  nowMs = Date.now(),
): UsageDay[] {
  const known = new Map(days.map(({ day, requests }) => [day, requests]));
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(nowMs - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return { day, requests: known.get(day) ?? 0 };
  });
}

/** Replace the content of an element by the chart. */
export function drawUsage(place: HTMLElement, days: readonly UsageDay[]): void {
  const { color, fontFamily } = getComputedStyle(place);
  const grid = { stroke: 'rgba(128, 128, 128, 0.25)' };
  const axis = { stroke: color, font: `12px ${fontFamily}`, grid, ticks: grid };
  const accent = getComputedStyle(place).getPropertyValue('--accent').trim();
  place.replaceChildren();
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
      axes: [axis, { ...axis, size: 60 }],
      series: [
        {},
        {
          stroke: accent || color,
          width: 2,
          paths: uPlot.paths.bars!({ size: [0.7] }),
          fill: accent,
          points: { show: false },
        },
      ],
    },
    [days.map(({ day }) => Date.parse(day) / 1000), days.map(({ requests }) => requests)],
    place,
  );
  new ResizeObserver(() => {
    chart.setSize({ width: place.clientWidth, height: HEIGHT });
  }).observe(place);
}
