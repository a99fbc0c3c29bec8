// The source files of this repository and what they import, for tests of its structure.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** All files below a folder, as paths from the root. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
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

/** What a file imports of this repository, as paths from the root; also for types and in `import()`. */
export function importsOf(path: string): string[] {
  const found = textOf(path).matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...found].map(([, to]) => relative(ROOT, resolve(ROOT, dirname(path), to!)));
}
