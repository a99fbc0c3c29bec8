// What the builder reports about the tracks of changed shards.

import type { TrackContribution } from '../../shared/crowd/contribution.ts';
import { UNKNOWN_BIAS } from './bias.ts';
import { SIGMAS_95 } from './reduce-track.ts';
import type { CrowdStore, Lists } from './store.ts';

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
  const tallies = new Map<number, [number, number, number, number]>();
  for (const shard of needed) {
    for (const [number, tally] of Object.entries(store.readResult(shard).tracks)) {
      const sum = tallies.get(Number(number)) ?? [0, 0, 0, 0];
      tallies.set(Number(number), sum);
      for (let i = 0; i < 4; i++) sum[i]! += tally[i]!;
    }
  }
  return new Map(
    concerned.map(([key, track]) => {
      const [bins, publicBins, addedBins, contradicted] = tallies.get(track.number) ?? [0, 0, 0, 0];
      const { meters, sigma, common, crossings } = lists.biases[track.platform] ?? UNKNOWN_BIAS;
      const { points, rejected, tide, transducer } = track;
      return [
        key,
        {
          builtAt: now,
          points,
          used: track.used - contradicted,
          rejected: contradicted > 0 ? { ...rejected, contradicted } : rejected,
          tide,
          transducer,
          bias: {
            meters: rounded(meters),
            unc: rounded(SIGMAS_95 * Math.hypot(sigma, common)),
            crossings,
          },
          bins,
          publicBins,
          addedBins,
        },
      ];
    }),
  );
}
