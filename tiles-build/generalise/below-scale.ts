// Where a chart is drawn below the scale it was compiled for, and how much further apart symbols stand
// there: the same zooms and distances for points and for signs of areas.

/** Part of a zoom by which it may lie below a chart's scale and show all that the scale does. */
const SOON = 0.2;
const WIDER_A_ZOOM = 0.5;
const MOST_WIDENED = 2.5;

export interface BelowScale {
  /** Zoom of the compilation scale, with one decimal. */
  readonly scaleZoom: number;
  /** Last whole zoom at which the chart is thinned; -1 where it never is. */
  readonly lastZoom: number;
  /**
   * How many times further apart symbols stand at a zoom: the further a chart is drawn below its scale,
   * the more it is looked at as a whole, and what fills it hides it. Wider from two zooms below the
   * scale on, up to two and a half times.
   */
  readonly widerAt: (zoom: number) => number;
}

/** @param scaleZoom zoom of the compilation scale; its first decimal counts */
export function belowScale(scaleZoom: number): BelowScale {
  const tenths = Math.round(scaleZoom * 10);
  const [rounded, soon] = [tenths / 10, (tenths - SOON * 10) / 10];
  const lastUnwidened = Math.round(rounded) - 1;
  return {
    scaleZoom: rounded,
    lastZoom: Math.max(Math.ceil(soon) - 1, -1),
    widerAt: (zoom) => Math.min(MOST_WIDENED, 1 + WIDER_A_ZOOM * Math.max(0, lastUnwidened - zoom)),
  };
}
