// A track with the corrections of the crowdsourced depths: the transducer, the tide, and the bias of the vessel.
// Soundings that fail the checks are left out, and those whose depths have another zero than the others.

import type { TrackContribution, TrackTide } from '../crowd/contribution.ts';
import { TrackTides } from '../crowd/track-tides.ts';
import type { TidePredictor } from '../crowd/water-level.ts';
import { ACCEPTED, cleanTrack } from './clean-track.ts';
import { growingColumns, type Soundings } from './soundings.ts';

/**
 * @returns soundings below the chart datum of the tide, rounded to centimetres, and the tide that was
 * subtracted; without any tide station, soundings that are not reduced
 */
export function correctTrack(
  soundings: Soundings,
  { transducer, bias }: Pick<TrackContribution, 'transducer' | 'bias'>,
  predictor: TidePredictor,
): { readonly soundings: Soundings; readonly tide: TrackTide } {
  const { count, longitudes, latitudes, depths, times } = soundings;
  const codes = cleanTrack(soundings);
  const tides = new TrackTides(predictor);
  const byDatum = new Map<string | undefined, ReturnType<typeof growingColumns>>();
  for (let i = 0; i < count; i++) {
    if (codes[i] !== ACCEPTED) continue;
    const height = tides.heightAt(longitudes[i]!, latitudes[i]!, times[i]!);
    const depth = depths[i]! + transducer - height - bias.meters;
    const corrected = byDatum.get(tides.datum) ?? growingColumns();
    byDatum.set(tides.datum, corrected);
    corrected.add(latitudes[i]!, longitudes[i]!, Math.round(depth * 100) / 100, times[i]!);
  }
  const tide = tides.summary();
  const corrected = byDatum.get(tide.reduced ? tide.datum : undefined) ?? growingColumns();
  return { soundings: corrected.all(), tide };
}
