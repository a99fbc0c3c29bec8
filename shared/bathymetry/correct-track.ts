// A track with the corrections of the depths from the crowd: the transducer, the tide, and the bias of the vessel.
// Soundings that fail the checks are left out.

import type { TrackContribution, TrackTide } from '../crowd/contribution.ts';
import { TrackTides } from '../crowd/track-tides.ts';
import type { TidePredictor } from '../crowd/water-level.ts';
import { ACCEPTED, cleanTrack } from './clean-track.ts';
import { growingColumns, type Soundings } from './soundings.ts';

/** @returns soundings below chart datum, rounded to centimetres, and the tide that was subtracted */
export function correctTrack(
  soundings: Soundings,
  { transducer, bias }: Pick<TrackContribution, 'transducer' | 'bias'>,
  predictor: TidePredictor,
): { readonly soundings: Soundings; readonly tide: TrackTide } {
  const { count, longitudes, latitudes, depths, times } = soundings;
  const codes = cleanTrack(soundings);
  const tides = new TrackTides(predictor);
  const corrected = growingColumns();
  for (let i = 0; i < count; i++) {
    if (codes[i] !== ACCEPTED) continue;
    const height = tides.heightAt(longitudes[i]!, latitudes[i]!, times[i]!);
    const depth = depths[i]! + transducer - height - bias.meters;
    corrected.add(latitudes[i]!, longitudes[i]!, Math.round(depth * 100) / 100, times[i]!);
  }
  return { soundings: corrected.all(), tide: tides.summary() };
}
