// Checks the names of query parameters, because a misspelt parameter would be ignored silently. Misspelt names of
// an endpoint's parameters are rejected. Other unknown names are ignored, except by strict endpoints.

import { badRequest } from '../runtime/errors.ts';
import type { AppContext, Endpoint } from './endpoint.ts';

/** Every endpoint accepts a token. */
const ALWAYS = ['token'];
const MAX_LISTED = 5;
const MAX_CHARACTERS = 40;

/** `depth_limit`, `DepthLimit` and `depthlimit` are misspellings of `depthLimit`. */
const folded = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/**
 * @throws ApiError 400 `bad_query` for a name that differs from a parameter of the endpoint only in case,
 *   hyphens or underscores, and for every unknown name if the endpoint is strict
 */
export function checkQueryNames(c: AppContext, endpoint: Endpoint): void {
  const at = c.req.raw.url.indexOf('?');
  if (at < 0) return;
  const parameters = (endpoint.parameters ?? []).filter((one) => one.in === 'query');
  const known = [...new Set([...parameters.map(({ name }) => name), ...ALWAYS])];
  const knownNames = new Map(known.map((name) => [folded(name), name]));
  const faults = [...new Set(new URLSearchParams(c.req.raw.url.slice(at + 1)).keys())].flatMap(
    (name) => {
      // Libraries add names that begin with an underscore to bypass caches.
      if (known.includes(name) || name.startsWith('_')) return [];
      const path = name.slice(0, MAX_CHARACTERS);
      const near = knownNames.get(folded(name));
      if (near !== undefined) {
        // `Token` instead of `token` gets 401 anyway.
        return ALWAYS.includes(near) ? [] : [{ path, message: `must be spelt ${near}` }];
      }
      if (endpoint.isStrict !== true) return [];
      return [
        {
          path,
          message: `is not a parameter of this endpoint, whose parameters are ${known.join(', ')}`,
        },
      ];
    },
  );
  if (faults.length === 0) return;
  const named = faults.slice(0, MAX_LISTED).map(({ path, message }) => `${path} ${message}`);
  throw badRequest('bad_query', `${named.join('. ')}.`, faults);
}
