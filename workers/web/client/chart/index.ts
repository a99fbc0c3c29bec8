// @leadline/client/chart: the class of <leadline-chart>, without defining the element.

export type { ClickOrder, ClickTool } from './click-order.ts';
export type { LeadlineChartEvents } from './events.ts';
export { LeadlineChart } from './leadline-chart.ts';
export type { OwnPosition } from './own-position.ts';
export type { ChartParameters } from './parameters.ts';
