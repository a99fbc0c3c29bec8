// The OpenAPI document in version 3.0, for a generator that cannot read 3.1. Only keywords that the document uses
// are converted. Values with several possible types can have any type, because the generator cannot read
// alternatives.

type Schema = Readonly<Record<string, unknown>>;

/** @param document OpenAPI 3.1 as JSON */
export function inOpenApi30(document: string): string {
  const converted = JSON.parse(document, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? converted30(value as Schema)
      : value,
  );
  return JSON.stringify({ ...converted, openapi: '3.0.3' });
}

/** A schema, or any other object, which stays as it is. */
function converted30(schema: Schema): Schema {
  const {
    const: only,
    propertyNames: _names,
    exclusiveMinimum,
    'x-code-samples': _samples,
    ...others
  } = schema;
  return withoutNull({
    ...others,
    // The generator writes `false` into Python for a Boolean constant.
    ...(only === undefined || typeof only === 'boolean' ? {} : { enum: [only] }),
    ...(typeof exclusiveMinimum === 'number'
      ? { minimum: exclusiveMinimum, exclusiveMinimum: true }
      : {}),
  });
}

/** `nullable` instead of the type null; no type instead of several types. */
function withoutNull({ type, anyOf, oneOf: _alternatives, ...others }: Schema): Schema {
  const types = Array.isArray(type) ? type.map((one) => ({ type: one })) : undefined;
  const given = types ?? (Array.isArray(anyOf) ? (anyOf as Schema[]) : undefined);
  if (given === undefined) return { ...others, ...(type === undefined ? {} : { type }) };
  const kept = given.filter((one) => one['type'] !== 'null');
  const values = Array.isArray(others['enum'])
    ? { enum: others['enum'].filter((one) => one !== null) }
    : {};
  const [only] = kept;
  return {
    ...others,
    ...values,
    ...(kept.length < given.length && { nullable: true }),
    ...(kept.length === 1 && (types ? only : { allOf: [only] })),
  };
}
