// SCAMIN between whole zooms. Filters are asked once a tile, at whole zooms; opacity is worked out for
// each frame. So a filter lets in what its tile's zooms may show, and opacity brings it in on its mark.

import { FIRST_FADED_ZOOM } from '../chart/scale-zoom.ts';
import { type Expression, expression, numberOr } from './expressions.ts';

/**
 * Whole zooms between which things come in: below the first, filters alone say what is shown, and
 * from the last on all is. Each costs every layer an expression, which clients check and compile.
 */
const [FIRST_ZOOM, LAST_ZOOM] = [FIRST_FADED_ZOOM, 18];
/**
 * Base of the curve from a whole zoom to the next: it rises fast and then levels out. Nine tenths are
 * there a third of a zoom after the first trace: symbols half seen for longer look like ghosts.
 */
const CURVE = 0.001;
/** Part of a zoom by which a thing begins to show before its own, so that it is seen at it. */
const AHEAD = 0.1;
/** Of a zoom: what is hidden at a whole zoom has an opacity below 0, never 0, which may be a style's. */
const LEAST = 0.002;

/** Zoom from which a feature is shown: its SCAMIN's (`mz`), 0 for the base display. */
const OWN_ZOOM = numberOr('mz', 0);

/**
 * Opacity of what is shown from its own zoom on: nothing at the whole zoom before it, half or so at
 * its own, all of it at the next whole zoom. Between whole zooms renderers blend the values at both
 * (composite expressions), the same way for all features; where a feature begins is told by how far
 * below zero its first value is, as opacity below zero draws nothing.
 *
 * @param opacity once it is all there
 * @param from zoom from which it is shown, instead of the feature's own
 */
export function fadeIn(opacity = 1, from: Expression = OWN_ZOOM): Expression {
  const start = expression(
    '^',
    CURVE,
    expression('max', LEAST, expression('-', expression('%', expression('var', 'm'), 1), AHEAD)),
  );
  // The curve is (1 − CURVE^t) ÷ (1 − CURVE): a + (1 − a)·curve is 0 at `start` for this a.
  const before = expression(
    '*',
    opacity,
    expression('/', expression('-', start, 1), expression('-', start, CURVE)),
  );
  const stops = Array.from({ length: LAST_ZOOM - FIRST_ZOOM }, (_, i) => [
    FIRST_ZOOM + i,
    expression(
      'case',
      expression('<=', expression('var', 'm'), FIRST_ZOOM + i),
      opacity,
      expression('var', 'a'),
    ),
  ]);
  return expression(
    'let',
    'm',
    from,
    expression(
      'let',
      'a',
      before,
      expression(
        'interpolate',
        ['exponential', CURVE],
        ['zoom'],
        ...stops.flat(),
        LAST_ZOOM,
        opacity,
      ),
    ),
  );
}
