// Raw fragments of one tile to its GeoJSON document.

import { foidPart } from '../../shared/s57/vocabulary/feature-id.ts';

interface RawFeature {
  readonly id: string;
  readonly geometry: { readonly type: string };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * A FeatureCollection of all fragments, in their order. Points that two cells brought from their
 * common border stand once.
 */
export function mergeRaw(fragments: readonly Uint8Array[]): Uint8Array {
  const texts = fragments.map((fragment) => decoder.decode(fragment));
  if (texts.length === 1) return collection(texts[0]!);
  const seen = new Set<string>();
  const features = texts
    .flatMap((text) => JSON.parse(text) as RawFeature[])
    .filter((feature) => {
      if (!feature.geometry.type.endsWith('Point')) return true;
      const key = `${foidPart(feature.id)} ${JSON.stringify(feature.geometry)}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  return collection(JSON.stringify(features));
}

function collection(features: string): Uint8Array {
  return encoder.encode(`{"type":"FeatureCollection","features":${features}}`);
}
