// The file name states the kind of a test: `name.test.ts` is a unit test, and `name.service.test.ts`,
// `name.system.test.ts`, `name.oracle.test.ts` and `name.browser.test.ts` are of the kind that they name.
// Each kind is a Vitest project with its own set-up. The imports of a test decide which kind it needs.

import { runtimeImportsOf, textOf } from './source-files.ts';

/** From the least demanding kind to the most. Each kind may use what the previous kinds may use. */
export const KINDS = ['unit', 'service', 'system', 'oracle', 'browser'] as const;
export type Kind = (typeof KINDS)[number];

/** Stands for `inject('…')`, which uses data prepared before the run. */
const PREPARED = "inject('…')";

/** Imports that the previous kinds may not have: packages, and paths from the root. */
export const ALLOWED_FROM: Readonly<Record<Kind, readonly string[]>> = {
  unit: [],
  service: [
    PREPARED,
    'miniflare',
    'test/support/miniflare.ts',
    'pg',
    'node:child_process',
    'node:http',
    'node:net',
    // A whole build starts threads and takes seconds.
    'tiles-build/pipeline/build-charts.ts',
  ],
  // The imports are those of a service test, but these tests kill processes, fill disks or run whole
  // commands, which is slow.
  system: [],
  oracle: ['test/support/enc-data.ts', 'test/support/gdal.ts', 'test/support/python-client.ts'],
  browser: ['test/support/browser.ts', 'playwright-core'],
};

/** Additional imports that are allowed in an undemanding kind, because they only take a long time. */
const LONG_RUN = 'test/support/long-run.ts';

/** The kind of a test file, by its name. */
export function kindOf(path: string): Kind {
  const named = /\.([a-z]+)\.test\.ts$/.exec(path)?.[1];
  return KINDS.find((kind) => kind === named) ?? 'unit';
}

/** The glob patterns for the files of a kind. */
export function filesOfKind(kind: Kind): { include: string[]; exclude: string[] } {
  const named = (one: Kind) => `test/**/*.${one}.test.ts`;
  return kind === 'unit'
    ? { include: ['test/**/*.test.ts'], exclude: KINDS.slice(1).map(named) }
    : { include: [named(kind)], exclude: [] };
}

/** Loads `pg` only if a binding exists, which unit tests do not set. */
const LOADS_LATER = { path: 'workers/service/db/hyperdrive.ts', name: 'pg' } as const;

const importsOfFiles = new Map<string, readonly string[]>();

/** All imports of a file: packages, and paths from the root. */
function importsOf(path: string): readonly string[] {
  const known = importsOfFiles.get(path);
  if (known !== undefined) return known;
  const isLater = (name: string) => path === LOADS_LATER.path && name === LOADS_LATER.name;
  const imports = runtimeImportsOf(path).filter((name) => !isLater(name));
  if (/\binject\('\w/.test(textOf(path))) imports.push(PREPARED);
  importsOfFiles.set(path, imports);
  return imports;
}

/** The imports of a file, direct or through other files of the project. */
export function importsThrough(path: string): ReadonlySet<string> {
  const found = new Set([path]);
  // Iterating over a set includes items that are added during the iteration.
  for (const one of found) {
    if (!one.endsWith('.ts')) continue;
    for (const name of importsOf(one)) found.add(name);
  }
  return found;
}

/**
 * The problem with the kind in the name of a test; undefined if there is no problem.
 *
 * @param path of the test file, from the root
 */
export function kindProblem(path: string): string | undefined {
  const imports = importsThrough(path);
  const found = [...KINDS]
    .reverse()
    .map((kind) => ({ kind, because: ALLOWED_FROM[kind].find((name) => imports.has(name)) }))
    .find(({ because }) => because !== undefined);
  const needed = found?.kind ?? 'unit';
  const named = kindOf(path);
  if (named === needed) return undefined;
  if (KINDS.indexOf(named) < KINDS.indexOf(needed)) {
    return `${path} imports ${found!.because}: name it ${nameAs(path, needed)}`;
  }
  if (named === 'system' && needed === 'service') return undefined;
  if (named === 'oracle' && imports.has(LONG_RUN)) return undefined;
  return `${path} needs nothing of a ${named} test: name it ${nameAs(path, needed)}`;
}

const nameAs = (path: string, kind: Kind): string =>
  path
    .split('/')
    .at(-1)!
    .replace(/(\.[a-z]+)?\.test\.ts$/, kind === 'unit' ? '.test.ts' : `.${kind}.test.ts`);
