// The files that operators copy: the image, the compose file, the unit, the proxy, the rules and
// the dashboard. Each is read with the tool or library of its users, and compared with the output
// of the service.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { parse } from 'yaml';
import type { SupervisedPart } from '../../../workers/host/database/keep-running.ts';
import { freePort } from '../../../workers/host/database/process.ts';
import { PROGRAMS } from '../../../workers/host/serve/build.ts';
import type * as chartWorker from '../../../workers/host/serve/chart-worker.ts';
import { serveOptions } from '../../../workers/host/serve/options.ts';
import { Meters } from '../../../workers/service/standalone/meters.ts';
import { hasNginx, startNginx } from '../../support/nginx.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'workers/host/serve');
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');

describe('the Dockerfile', () => {
  const text = read('container/Dockerfile');
  const instructions = DockerfileParser.parse(text).getInstructions();
  const words = (name: string) =>
    instructions.filter((one) => one.getKeyword() === name).map((one) => one.getArgumentsContent());

  test('the Dockerfile has nothing that its linter complains of', () => {
    expect(validate(text).map(({ message, range }) => [range.start.line + 1, message])).toEqual([]);
  });

  test('the Dockerfile is of two stages, names its bases exactly, and ends as a user without rights', () => {
    expect(words('FROM')).toEqual(['node:22-bookworm-slim AS build', 'node:22-bookworm-slim']);
    expect(words('USER')).toEqual(['node']);
    expect(words('HEALTHCHECK')).toHaveLength(1);
    expect(text).not.toMatch(/ADD |curl .*\|/);
  });

  test('the Dockerfile leaves the state of a checkout outside', () => {
    const ignored = read('container/Dockerfile.dockerignore').split('\n');
    const folders = ['backups', 'charts'].map((name) => `workers/host/serve/container/${name}`);
    const own = ['.git', '**/.env', 'provisioning', ...folders];
    expect(ignored).toEqual(expect.arrayContaining(own));
    const patterns = ignored.map((one) =>
      one
        .replace(/^\*\*\//, '')
        .replaceAll('.', '\\.')
        .replaceAll('*', '.*'),
    );
    const isIgnored = (path: string) => new RegExp(`^(${patterns.join('|')})$`).test(path);
    const untracked = readFileSync(join(ROOT, '.gitignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.replace(/^\/|\/$/g, ''));
    expect(untracked).toContain('cells');
    expect(untracked.filter((path) => !isIgnored(path))).toEqual([]);
  });
});

describe('the compose file', () => {
  interface Compose {
    readonly services: Record<
      string,
      {
        readonly image?: string;
        readonly build?: { readonly context: string; readonly dockerfile: string };
        readonly depends_on?: readonly string[] | Record<string, unknown>;
        readonly volumes?: readonly string[];
        readonly ports?: readonly string[];
        readonly entrypoint?: readonly string[];
        readonly environment?: Record<string, string>;
      }
    >;
    readonly volumes: Record<string, unknown>;
  }
  const { services, volumes } = parse(read('container/compose.yaml')) as Compose;

  test('the compose file names only services, volumes and files that there are', () => {
    for (const [name, { depends_on, volumes: used, build }] of Object.entries(services)) {
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on ?? {});
      for (const other of needed)
        expect([name, Object.keys(services)]).toEqual([name, expect.arrayContaining([other])]);
      for (const one of used ?? []) {
        const from = one.split(':')[0]!;
        if (/^[a-z]+$/.test(from)) expect(Object.keys(volumes)).toContain(from);
        else if (from.startsWith('./'))
          expect(existsSync(join(FOLDER, 'container', from))).toBe(true);
      }
      if (build !== undefined) {
        const context = resolve(FOLDER, 'container', build.context);
        expect([context, existsSync(join(context, build.dockerfile))]).toEqual([ROOT, true]);
      }
    }
  });

  test('the compose file shows the proxy alone to the outside, and asks for every secret', () => {
    const open = Object.entries(services).filter(([, { ports }]) => (ports ?? []).length > 0);
    expect(open.map(([name]) => name)).toEqual(['proxy']);
    const example = read('container/example.env');
    const asked = [...read('container/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(
      ([, name]) => name!,
    );
    for (const name of new Set(asked)) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
  });

  /** The arguments of `docker compose` in its first lines. */
  const told = [...read('container/compose.yaml').matchAll(/^# +docker compose (.+)$/gm)].map(
    ([, words]) => words!.split(' '),
  );

  test('the comments of the compose file name valid commands for charts', () => {
    const [[, , , ...words]] = told.filter(([verb]) => verb === 'run') as [string[]];
    const [program, ...before] = services['workshop']!.entrypoint!;
    const inPlace = words.map((word) => word.replace(/^\/charts/, '/charts-that-are-nowhere'));
    const ran = spawnSync(program!, [...before, ...inPlace], { cwd: ROOT, encoding: 'utf8' });
    // All arguments arrived: the only error is that there are no cells.
    expect(ran.stderr).toContain('/charts-that-are-nowhere/ENC_ROOT');
    expect(ran.stderr).not.toMatch(/required option|unknown/);
  });

  test('the commands for charts in the comments use only mounted folders', () => {
    const paths = told.filter((words) => words.includes('workshop')).flat();
    const mounts = services['workshop']!.volumes!.map((one) => `${one.split(':').at(-1)}/`);
    const isMounted = (path: string) => mounts.some((mount) => path.startsWith(mount));
    expect(paths.filter((path) => path.startsWith('/') && !isMounted(path))).toEqual([]);
  });

  test('the compose file and the guide contain the commands of backup and restore', () => {
    const place = services['leadline']!.volumes!.find((one) => one.endsWith(':/backups'))!;
    expect(Object.keys(volumes).filter((name) => place.startsWith(`${name}:`))).toEqual([]);
    for (const verb of ['backup', 'restore'])
      expect(told.find((words) => words.includes(verb))?.at(-1)).toBe('/backups/2030-06-01');
    // Charts and uploads are not in a backup: they are copied before the service starts with them.
    const names = told.map((words) => words.find((word) => /^(backup|restore|cp|up)$/.test(word)));
    expect(names.slice(-6)).toEqual(['backup', 'cp', undefined, 'restore', 'cp', 'up']);
    // The unit may write to this folder only.
    const guide = read('README.md');
    expect(read('container/leadline.service')).toContain('LEADLINE_DATA=/var/lib/leadline ');
    expect(guide).toMatch(/restore \S+ --data (\S+)\n[^`]*mv \1 \/var\/lib\/leadline\n/);
  });

  test.runIf(hasNginx)('nginx and Caddy log no tokens of failed requests', async () => {
    expect(read('container/Caddyfile')).toContain('replace token REDACTED');
    const nginx = await startNginx(await freePort(0));
    const refused = await fetch(`http://127.0.0.1:${nginx.port}/a?token=secret`);
    const log = nginx.accessLog() + nginx.errorLog();
    await nginx.stop();
    expect([refused.status, log]).toEqual([502, expect.not.stringContaining('secret')]);
  });

  test('the compose file names only programs that the image contains', () => {
    const text = read('container/compose.yaml') + read('README.md');
    const named = [...text.matchAll(/dist\/node\/bin\/(\w+)\.js/g)].map(([, name]) => name!);
    expect(named).toContain('tokens');
    for (const name of named) expect(Object.keys(PROGRAMS)).toContain(name);
  });

  test('the compose file passes settings that the service reads', async () => {
    const given = Object.entries(services['leadline']!.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)(:[?-][^}]*)?\}/g, (_, variable: string) => `${variable}.example`),
    ]);
    const options = serveOptions({}, Object.fromEntries(given));
    expect(options.settings).toEqual({
      PUBLIC_URL: 'https://DOMAIN.example',
      TRUSTED_PROXIES: 'private',
      METRICS_FROM: 'private',
    });
    expect(options.databaseOwnerUrl).toContain('@postgres:5432/leadline');
  });
});

const ANALYZE = '/usr/bin/systemd-analyze';
test.runIf(existsSync(ANALYZE))('systemd finds nothing wrong with the unit', () => {
  const path = join(FOLDER, 'container/leadline.service');
  expect(execFileSync(ANALYZE, ['verify', path], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
});

describe('the chart worker of the bundled program in the unit', () => {
  const installation = scratchFolder();
  const inInstallation = (path: string) => join(installation, path);
  const options = serveOptions({ data: inInstallation('data') }, {});
  let start: () => Promise<SupervisedPart | undefined>;
  let worker: SupervisedPart | undefined;

  beforeAll(async () => {
    mkdirSync(inInstallation('migrations'));
    symlinkSync(join(ROOT, 'node_modules'), inInstallation('node_modules'));
    writeFileSync(inInstallation('package.json'), '{"type":"module"}');
    const outfile = inInstallation('dist/node/bin/part.js');
    await build({
      entryPoints: [join(ROOT, 'workers/host/serve/chart-worker.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
    });
    const { keepChartWorker } = (await import(outfile)) as typeof chartWorker;
    start = () =>
      keepChartWorker(
        options,
        () => 'postgres://127.0.0.1:9/x',
        () => undefined,
      );
  });
  afterAll(() => worker?.stop());

  test('no worker starts without the build tools', async () => {
    expect(await start()).toBeUndefined();
  });

  test('the worker starts from the sources of the checkout', async () => {
    mkdirSync(inInstallation('tiles-build'));
    const tool = `import { writeFileSync } from 'node:fs';
      writeFileSync('ran', Object.keys(process.env).join(' '));
      setInterval(() => undefined, 1000);`;
    writeFileSync(inInstallation('tiles-build/cli.ts'), tool);
    vi.stubEnv('DATABASE_OWNER_URL', 'postgres://owner:secret@127.0.0.1:9/x');
    worker = await start();
    vi.unstubAllEnvs();
    const ran = inInstallation('ran');
    await expect.poll(() => existsSync(ran) && readFileSync(ran, 'utf8')).toContain('DATABASE_URL');
    // It reads uploaded files.
    expect(readFileSync(ran, 'utf8')).not.toContain('DATABASE_OWNER_URL');
    // The system ends it first if memory runs out.
    const score = `/proc/${worker!.pid}/oom_score_adj`;
    if (existsSync(score)) expect(readFileSync(score, 'utf8')).toBe('500\n');
    expect(read('container/leadline.service')).toContain('\nOOMPolicy=continue\n');
  });
});

describe('alert rules and dashboard', () => {
  /** Names of metrics that the service has, from the text that it writes. */
  const meters = new Meters();
  const known = new Set(
    [
      ...meters.text([]).matchAll(/^# TYPE (\S+)/gm),
      ...readFileSync(join(ROOT, 'workers/service/standalone/gauges.ts'), 'utf8').matchAll(
        /'(leadline_\w+)'/g,
      ),
    ].map(([, name]) => name!),
  );
  const baseOf = (name: string) =>
    known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
  const unknownIn = (expressions: readonly string[]) =>
    expressions
      .flatMap((text) => [...text.matchAll(/leadline_\w+/g)].map(([name]) => name))
      .filter((name) => !known.has(baseOf(name)));

  test('alert rules and dashboard ask for the age of charts, not of the background, which is published once in years', () => {
    const ages = [read('watching/alerts.yml'), read('watching/grafana-dashboard.json')].map(
      (text) => [...text.matchAll(/leadline_charts_age_seconds(\{[^}]*\})?/g)].map(([, of]) => of),
    );
    expect(ages).toEqual([['{dataset!="background"}'], ['{dataset!=\\"background\\"}']]);
    const { datasets } = JSON.parse(
      readFileSync(join(inject('demoCharts'), 'manifest.json'), 'utf8'),
    ) as { datasets: { id: string }[] };
    expect(datasets.map(({ id }) => id)).toContain('background');
  });

  test('alert rules and dashboard ask for metrics that there are', () => {
    const { groups } = parse(read('watching/alerts.yml')) as {
      groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
    };
    const rules = groups.flatMap(({ rules: some }) => some);
    expect(rules.length).toBeGreaterThan(5);
    expect(
      rules.every(({ alert, expr, annotations }) => alert && expr && annotations.summary),
    ).toBe(true);
    expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
    const dashboard = JSON.parse(read('watching/grafana-dashboard.json')) as {
      panels: { id: number; targets: { expr: string }[] }[];
    };
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      unknownIn(dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))),
    ).toEqual([]);
    // Every metric is shown or watched somewhere.
    const shown = read('watching/alerts.yml') + read('watching/grafana-dashboard.json');
    const silent = [...known].filter((name) => !shown.includes(name));
    expect(silent.sort()).toEqual([
      'leadline_archive_bytes',
      'leadline_build_info',
      'leadline_part_up',
      'leadline_start_time_seconds',
    ]);
  });
});

test('the workflows are complete, and run existing commands', () => {
  const folder = join(ROOT, '.github/workflows');
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    const { on, jobs } = parse(text) as {
      on: object;
      jobs: Record<string, { if?: string; steps: { run?: string; uses?: string }[] }>;
    };
    for (const { if: condition, steps } of Object.values(jobs)) {
      // A run of a fork's pull request also completes, and has a branch of any name.
      if ('workflow_run' in on)
        expect([file, condition]).toEqual([
          file,
          "github.event_name == 'workflow_dispatch' || (github.event.workflow_run.conclusion == 'success' && " +
            "github.event.workflow_run.event == 'push' && " +
            'github.event.workflow_run.head_repository.full_name == github.repository)',
        ]);
      for (const { run, uses } of steps)
        expect([file, run ?? uses]).toEqual([file, expect.any(String)]);
    }
    for (const [, name] of text.matchAll(/npm run (?:--silent )?(\w+)/g)) {
      expect([file, Object.keys(scripts)]).toEqual([file, expect.arrayContaining([name])]);
    }
  }
});
