// What chart lies under the cursor and how much larger than it was compiled it is shown: that a chart
// can be enlarged without end says nothing of how well the ground is known.

import { zoomOfScale } from '../../../shared/chart/scale-zoom.ts';

/** S-52 tells of overscale from twice the compilation scale on. */
const OVERSCALE_FROM = 2;
/** Whole numbers, but not one less for a hair's breadth. */
const ROUNDING = 0.05;

/**
 * `1:12,000 chart, ×3`; without the factor where the chart is shown at less than twice its scale.
 *
 * @param scaleDenominator the scale that the chart was compiled at
 * @param zoom of a map whose tiles are 512 pixels wide
 */
export function scaleText(scaleDenominator: number, zoom: number, latitude: number): string {
  const factor = Math.floor(2 ** (zoom - zoomOfScale(scaleDenominator, latitude)) + ROUNDING);
  const chart = `1:${scaleDenominator.toLocaleString('en')} chart`;
  return factor < OVERSCALE_FROM ? chart : `${chart}, ×${factor}`;
}
