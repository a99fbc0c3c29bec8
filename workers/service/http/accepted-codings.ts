// Content codings that a client accepts (RFC 9110, section 12.5.3).

const WEIGHT = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/**
 * Those of our codings that the client prefers to the plain bytes, best first; ours come in their order
 * where it prefers none. Empty without the header: such a client may not know how to unpack.
 */
export function acceptedCodings<Coding extends string>(
  header: string | undefined,
  ours: readonly Coding[],
): readonly Coding[] {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const isReadable = weight === undefined || WEIGHT.test(weight);
    weights.set(name === 'x-gzip' ? 'gzip' : name, isReadable ? Number(weight?.slice(2) ?? 1) : 0);
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  return ours
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= plain)
    .sort((a, b) => weightOf(b) - weightOf(a));
}
