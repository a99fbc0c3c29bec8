// Reads the settings of an environment from `wrangler.toml`, and writes its domain and namespace id.
// The rest of the file is preserved.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export const ENVIRONMENTS = ['staging', 'production'] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

export interface Environment {
  readonly name: EnvironmentName;
  /** `undefined` while the file has a placeholder. */
  readonly domain: string | undefined;
  readonly bucket: string;
  readonly namespace: string | undefined;
}

const NOT_SET = /-not-(set\.invalid|made)$/;

/** Offset and value of a key in the tables of an environment. @throws Error if there is no such key */
function placeOf(text: string, name: EnvironmentName, key: RegExp): { at: number; value: string } {
  const lines = text.split('\n');
  let isInside = false;
  let at = 0;
  for (const line of lines) {
    const header = /^\s*\[+([\w.]+)\]+/.exec(line)?.[1];
    if (header !== undefined)
      isInside = header === `env.${name}` || header.startsWith(`env.${name}.`);
    const found = isInside ? key.exec(line) : null;
    if (found?.[1] !== undefined) {
      return { at: at + line.indexOf(`"${found[1]}"`) + 1, value: found[1] };
    }
    at += line.length + 1;
  }
  throw new Error(
    `wrangler.toml has no line that matches ${key.source} in [env.${name}]. Restore it from the repository.`,
  );
}

const DOMAIN = /pattern\s*=\s*"([^"]+)"/;
const BUCKET = /^\s*bucket_name\s*=\s*"([^"]+)"/;
const NAMESPACE = /^\s*id\s*=\s*"([^"]+)"/;

export function readEnvironment(path: string, name: EnvironmentName): Environment {
  const text = readFileSync(path, 'utf8');
  const set = (key: RegExp) => {
    const { value } = placeOf(text, name, key);
    return NOT_SET.test(value) ? undefined : value;
  };
  return {
    name,
    domain: set(DOMAIN),
    bucket: placeOf(text, name, BUCKET).value,
    namespace: set(NAMESPACE),
  };
}

export const setDomain = (path: string, name: EnvironmentName, domain: string): void =>
  replace(path, name, DOMAIN, domain);
export const setNamespace = (path: string, name: EnvironmentName, id: string): void =>
  replace(path, name, NAMESPACE, id);

function replace(path: string, name: EnvironmentName, key: RegExp, wanted: string): void {
  const text = readFileSync(path, 'utf8');
  const { at, value } = placeOf(text, name, key);
  const unfinished = `${path}.part`;
  writeFileSync(unfinished, text.slice(0, at) + wanted + text.slice(at + value.length));
  renameSync(unfinished, path);
}
