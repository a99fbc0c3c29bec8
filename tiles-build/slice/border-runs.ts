// The border of an owner's ground as lines, classified by what is beyond it.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { sideOfRings } from '../../shared/geo/ring.ts';

/**
 * The border of a face in runs: `edge` at the limit of the chart's own coverage, `scale` where a
 * better cell begins.
 */
export function* borderRuns(
  ring: Flat,
  gridRing: Flat,
  coverage: readonly Flat[],
): Generator<{ kind: 'edge' | 'scale'; line: Flat }> {
  const n = ring.length;
  const onCoverage = Array.from(
    { length: n / 2 },
    (_, i) => sideOfRings(gridRing[2 * i]!, gridRing[2 * i + 1]!, coverage) === 0,
  );
  let run: { kind: 'edge' | 'scale'; line: Flat } | undefined;
  for (let i = 0; i < n / 2; i++) {
    const next = (i + 1) % (n / 2);
    const kind = onCoverage[i] === true && onCoverage[next] === true ? 'edge' : 'scale';
    if (run !== undefined && run.kind !== kind) {
      yield run;
      run = undefined;
    }
    run ??= { kind, line: [ring[2 * i]!, ring[2 * i + 1]!] };
    run.line.push(ring[2 * next]!, ring[2 * next + 1]!);
  }
  if (run !== undefined) yield run;
}
