// What the builder reports about the tracks of changed shards.

import type { TrackContribution } from '../../shared/crowd/contribution.ts';
import { SIGMAS_95 } from '../../shared/crowd/track-tides.ts';
import { UNKNOWN_BIAS } from './bias.ts';
import { type CrowdStore, type Lists, newTally, type TrackTally } from './store.ts';

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** By key of the track. */
export function contributionsOf(
  store: CrowdStore,
  lists: Lists,
  changed: ReadonlySet<string>,
  now: number,
): Map<string, TrackContribution> {
  const concerned = Object.entries(lists.tracks).filter(
    ([, { shards }]) => shards.length === 0 || shards.some((shard) => changed.has(shard)),
  );
  const needed = new Set(concerned.flatMap(([, { shards }]) => shards));
  const tallies = new Map<number, TrackTally>();
  for (const shard of needed) {
    for (const [number, tally] of Object.entries(store.readResult(shard).tracks)) {
      const sum = tallies.get(Number(number)) ?? newTally();
      tallies.set(Number(number), sum);
      for (const name of Object.keys(tally) as (keyof TrackTally)[]) sum[name] += tally[name];
    }
  }
  return new Map(
    concerned.map(([key, track]) => {
      const { contradicted, land, ...bins } = tallies.get(track.number) ?? newTally();
      const { meters, sigma, common, crossings } = lists.biases[track.platform] ?? UNKNOWN_BIAS;
      const { points, rejected, tide, transducer } = track;
      return [
        key,
        {
          builtAt: now,
          points,
          used: track.used - contradicted - land,
          rejected: {
            ...rejected,
            ...(contradicted > 0 && { contradicted }),
            ...(land > 0 && { land }),
          },
          tide,
          transducer,
          bias: {
            meters: rounded(meters),
            unc: rounded(SIGMAS_95 * Math.hypot(sigma, common)),
            crossings,
          },
          ...bins,
        },
      ];
    }),
  );
}
