// Addresses with placeholders that a client will fill in and fetch: of imagery, and of glyphs. This
// service fetches none of them.

const MAX_URL_CHARACTERS = 2048;

export interface TemplateRule {
  /** Every placeholder of one of these must be there. */
  readonly ways: readonly (readonly string[])[];
  /** May be there. */
  readonly others: readonly string[];
  /** Said to whoever sent something else. */
  readonly message: string;
}

/**
 * Raster tiles, with the placeholders of the style specification's `tiles`
 * (https://maplibre.org/maplibre-style-spec/sources/), and `{s}` for the hosts a, b and c, which
 * other maps have.
 */
export const IMAGERY_TEMPLATE: TemplateRule = {
  ways: [['{z}', '{x}', '{y}'], ['{quadkey}'], ['{bbox-epsg-3857}']],
  others: ['{z}', '{x}', '{y}', '{quadkey}', '{bbox-epsg-3857}', '{ratio}', '{prefix}', '{s}'],
  message:
    'must be an http or https URL with {z}, {x} and {y}, or {quadkey}, or {bbox-epsg-3857}; ' +
    '{ratio}, {prefix} and {s} are known too',
};

/** Ranges of glyphs (https://maplibre.org/maplibre-style-spec/glyphs/). */
export const GLYPHS_TEMPLATE: TemplateRule = {
  ways: [['{fontstack}', '{range}']],
  others: ['{fontstack}', '{range}'],
  message: 'must be an http or https URL with {fontstack} and {range}',
};

const MOST_PORT = 65_535;
const URL_PARTS =
  /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?(?:\/[\w\-.~!$&'()*+,;=:@%/|]*)?(?:\?[\w\-.~!$&'()*+,;=:@%/?|]*)?$/i;

/** Whether a text is such an address: http or https, without credentials and without a fragment. */
export function isUrlTemplate(value: string, { ways, others }: TemplateRule): boolean {
  if (value.length > MAX_URL_CHARACTERS) return false;
  if (!ways.some((way) => way.every((name) => value.includes(name)))) return false;
  const plain = others.reduce((text, name) => text.replaceAll(name, 'x'), value);
  const parts = URL_PARTS.exec(plain);
  return parts !== null && Number(parts[1] ?? 0) <= MOST_PORT;
}
