// Content codings that a client accepts (RFC 9110, section 12.5.3).

const WEIGHT = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/**
 * The available codings that the client accepts and does not rank below `identity`, best first.
 * Codings of equal weight keep the given order. Empty without an Accept-Encoding header.
 */
export function acceptedCodings<Coding extends string>(
  header: string | undefined,
  available: readonly Coding[],
): readonly Coding[] {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const isValid = weight === undefined || WEIGHT.test(weight);
    weights.set(name === 'x-gzip' ? 'gzip' : name, isValid ? Number(weight?.slice(2) ?? 1) : 0);
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  return available
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= plain)
    .sort((a, b) => weightOf(b) - weightOf(a));
}

/** Whether a client accepts gzip; false without an Accept-Encoding header. */
export const acceptsGzip = (header: string | undefined): boolean =>
  acceptedCodings(header, ['gzip']).length > 0;
