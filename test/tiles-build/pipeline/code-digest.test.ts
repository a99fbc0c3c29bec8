// Caches become invalid when the code that made their files changes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsThrough } from '../../support/kinds.ts';
import { ROOT } from '../../support/source-files.ts';

describe('codeDigest', () => {
  it('covers every file and package that a job of a build uses', () => {
    const source = readFileSync(join(ROOT, 'tiles-build/pipeline/code-digest.ts'), 'utf8');
    const named = new Set(Array.from(source.matchAll(/'([\w./-]+)'/g), ([, name]) => name!));
    const routeFiles = /\[([^\]]+)\]\.map\(\s*\(name\) => `shared\/route/.exec(source)![1]!;
    for (const [, name] of routeFiles.matchAll(/'([\w-]+)'/g)) named.add(`shared/route/${name}.ts`);
    const isDecided = (path: string): boolean =>
      named.has(path) || (path.includes('/') && isDecided(path.slice(0, path.lastIndexOf('/'))));
    const used = [...importsThrough('tiles-build/pipeline/do-job.ts')];
    const missing = used.filter((path) => !path.startsWith('node:') && !isDecided(path));
    expect(used.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });
});
