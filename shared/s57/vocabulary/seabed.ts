// Surfaces of the sea bed with their qualities (S-57 NATSUR and NATQUA).

import { type Attributes, textOf } from './typed-values.ts';

/** Codes of a surface and of its quality; empty if unknown. */
export interface Surface {
  readonly surface: string;
  readonly quality: string;
}

/**
 * The surfaces of an object, each as its layers from the top: `4/1` is sand over mud. Qualities belong to surfaces by
 * position: `NATSUR 4,1` with `NATQUA 1,` is fine sand, then mud.
 */
export function surfacesOf(attributes: Attributes): readonly (readonly Surface[])[] {
  const [surfaces, qualities] = ['NATSUR', 'NATQUA'].map((acronym) =>
    (textOf(attributes, acronym) ?? '')
      .split(',')
      .map((part) => part.split('/').map((code) => code.trim())),
  );
  const isKnown = surfaces!.flat().some((code) => code !== '');
  return (isKnown ? surfaces! : qualities!).map((layers, i) =>
    layers.map((code, j) => ({
      surface: isKnown ? code : '',
      quality: isKnown ? (qualities![i]?.[j] ?? '') : code,
    })),
  );
}
