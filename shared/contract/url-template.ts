// URL templates of imagery and glyphs. Clients fetch these URLs; the service does not.

const MAX_URL_CHARACTERS = 2048;

export interface TemplateRule {
  /** All placeholders of one of these sets are required. */
  readonly ways: readonly (readonly string[])[];
  /** Optional placeholders. */
  readonly others: readonly string[];
  /** Whether it may be in the files of an app: `asset://` and `file://` of MapLibre Native. */
  readonly mayBeLocal: boolean;
  /** Error message. */
  readonly message: string;
}

/**
 * Raster tiles, with the placeholders of `tiles` in the style specification
 * (https://maplibre.org/maplibre-style-spec/sources/), and `{s}` for the hosts a, b and c.
 */
export const IMAGERY_TEMPLATE: TemplateRule = {
  ways: [['{z}', '{x}', '{y}'], ['{quadkey}'], ['{bbox-epsg-3857}']],
  mayBeLocal: false,
  others: ['{z}', '{x}', '{y}', '{quadkey}', '{bbox-epsg-3857}', '{ratio}', '{prefix}', '{s}'],
  message:
    'must be an http or https URL with {z}, {x} and {y}, or {quadkey}, or {bbox-epsg-3857}; ' +
    '{ratio}, {prefix} and {s} are optional',
};

/** Glyph ranges (https://maplibre.org/maplibre-style-spec/glyphs/). */
export const GLYPHS_TEMPLATE: TemplateRule = {
  ways: [['{fontstack}', '{range}']],
  mayBeLocal: true,
  others: ['{fontstack}', '{range}'],
  message: 'must be an http, https, asset or file URL with {fontstack} and {range}',
};

const MAX_PORT = 65_535;
const URL_PARTS =
  /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?(?:\/[\w\-.~!$&'()*+,;=:@%/|]*)?(?:\?[\w\-.~!$&'()*+,;=:@%/?|]*)?$/i;

/** Whether a text matches the rule, without credentials and fragment. */
export function isUrlTemplate(value: string, { ways, others, mayBeLocal }: TemplateRule): boolean {
  if (value.length > MAX_URL_CHARACTERS) return false;
  if (!ways.some((way) => way.every((name) => value.includes(name)))) return false;
  const remote = mayBeLocal ? value.replace(/^(?:asset|file):\/{2,3}/i, 'http://') : value;
  const plain = others.reduce((text, name) => text.replaceAll(name, 'x'), remote);
  const parts = URL_PARTS.exec(plain);
  return parts !== null && Number(parts[1] ?? 0) <= MAX_PORT;
}
