// What a token may be used for. An unknown scope in a token fails closed.

export const SCOPES = [
  'tiles',
  'styles',
  'styles:write',
  'query',
  'reports:write',
  'bathymetry:write',
  'routing',
  'reports:admin',
] as const;

export type Scope = (typeof SCOPES)[number];

export const PLANS = ['standard', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value);
}
