// The tide stations, which are part of the Worker.

import { TideTable } from '../../../shared/crowd/tide-table.ts';
import { TidePredictor } from '../../../shared/crowd/water-level.ts';

/** Cache: the opened table of this isolate, with the curves of recent days. */
let predictor: TidePredictor | undefined;

export async function tidePredictions(): Promise<TidePredictor> {
  if (predictor === undefined) {
    // Written by `workers/host/bundle/build-tides.ts`. Late, because only the platform can import it.
    const { default: bytes } = await import('../../../dist/tides/tides.bin');
    predictor = new TidePredictor(new TideTable(new Uint8Array(bytes)));
  }
  return predictor;
}
