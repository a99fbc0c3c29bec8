// One table for all settings: what --help lists, the parser takes, and SETTINGS.md tells.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { settingsFrom } from '../../workers/host/bundle/miniflare-options.ts';
import { readSettings } from '../../workers/service/runtime/env.ts';
import { SETTING_NAMES, SETTINGS } from '../../workers/service/runtime/setting-table.ts';
import { scriptOf } from '../support/programs.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const UNUSUAL = { CONTRACT_PROFILE: 'enterprise', QUERY_DEFAULT_ZOOM: '9', TOKEN_SECRET: 's' };
/** Looked at elsewhere: by the local runtime, and where tokens are verified. */
const NOT_PARSED = ['TOKEN_SECRET'];

/** Names that the parser looks at. */
function namesRead(): Set<string> {
  const names = new Set<string>();
  const environment = new Proxy({} as Record<string, unknown>, {
    get: (_, name) => void names.add(String(name)),
  });
  readSettings(environment);
  return names;
}

test('the parser looks at every setting of the table, and at nothing else', () => {
  // What the self-hosted service found wrong with its settings is told to the Worker in one, too.
  const names = [...namesRead()].filter((name) => name !== 'SETTING_FAULTS');
  expect(names.sort()).toEqual(SETTING_NAMES.filter((name) => !NOT_PARSED.includes(name)).sort());
});

test('npm start passes on every setting of its environment, and nothing else', () => {
  expect(settingsFrom({ ...UNUSUAL, PATH: '/bin', DATABASE_URL: 'x' })).toEqual(UNUSUAL);
  const all = Object.fromEntries(SETTING_NAMES.map((name) => [name, name]));
  expect(settingsFrom(all)).toEqual(all);
});

test('npm start -- --help names every setting, with what it may be', async () => {
  const words = [scriptOf('workers/host/serve/start.ts'), '--help'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: ROOT });
  const lacking = SETTING_NAMES.filter((name) => !new RegExp(`\\b${name}\\b`).test(stdout));
  expect(lacking).toEqual([]);
  expect(stdout).toContain('MIN_DEPTH_METERS: -1000 to 0; default -20');
});

const cell = (words: string): string => words.replaceAll('|', '\\|');

test('SETTINGS.md has a row for each setting, in their order', () => {
  const rows = Object.entries(SETTINGS).map(([name, setting]) => {
    const { values, default: otherwise, says } = setting;
    const or = 'or' in setting ? setting.or : undefined;
    const names = or === undefined ? `\`${name}\`` : `\`${name}\` or \`${or}\``;
    return `| ${names} | ${cell(values)} | ${cell(otherwise)} | ${cell(says)} |`;
  });
  const page = readFileSync(resolve(ROOT, 'workers/service/runtime/SETTINGS.md'), 'utf8');
  expect(page).toContain(rows.join('\n'));
});

describe.each(Object.entries(SETTINGS))('%s', (name, setting) => {
  test('what it is where nothing is said, said aloud, is no fault', () => {
    if (setting.otherwise === undefined) return expect(setting.default).not.toBe('');
    const said = Object.is(typeof setting.otherwise, 'boolean')
      ? setting.default
      : setting.default.replace(/^none$/, '');
    expect(setting.read(said)).toEqual(setting.otherwise);
  });

  test.runIf(setting.read('Banana!') === undefined && !NOT_PARSED.includes(name))(
    'another value is a fault, and leaves what it is where nothing is said',
    () => {
      const { faults, ...settings } = readSettings({ [name]: 'Banana!' });
      const { faults: none, ...usual } = readSettings({});
      expect([faults, none]).toEqual([[name], []]);
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
] as const)('%s=%s is taken', (name, text, key, value) => {
  const settings = readSettings({ [name]: text });
  expect([settings[key], settings.faults]).toEqual([value, []]);
});

test.each([['5'], ['-1001'], ['1.5'], ['--1'], ['1e1'], ['٣']])(
  'MIN_DEPTH_METERS=%s is a fault',
  (text) => {
    const { minDepthMeters, faults } = readSettings({ MIN_DEPTH_METERS: text });
    expect([minDepthMeters, faults]).toEqual([-20, ['MIN_DEPTH_METERS']]);
  },
);
