// The panel that shows a clicked user report.

import type { MapLibreMap } from 'maplibre-gl';
import type { Report } from '../wire.ts';
import type { ChartTool } from './click-order.ts';
import { closer, element } from './elements.ts';
import type { ReportPins } from './report-pins.ts';

/** Names of the kinds of reports. */
export const KINDS = {
  hazard: 'Hazard',
  accident: 'Accident',
  weather: 'Weather',
  wildlife: 'Wildlife',
} as const satisfies Readonly<Record<Report['reportType'], string>>;

/**
 * @param panel outlives the map if the chart element is removed and added again
 * @param pressed called with the report; returns whether to show it
 * @param signal ends the listener on the panel
 */
export function openReportPanel(
  map: MapLibreMap,
  panel: HTMLElement,
  pins: ReportPins,
  pressed: (report: Report) => boolean,
  signal: AbortSignal,
): ChartTool {
  const close = () => {
    if (panel.hidden) return;
    panel.hidden = true;
    map.getCanvas().focus({ preventScroll: true });
  };
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') close();
  };
  panel.addEventListener('keydown', closeByKey, { signal });
  const show = (report: Report) => {
    const notes = report.properties['description'];
    panel.replaceChildren(
      closer('Close the report', close),
      element('h2', KINDS[report.reportType] ?? report.reportType),
      ...(typeof notes === 'string' && notes !== '' ? [element('p', notes)] : []),
      element('p', `Reported ${new Date(report.createdAt).toLocaleString()}`),
      element('p', `Confirmed by ${report.upvoteCount}, disputed by ${report.downvoteCount}`),
    );
    panel.hidden = false;
    panel.querySelector('button')?.focus({ preventScroll: true });
  };
  return {
    take: ({ point }) => {
      const report = pins.at(point);
      if (report === undefined) return false;
      if (pressed(report)) show(report);
      return true;
    },
    makeRoom: () => {
      panel.hidden = true;
    },
  };
}
