// The source files of this repository and what they import, for tests of its structure.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** All files below a folder, as paths from the root, but for those that the project makes. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'dist' || entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** TypeScript below the folders, as paths from the root. */
export function sourceFiles(folders: readonly string[]): string[] {
  return folders.flatMap(filesBelow).filter((path) => path.endsWith('.ts'));
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Imports of types are gone before anything runs. */
const TYPE_IMPORTS = /^(?:import|export) type\b[^;]*;/gm;

/** What stands in the imports of a TypeScript text, also in `import()`. */
function specifiersIn(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name!);
}

const isOfRepository = (specifier: string): boolean => /^\.{1,2}\//.test(specifier);

/** From the root of the repository. */
const pathOf = (specifier: string, importer: string): string =>
  relative(ROOT, resolve(ROOT, dirname(importer), specifier));

/** What a file imports when it runs: packages, and paths from the root. */
export function runtimeImportsOf(path: string): string[] {
  return specifiersIn(textOf(path).replace(TYPE_IMPORTS, '')).map((specifier) =>
    isOfRepository(specifier) ? pathOf(specifier, path) : specifier,
  );
}

/** What a file imports of this repository, as paths from the root; also for types. */
export function importsOf(path: string): string[] {
  return specifiersIn(textOf(path))
    .filter(isOfRepository)
    .map((specifier) => pathOf(specifier, path));
}
