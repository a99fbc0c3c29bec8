// Where a vessel's depths are measured from. The sender describes it in fields of the platform.

import type { Details } from './track.ts';

/** What depths are measured from. Echo sounders without a setting measure from the transducer. */
export const DEPTH_REFERENCES = ['transducer', 'waterline', 'keel'] as const;

/** The platform's fields. Depths below the waterline in metres, positive down. */
export const OFFSET_RANGES = { transducerDepth: [-1, 40], draft: [0, 40] } as const;

/** `unknown` is a term of IHO B-12 for a reference at or below the waterline: the depths are not too large. */
const KNOWN_REFERENCES: readonly unknown[] = [...DEPTH_REFERENCES, 'unknown'];

/**
 * Whether depths can be used: from another reference, for example a mast, they may be too large.
 * @param platform `depthReference`, by default the transducer
 * @param provider `verticalReferenceOfDepth` of IHO B-12, if the platform has no `depthReference`
 */
export const hasKnownReference = (platform: Details | null, provider: Details | null): boolean =>
  KNOWN_REFERENCES.includes(statedReference(platform, provider) ?? 'transducer');

/**
 * Metres to add to the depths of a track to get the depth below the waterline; `undefined` if the sender did
 * not state it.
 * @param platform `depthReference`, `transducerDepth` and `draft` (the depth of the keel)
 * @param provider `verticalReferenceOfDepth` of IHO B-12, if the platform has no `depthReference`
 */
export function waterlineOffset(
  platform: Details | null,
  provider: Details | null,
): number | undefined {
  const reference = statedReference(platform, provider) ?? 'transducer';
  if (reference === 'waterline') return 0;
  if (reference === 'keel') return numberIn(platform, 'draft');
  return reference === 'transducer' ? numberIn(platform, 'transducerDepth') : undefined;
}

/**
 * A key of what a sender states about the zero of its depths. Depths of a vessel with different keys can differ by a
 * constant.
 */
export const depthZero = (platform: Details | null, provider: Details | null): string =>
  JSON.stringify([
    statedReference(platform, provider) ?? null,
    waterlineOffset(platform, provider) ?? null,
  ]);

/** Any value, because senders are free to fill these fields; texts in lower case. */
export function statedReference(platform: Details | null, provider: Details | null): unknown {
  const stated =
    valueIn(platform, 'depthReference') ?? valueIn(provider, 'verticalReferenceOfDepth');
  return typeof stated === 'string' ? stated.toLowerCase() : stated;
}

/** `undefined` for null and the empty text too. */
function valueIn(details: Details | null, name: string): unknown {
  const value = details !== null && Object.hasOwn(details, name) ? details[name] : undefined;
  return value === null || value === '' ? undefined : value;
}

function numberIn(platform: Details | null, name: keyof typeof OFFSET_RANGES): number | undefined {
  const value = valueIn(platform, name);
  const [least, most] = OFFSET_RANGES[name];
  return typeof value === 'number' && value >= least && value <= most ? value : undefined;
}
