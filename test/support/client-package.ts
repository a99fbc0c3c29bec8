// Packs the client with npm and unpacks it into an empty project.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { ROOT } from './source-files.ts';

export interface App {
  readonly folder: string;
  /** Paths in the package. */
  readonly packed: readonly string[];
  /** The calls of every-call.ts in this project: as they stand there, and without types. */
  readonly calls: { readonly source: string; readonly script: string };
  remove(): void;
}

/** A project that contains only the package and the calls of every-call.ts. */
export async function appWithClient(): Promise<App> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-app-'));
  const at = join(folder, 'node_modules/@leadline/client');
  mkdirSync(at, { recursive: true });
  const words = ['pack', '--json', '--pack-destination', folder];
  const told = execFileSync('npm', words, {
    cwd: join(ROOT, 'workers/web/client'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // What the package's own script prints comes before.
  const [pack] = JSON.parse(told.slice(told.search(/^\[/m))) as [
    { filename: string; files: { path: string }[] },
  ];
  execFileSync('tar', ['-xzf', join(folder, pack.filename), '-C', at, '--strip-components=1']);
  const source = readFileSync(join(ROOT, 'test/support/every-call.ts'), 'utf8').replace(
    /'[^']*workers\/web\/client\/index\.ts'/,
    "'@leadline/client'",
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const calls = { source: join(folder, 'every-call.ts'), script: join(folder, 'every-call.js') };
  writeFileSync(calls.source, source);
  writeFileSync(calls.script, (await transform(source, { loader: 'ts' })).code);
  return {
    folder,
    packed: pack.files.map(({ path }) => path),
    calls,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
