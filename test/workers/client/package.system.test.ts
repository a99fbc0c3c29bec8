// The npm package of the client: its files, its dependencies, and each function against the service in
// plain Node and in workerd.

import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import ts from 'typescript';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type App, appWithClient } from '../../support/client-package.ts';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../../support/database.ts';
import type { Called } from '../../support/every-call.ts';
import { SEEN, uncalled } from '../../support/seen-calls.ts';
import { ROOT } from '../../support/source-files.ts';

let app: App;
let service: ServiceWithDatabase;
let token: string;
beforeAll(async () => {
  app = await appWithClient();
  service = await startServiceWithDatabase({ assetsDir: inject('assets') });
  token = await service.token();
});
afterAll(async () => {
  await service?.stop();
  app?.remove();
});

const inPackage = (path: string) => join(app.folder, 'node_modules/@leadline/client', path);

test('the package contains its modules and declarations, and requires MapLibre only for charts', () => {
  const other = app.packed.filter((path) => !/^dist\/(chart\/)?[\w-]+\.d\.ts$/.test(path)).sort();
  const modules = [
    'dist/chart/define.js',
    'dist/chart/index.js',
    'dist/index.js',
    'dist/portal.js',
    'dist/region.js',
  ];
  expect(other).toEqual(['README.md', 'dist/LICENSE', ...modules, 'package.json']);
  const manifest = JSON.parse(readFileSync(inPackage('package.json'), 'utf8')) as {
    peerDependencies: object;
    peerDependenciesMeta: object;
  };
  expect(Object.keys(manifest).filter((key) => /dependencies$/i.test(key))).toEqual([
    'peerDependencies',
  ]);
  expect(Object.keys(manifest.peerDependencies)).toEqual(['maplibre-gl']);
  expect(manifest.peerDependenciesMeta).toEqual({ 'maplibre-gl': { optional: true } });
  const imported = modules.map((path) => {
    const text = readFileSync(inPackage(path), 'utf8');
    const named = [...text.matchAll(/(?<![/\w])(?:from|import)\s*\(?"([^"]+)"/g)].map(
      ([, from]) => from,
    );
    return [...new Set(named)].sort();
  });
  expect(imported).toEqual([['./index.js'], ['../index.js', 'maplibre-gl'], [], [], []]);
  const sizes = modules.map((path) => gzipSync(readFileSync(inPackage(path)), { level: 9 }).length);
  expect(sizes[0]).toBeLessThan(500);
  expect(sizes[1]).toBeLessThan(15_000);
  expect(sizes[2]).toBeLessThan(10_000);
  expect(sizes[3]).toBeLessThan(4000);
  // Includes the PMTiles reader, the code that cuts tiles from their ancestors, and the periods of objects.
  expect(sizes[4]).toBeLessThan(22_000);
});

test('npm install builds the client from its folder, as the examples require', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-install-'));
  try {
    const example = join(ROOT, 'test/examples/chart-element');
    const { dependencies } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const path = resolve(example, dependencies['@leadline/client']!.replace(/^file:/, ''));
    const asked = { dependencies: { '@leadline/client': `file:${path}` } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(asked));
    copyFileSync(join(example, '.npmrc'), join(folder, '.npmrc'));
    execFileSync('npm', ['install', '--offline'], { cwd: folder, stdio: 'pipe' });
    const installed = join(folder, 'node_modules/@leadline/client');
    expect(lstatSync(installed).isSymbolicLink()).toBe(false);
    for (const path of app.packed) expect(existsSync(join(installed, path)), path).toBe(true);
    expect(app.packed).toContain('dist/index.d.ts');
    expect(app.packed).toContain('dist/chart/define.d.ts');
    expect(existsSync(join(folder, 'package-lock.json'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the chart class can be imported without DOM elements, as on servers', async () => {
  symlinkSync(join(ROOT, 'node_modules/maplibre-gl'), join(app.folder, 'node_modules/maplibre-gl'));
  const script = join(app.folder, 'server.js');
  writeFileSync(
    script,
    `import { LeadlineChart } from '@leadline/client/chart';
     console.log(LeadlineChart.observedAttributes.includes('safety-depth'));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['--preserve-symlinks', script]);
  expect(stdout.trim()).toBe('true');
});

test('TypeScript pages have types for the chart element, its properties and its events', () => {
  const source = join(app.folder, 'chart-page.ts');
  const wrong = join(app.folder, 'chart-wrong.ts');
  writeFileSync(
    source,
    `import '@leadline/client/chart/define';
     const chart = document.createElement('leadline-chart');
     chart.safetyDepth = 5;
     chart.parameters = { theme: 'dusk', textGroups: ['names'] };
     chart.addEventListener('leadline-pick', ({ detail }) => detail.results[0]?.layerId);
     chart.addEventListener('click', (event) => event.preventDefault());
     chart.map?.getZoom();
     await chart.client?.charts.attributions();`,
  );
  writeFileSync(
    wrong,
    `import '@leadline/client/chart/define';
     const chart = document.createElement('leadline-chart');
     chart.theme = 'bright';
     chart.parameters = { depth: 5 };`,
  );
  const complaints = complaintsOf([source, wrong], ['es2022', 'dom', 'dom.iterable'], []);
  expect([...complaints.keys()]).toEqual(['chart-wrong.ts']);
  expect(complaints.get('chart-wrong.ts')).toHaveLength(2);
});

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

const host = ts.createCompilerHost(options);
const parse = host.getSourceFile;
const parsed = new Map<string, ReturnType<typeof parse>>();
// The platform declarations are long and the same for all programs, so they are parsed once.
host.getSourceFile = (name, ...how) => {
  if (name.startsWith(app.folder)) return parse(name, ...how);
  if (!parsed.has(name)) parsed.set(name, parse(name, ...how));
  return parsed.get(name);
};

/** The compiler errors of apps that use the package, by file, in strict mode. */
function complaintsOf(sources: string[], lib: string[], types: string[]): Map<string, string[]> {
  const words = { ...options, lib: lib.map((name) => `lib.${name}.d.ts`), types };
  const program = ts.createProgram(sources, words, host);
  // Checks the declarations of the package too, but not those of the platforms.
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(app.folder))
    .map((file) => {
      const found = [
        ...program.getSemanticDiagnostics(file),
        ...program.getSyntacticDiagnostics(file),
      ];
      const texts = found.map((one) => ts.flattenDiagnosticMessageText(one.messageText, ' '));
      return [relative(app.folder, file.fileName), texts] as const;
    });
  return new Map(files.filter(([, texts]) => texts.length > 0));
}

test('calls of every endpoint with all optional fields, and the README, compile in a browser, and a misspelt name does not', () => {
  const snippets = [
    ...readFileSync(inPackage('README.md'), 'utf8').matchAll(
      /```(?:ts|typescript)\n([\s\S]*?)```/g,
    ),
  ];
  expect(snippets.length).toBeGreaterThan(4);
  const given = `import type { NewSoundings } from '@leadline/client';
    declare const soundings: NewSoundings['soundings'];`;
  writeFileSync(
    join(app.folder, 'readme.ts'),
    [given, ...snippets.map(([, text]) => text)].join('\n'),
  );
  writeFileSync(
    join(app.folder, 'wrong.ts'),
    `import { createClient } from '@leadline/client';
     const { charts, reports } = createClient({ address: 'https://charts.example', token: '' });
     await charts.featuresNear({ position: { lon: 1, latitude: 2 }, radius: 1 });
     await charts.style({ theme: 'bright' });
     await reports.create({ reportType: 'fog', position: { latitude: 1, longitude: 2 } });
     (await charts.route({ waypoints: [] })).distance;`,
  );
  const sources = ['every-call.ts', 'readme.ts', 'wrong.ts'].map((name) => join(app.folder, name));
  const complaints = complaintsOf(sources, ['es2022', 'dom'], []);
  expect([...complaints.keys()]).toEqual(['wrong.ts']);
  const named = complaints.get('wrong.ts')!;
  expect(named.map((text) => /'(lon|"bright"|"fog"|distance)'/.exec(text)?.[1])).toEqual([
    'lon',
    '"bright"',
    '"fog"',
    'distance',
  ]);
});

test('calls of every endpoint with all optional fields compile in Node', () => {
  expect(complaintsOf([app.calls.source], ['es2022'], ['node'])).toEqual(new Map());
});

test('every function works in plain Node', async () => {
  const script = join(app.folder, 'run.js');
  writeFileSync(
    script,
    `import { everyCall } from './every-call.js';
     console.log(JSON.stringify(await everyCall(${JSON.stringify(service.address)}, ${JSON.stringify(token)})));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const { requests, seen } = JSON.parse(stdout) as Called;
  expect(seen).toEqual(SEEN);
  const document = await (await fetch(`${service.address}/openapi.json`)).json();
  expect(uncalled(document, requests)).toEqual([]);
});

test('every function works in workerd', async () => {
  const bundle = await build({
    stdin: {
      contents: `import { everyCall } from './every-call.js';
        export default { fetch: async (request, { ADDRESS, TOKEN }) =>
          Response.json(await everyCall(ADDRESS, TOKEN)) };`,
      resolveDir: app.folder,
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const worker = new Miniflare({
    modules: true,
    script: bundle.outputFiles[0]!.text,
    compatibilityDate: '2026-01-01',
    bindings: { ADDRESS: service.address, TOKEN: token },
  });
  try {
    const answer = await worker.dispatchFetch('http://app.example/');
    const { seen } = (await answer.json()) as Called;
    expect(seen).toEqual(SEEN);
  } finally {
    await worker.dispose();
  }
});
