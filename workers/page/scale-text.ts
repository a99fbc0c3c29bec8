// What chart lies under the cursor and how much larger than it was compiled it is shown: that a chart
// can be enlarged without end says nothing of how well the ground is known.

/** Metres of a pixel at the equator of a zoom-0 map of 512-pixel tiles. */
const METERS_PER_PIXEL = 78_271.517;
/** Size of a pixel on screens, as S-52 assumes it. */
const PIXEL_METERS = 0.000_28;
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
  const shown =
    (METERS_PER_PIXEL * Math.cos((latitude * Math.PI) / 180)) / 2 ** zoom / PIXEL_METERS;
  const factor = Math.floor(scaleDenominator / shown + ROUNDING);
  const chart = `1:${scaleDenominator.toLocaleString('en')} chart`;
  return factor < OVERSCALE_FROM ? chart : `${chart}, ×${factor}`;
}
