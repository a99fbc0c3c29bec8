// SCAMIN between whole zooms. Renderers evaluate filters once per tile, at whole zooms, and opacity for each
// frame. The filter accepts what the zooms of its tile may show, and the opacity shows it at its exact zoom.

import { FIRST_FADED_ZOOM } from '../chart/scale-zoom.ts';
import { type Expression, expression, numberOr } from './expressions.ts';

/**
 * The fade works between these whole zooms. Below the first only filters apply; from the last everything is
 * shown. Each zoom adds an expression to every layer, which clients validate and compile.
 */
const [FIRST_ZOOM, LAST_ZOOM] = [FIRST_FADED_ZOOM, 18];
/**
 * Base of the curve between whole zooms, which rises fast and then levels out. The opacity reaches 0.9 a third of
 * a zoom after the start, because half-transparent symbols are hard to read.
 */
const CURVE = 0.001;
/** A feature starts to fade in this part of a zoom early, so that it is visible at its own zoom. */
const AHEAD = 0.1;
/** Minimum part of a zoom. A hidden feature has an opacity below 0, because a style may use 0. */
const LEAST = 0.002;

/** The zoom from which a feature is shown: that of its SCAMIN (`mz`), 0 for the base display. */
const OWN_ZOOM = numberOr('mz', 0);

/**
 * Opacity of a feature: 0 at the whole zoom before its own zoom, about half at its own zoom, and full at the
 * next whole zoom. Renderers interpolate between the values at whole zooms in the same way for all features
 * (composite expressions). The first value is negative and sets where the feature starts, because a negative
 * opacity draws nothing.
 *
 * @param opacity full opacity
 * @param from zoom to use instead of the feature's own
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
