// Where a vessel's depths are measured from. The sender describes it in fields of the platform.

import { type Details, textIn } from './track.ts';

/** What depths are measured from. Echo sounders without a setting measure from the transducer. */
export const DEPTH_REFERENCES = ['transducer', 'waterline', 'keel'] as const;

/** The platform's fields. Depths below the waterline in metres, positive down. */
export const OFFSET_RANGES = { transducerDepth: [-1, 40], draft: [0, 40] } as const;

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

const statedReference = (platform: Details | null, provider: Details | null): string | undefined =>
  textIn(platform, 'depthReference') ?? textIn(provider, 'verticalReferenceOfDepth')?.toLowerCase();

function numberIn(platform: Details | null, name: keyof typeof OFFSET_RANGES): number | undefined {
  const value = platform !== null && Object.hasOwn(platform, name) ? platform[name] : undefined;
  const [least, most] = OFFSET_RANGES[name];
  return typeof value === 'number' && value >= least && value <= most ? value : undefined;
}
