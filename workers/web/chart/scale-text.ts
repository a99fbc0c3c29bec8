// Describes the compilation scale of a chart and its overscale factor.

import { zoomOfScale } from '../../../shared/chart/scale-zoom.ts';

/** S-52 requires an overscale indication from twice the compilation scale. */
const OVERSCALE_FROM = 2;
/** Tolerance before rounding down, so that 2.999 becomes 3. */
const ROUNDING = 0.05;

/**
 * Returns `1:12,000 chart, ×3`, without the factor if it is less than 2.
 *
 * @param scaleDenominator denominator of the compilation scale
 * @param zoom of a map whose tiles are 512 pixels wide
 */
export function scaleText(scaleDenominator: number, zoom: number, latitude: number): string {
  const factor = Math.floor(2 ** (zoom - zoomOfScale(scaleDenominator, latitude)) + ROUNDING);
  const chart = `1:${scaleDenominator.toLocaleString('en')} chart`;
  return factor < OVERSCALE_FROM ? chart : `${chart}, ×${factor}`;
}
