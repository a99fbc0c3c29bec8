// Describes JSON schemas as text for the reference, one row per field.

/** The keywords of JSON Schema (2020-12) that the service's schemas use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly default?: unknown;
  readonly description?: string;
}

export interface FieldRow {
  /** Path with dots; `[]` stands for each item of an array. */
  readonly name: string;
  readonly words: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

const MAX_LEVELS = 5;

/** The fields of an object and of nested objects, each with its type, range and default. */
export function fieldsOf(schema: Schema, prefix = '', level = 0): readonly FieldRow[] {
  const shape = withoutNull(schema);
  if (level > MAX_LEVELS) return [];
  const choices = shape.oneOf ?? shape.anyOf;
  if (choices !== undefined) {
    const rows = choices.flatMap((choice) => fieldsOf(choice, prefix, level + 1));
    return rows.filter(({ name }, i) => rows.findIndex((row) => row.name === name) === i);
  }
  if (shape.items !== undefined && shape.prefixItems === undefined) {
    return fieldsOf(shape.items, `${prefix}[]`, level + 1);
  }
  return Object.entries(shape.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const row: FieldRow = {
      name,
      words: describeSchema(field),
      isRequired: shape.required?.includes(key) === true,
      description: field.description ?? withoutNull(field).description,
    };
    return [row, ...fieldsOf(field, name, level + 1)];
  });
}

/** A type with its range and default, such as `number, 0 to 22, 16 by default`. */
export function describeSchema(schema: Schema): string {
  const shape = withoutNull(schema);
  const parts = [typeOf(shape), rangeOf(shape)];
  const assumed = schema.default ?? shape.default;
  if (assumed !== undefined) parts.push(`${JSON.stringify(assumed)} by default`);
  return parts.filter((part) => part !== '').join(', ');
}

function typeOf(shape: Schema): string {
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((one) => JSON.stringify(one)).join(' or ');
  const choices = shape.oneOf ?? shape.anyOf;
  if (choices !== undefined) return [...new Set(choices.map(describeSchema))].join(' or ');
  if (shape.prefixItems !== undefined) return `[${shape.prefixItems.map(typeOf).join(', ')}]`;
  if (shape.items !== undefined) return `list of ${typeOf(withoutNull(shape.items))}`;
  const types = Array.isArray(shape.type) ? shape.type : [shape.type ?? 'anything'];
  const named = types.filter((type) => type !== 'null').join(' or ');
  return shape.format === undefined ? named : `${named} (${shape.format})`;
}

/** Zod adds the limits of safe integers, which are not worth showing. */
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function rangeOf(shape: Schema): string {
  const { exclusiveMinimum: above, exclusiveMaximum: below, maxLength } = shape;
  const isList = shape.items !== undefined && shape.prefixItems === undefined;
  const [least, most] = isList ? [shape.minItems, shape.maxItems] : [shape.minimum, shape.maximum];
  const unit = isList ? ' items' : '';
  const words = [
    isBound(least) && isBound(most) ? `${least} to ${most}${unit}` : '',
    isBound(least) && !isBound(most) ? `at least ${least}${unit}` : '',
    !isBound(least) && isBound(most) ? `at most ${most}${unit}` : '',
    isBound(above) ? `above ${above}` : '',
    isBound(below) ? `below ${below}` : '',
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
  ];
  return words.filter((word) => word !== '').join(', ');
}

/** Every optional field may be `null`; the reference states this once, not for each field. */
function withoutNull(schema: Schema): Schema {
  const choices = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const [only] = choices;
  if (schema.anyOf === undefined || only === undefined) return schema;
  return choices.length === 1 ? only : { ...schema, anyOf: choices };
}
