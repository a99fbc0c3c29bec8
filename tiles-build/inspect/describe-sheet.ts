// Describes a sheet of the route archive as a plain object with stable output.

import { inflateSync } from 'node:zlib';
import { clearanceOfCode, depthOfCode } from '../../shared/route/depth-code.ts';
import { HAZARD_KINDS, SEA_FLAGS, type SeaSquare } from '../../shared/route/sea.ts';
import { decodeSheet } from '../../shared/route/sheets.ts';
import { decodeSquare, isDamaged } from '../../shared/route/square-codec.ts';

/** @throws Error if the bytes are not a sheet, or one of its squares is damaged */
export function describeSheet(bytes: Uint8Array): Record<string, unknown> {
  return Object.fromEntries(
    decodeSheet(bytes).map(({ z, x, y, deflated }) => {
      const square = decodeSquare(new Uint8Array(inflateSync(deflated)));
      const name = `${z}/${x}/${y}`;
      if (isDamaged(square)) throw new Error(`square ${name}: ${square.damaged}`);
      return [name, { bytes: deflated.length, ...describeSquare(square) }];
    }),
  );
}

function describeSquare(square: SeaSquare): Record<string, unknown> {
  const { leastDepth, mostDepth, clearance, flags, hasFiner, hazards } = square;
  const water = leastDepth.filter((code) => code > 0).length;
  const lowest = clearance?.reduce((least, code) => Math.min(least, code));
  const all = flags?.reduce((sum, flag) => sum | flag, 0) ?? 0;
  const kinds = [...hazards.kind].map((kind) => HAZARD_KINDS[kind]!);
  return {
    water: `${((100 * water) / leastDepth.length).toFixed(1)} %`,
    deepest: Math.round(10 * depthOfCode(mostDepth.reduce((a, b) => Math.max(a, b)))) / 10,
    ...(lowest !== undefined && { lowest: clearanceOfCode(lowest) }),
    flags: Object.entries(SEA_FLAGS).flatMap(([name, bit]) => ((all & bit) === 0 ? [] : [name])),
    finer: hasFiner.filter((has) => has === 1).length,
    edges: Object.fromEntries(
      HAZARD_KINDS.flatMap((kind) => {
        const count = kinds.filter((one) => one === kind).length;
        return count === 0 ? [] : [[kind, count]];
      }),
    ),
  };
}
