// Draws a chart in the colours of an element.

import uPlot from 'uplot';

const HEIGHT = 220;

interface Drawing {
  readonly data: uPlot.AlignedData;
  readonly scales: uPlot.Scales;
  /** How each row of data after the first is drawn; its colour is by default that of the element. */
  readonly series: readonly uPlot.Series[];
  /** The texts of the axes. */
  readonly times?: uPlot.Axis['values'];
  readonly values?: uPlot.Axis['values'];
}

/** Replace the content of an element by a chart over time in UTC, as wide as the element. */
export function drawChart(
  place: HTMLElement,
  { data, scales, series, times, values }: Drawing,
): void {
  const { color, outlineColor, fontFamily } = getComputedStyle(place);
  const grid = { stroke: 'rgba(128, 128, 128, 0.25)' };
  const axis = { stroke: color, font: `12px ${fontFamily}`, grid, ticks: grid };
  place.replaceChildren();
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { show: false },
      scales,
      axes: [
        { ...axis, ...(times && { values: times }) },
        { ...axis, size: 60, ...(values && { values }) },
      ],
      series: [
        {},
        ...series.map((one) => ({
          ...{ stroke: outlineColor, width: 2, fill: outlineColor, points: { show: false } },
          ...one,
        })),
      ],
    },
    data,
    place,
  );
  new ResizeObserver(() => {
    chart.setSize({ width: place.clientWidth, height: HEIGHT });
  }).observe(place);
}
