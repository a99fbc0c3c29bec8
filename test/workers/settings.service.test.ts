// The setting table agrees with --help, the parser and SETTINGS.md.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { serveOptions } from '../../workers/host/serve/options.ts';
import { SERVE_VARIABLES, variablesHelp } from '../../workers/host/serve/variables.ts';
import { readSettings } from '../../workers/service/runtime/env.ts';
import { SETTING_NAMES, SETTINGS } from '../../workers/service/runtime/setting-table.ts';
import { expectedValue } from '../../workers/service/runtime/setting-texts.ts';
import { type Program, scriptOf } from '../support/programs.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const UNUSUAL = {
  CONTRACT_PROFILE: 'enterprise',
  QUERY_DEFAULT_ZOOM: '9',
  TOKEN_SECRET: 's'.repeat(32),
};

/** The names that the parser reads from an environment. */
function namesRead(): Set<string> {
  const names = new Set<string>();
  const environment = new Proxy({} as Record<string, unknown>, {
    get: (_, name) => void names.add(String(name)),
  });
  readSettings(environment);
  return names;
}

test('the parser reads exactly the settings of the table', () => {
  // The host process passes its own invalid settings to the Worker in SETTING_FAULTS.
  const names = [...namesRead()].filter((name) => name !== 'SETTING_FAULTS');
  expect(names.sort()).toEqual([...SETTING_NAMES].sort());
});

test('the host passes exactly the settings of its environment to the Worker', () => {
  const { settings } = serveOptions({}, { ...UNUSUAL, PATH: '/bin' });
  expect(settings).toEqual(UNUSUAL);
  const exampleOf = (name: string) => / for example (.+)\.$/.exec(expectedValue(name))?.[1];
  const all = Object.fromEntries(SETTING_NAMES.map((name) => [name, exampleOf(name)]));
  expect(serveOptions({}, all).settings).toEqual(all);
});

test('the host passes invalid settings that have a default to the Worker, which uses the default', () => {
  const given = { maxSoundingsPerRequest: 'abc', trackGapMs: '-5', GEOJSON_MIN_ZOOM: '9' };
  const { settings } = serveOptions({}, given);
  const { maxSoundingsPerRequest, trackGapMs, geojsonMinZoom, faults } = readSettings(settings);
  expect([maxSoundingsPerRequest, trackGapMs, geojsonMinZoom]).toEqual([50_000, 300_000, 10]);
  expect([...faults].sort()).toEqual(Object.keys(given).sort());
});

test('the host names each setting of the emails that is missing, without the password', () => {
  const given = { LEADLINE_SMTP: 'smtps://charts:secret@', PUBLIC_URL: 'charts.example' };
  const names = ['PUBLIC_URL', 'LEADLINE_SMTP', 'LEADLINE_MAIL_FROM'];
  const expected = ['Invalid settings.', ...names.map((name) => expectedValue(name))].join('\n');
  expect(() => serveOptions({}, given)).toThrow(new Error(expected));
  expect(expected).not.toContain('secret');
});

const helpOf = async (program: Program, ...args: readonly string[]) => {
  const all = [scriptOf(program), ...args, '--help'];
  return (await promisify(execFile)(process.execPath, all, { cwd: ROOT })).stdout;
};

test('npm start -- --help lists every setting with its values', async () => {
  const stdout = await helpOf('workers/host/serve/start.ts');
  const missing = SETTING_NAMES.filter((name) => !new RegExp(`\\b${name}\\b`).test(stdout));
  expect(missing).toEqual([]);
  expect(stdout).toContain('MIN_DEPTH_METERS: -1000 to 0; default -20');
});

describe('the table of variables', () => {
  test('has exactly those that the options and the worker for uploads read', () => {
    const names = new Set(['LEADLINE_SYNC', 'LEADLINE_S63_LICENSED']);
    const get = (_: object, name: string | symbol) => void names.add(String(name));
    serveOptions({}, new Proxy({}, { get }));
    const own = [...names].filter(
      (name) => !SETTING_NAMES.includes(name) && name !== 'LEADLINE_KEPT_PORT',
    );
    const listed = Object.keys(SERVE_VARIABLES).flatMap((names) => names.split(', '));
    expect(listed.sort()).toEqual(own.sort());
  });

  test('is in the help of both commands and in the guide', async () => {
    expect(await helpOf('workers/host/serve/start.ts')).toContain(variablesHelp());
    expect(await helpOf('workers/host/serve/cli.ts', 'serve')).toContain(variablesHelp());
    const rows = Object.entries(SERVE_VARIABLES).map(
      ([names, meaning]) => `| \`${names.replaceAll(', ', '`, `')}\` | ${meaning} |`,
    );
    const page = readFileSync(resolve(ROOT, 'workers/host/serve/README.md'), 'utf8');
    expect(page).toContain(rows.join('\n'));
  });
});

const cell = (words: string): string => words.replaceAll('|', '\\|');

test('SETTINGS.md has a row for each setting, in the order of the table', () => {
  const rows = Object.entries(SETTINGS).map(([name, setting]) => {
    const { values, default: usual, description } = setting;
    const alias = 'alias' in setting ? setting.alias : undefined;
    const names = alias === undefined ? `\`${name}\`` : `\`${name}\` or \`${alias}\``;
    return `| ${names} | ${cell(values)} | ${cell(usual)} | ${cell(description)} |`;
  });
  const page = readFileSync(resolve(ROOT, 'workers/service/runtime/SETTINGS.md'), 'utf8');
  expect(page).toContain(rows.join('\n'));
});

describe.each(Object.entries(SETTINGS))('%s', (name, setting) => {
  test('accepts its documented default', () => {
    if (setting.defaultValue === undefined) return expect(setting.default).not.toBe('');
    const text = Object.is(typeof setting.defaultValue, 'boolean')
      ? setting.default
      : setting.default.replace(/^none$/, '');
    expect(setting.read(text)).toEqual(setting.defaultValue);
  });

  test.runIf(setting.read('Banana!') === undefined)(
    'reports an invalid value and uses the default',
    () => {
      const { faults, ...settings } = readSettings({ [name]: 'Banana!' });
      const { faults: noFaults, ...usual } = readSettings({});
      expect([faults, noFaults]).toEqual([[name], []]);
      expect(settings).toEqual(usual);
    },
  );
});

test.each([
  ['MIN_DEPTH_METERS', '-20', 'minDepthMeters', -20],
  ['MIN_DEPTH_METERS', '-100', 'minDepthMeters', -100],
  ['MIN_DEPTH_METERS', '0', 'minDepthMeters', 0],
  ['ADMIN_TOKEN_IN_QUERY', 'off', 'adminTokenInQuery', false],
  ['TRACK_GAP_MS', '1000', 'trackGapMs', 1000],
  ['maxTrackBytes', '1000', 'maxTrackBytes', 1000],
  ['GEOJSON_MIN_ZOOM', '12', 'geojsonMinZoom', 12],
] as const)('accepts %s=%s', (name, text, key, value) => {
  const settings = readSettings({ [name]: text });
  expect([settings[key], settings.faults]).toEqual([value, []]);
});

test.each([
  ['TOKEN_SECRET', 's'.repeat(31)],
  ['SATELLITE_TILE_URL', 'tiles.example/{z}/{x}/{y}.jpg'],
  ['SATELLITE_TILE_URL', 'https://tiles.example/{z}/{x}/{-y}.jpg'],
  ['SATELLITE_TILE_URL', 'https://user:key@tiles.example/{z}/{x}/{y}.jpg'],
])('rejects %s=%s, in the Worker and at the start', (name, text) => {
  const { tokenSecret, satelliteTileUrl, faults } = readSettings({ [name]: text });
  expect([tokenSecret, satelliteTileUrl, faults]).toEqual([undefined, undefined, [name]]);
  expect(() => serveOptions({}, { [name]: text })).toThrow(`${name} must be `);
});

test.each([9, 129])('rejects an INITIAL_ADMIN_PASSWORD of %i characters', (length) => {
  const serve = (characters: number) =>
    serveOptions(
      {},
      {
        INITIAL_ADMIN_EMAIL: 'jane@example.com',
        INITIAL_ADMIN_PASSWORD: 'p'.repeat(characters),
      },
    );
  expect(() => serve(length)).toThrow('INITIAL_ADMIN_PASSWORD must be ');
  expect([10, 128].map((most) => serve(most).administrator?.password.length)).toEqual([10, 128]);
});

test.each(['https://t.example/{quadkey}?key=a', 'http://{s}.t.example/{bbox-epsg-3857}'])(
  'accepts SATELLITE_TILE_URL=%s',
  (text) => expect(readSettings({ SATELLITE_TILE_URL: text }).satelliteTileUrl).toBe(text),
);

test.each([['5'], ['-1001'], ['1.5'], ['--1'], ['1e1'], ['٣']])(
  'rejects MIN_DEPTH_METERS=%s',
  (text) => {
    const { minDepthMeters, faults } = readSettings({ MIN_DEPTH_METERS: text });
    expect([minDepthMeters, faults]).toEqual([-20, ['MIN_DEPTH_METERS']]);
  },
);
