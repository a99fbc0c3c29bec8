// Errors of the commands for input that a user may give: each names the cause and the remedy.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemErrorText } from '../../shared/contract/system-error.ts';
import { runCommandLine } from '../../tiles-build/commands/command-line.ts';
import { explain, REMEDIES } from '../../workers/host/database/explain.ts';
import { runLeadline } from '../../workers/host/serve/program.ts';
import { runTokens } from '../../workers/host/tokens/program.ts';
import { captured } from '../support/captured.ts';
import { DISK_IS_FULL, FULL_DISK, runProgram } from '../support/processes.ts';

/** Texts of libraries, of JavaScript and of the operating system. */
const RAW =
  /Invalid input|, received|undefined|\[object|NaN|Error:|\bE[A-Z]{4,}\b|Unexpected |in JSON|is not iterable|Cannot read|magic number|DataView|\n\s+at /;
/** At least two sentences, or one with an example. */
const CAUSE_AND_REMEDY = /^(error: )?\S[^\n]*([.:]\s|, for example )\S[\s\S]*$/;

const folder = mkdtempSync(join(tmpdir(), 'leadline-command-errors-'));
const inFolder = (name: string) => join(folder, name);

beforeAll(() => {
  for (const name of [
    'empty',
    'broken/keys',
    'no-keys/keys',
    'folder.pmtiles',
    'backup/backup.json',
  ])
    mkdirSync(inFolder(name), { recursive: true });
  const files = {
    text: 'text',
    'manifest.json': '{',
    'other/manifest.json': '{"a":1}',
    'store/current.json': '{',
    'cut.pmtiles': 'PMTiles',
    'cut.zip': 'PK',
    'wrangler.js': `console.error('\\u001b[31mYou are not logged in.\\u001b[0m'); process.exit(1);`,
    'US5WA22M.000': 'not S-57',
    'broken/keys/signing-keys.json': '{',
    'no-keys/keys/signing-keys.json': '{"keys":[]}',
    'only-keys/keys/signing-keys.json': '{}',
    'only-keys/keys/user-tokens.json': '{}',
    'broken-backup/backup.json': '{',
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(inFolder(name), '..'), { recursive: true });
    writeFileSync(inFolder(name), content);
  }
  vi.stubEnv('DATABASE_OWNER_URL', '').stubEnv('DATABASE_URL', '').stubEnv('LEADLINE_DATA', '');
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const note = (line: string): void => void process.stderr.write(`${line}\n`);
const out = (line: string): void => void process.stdout.write(`${line}\n`);
const COMMANDS = {
  charts: (words: readonly string[]) => runCommandLine(words, { out, note, isTerminal: false }),
  tokens: runTokens,
  leadline: runLeadline,
};
const words = (line: string) =>
  line.split(' ').map((word) => (word.startsWith('@') ? inFolder(word.slice(1)) : word));

const NONE = 'postgres://127.0.0.1:9/x';
const NO_DATABASE = `--database ${NONE}`;
const LATE = { SOURCE_DATE_EPOCH: '99999999999999' };
const WRANGLER = { LEADLINE_WRANGLER: inFolder('wrangler.js') };
const UPLOADS = { DATABASE_URL: NONE, LEADLINE_S63_LICENSED: 'ON' };
const S3_KEYS = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

describe.each([
  // `@` stands for the temporary folder.
  ['charts', 1, 'build --enc @US5WA22M.000 --out @text', /text already exists and is not a folder/],
  ['charts', 1, 'build --enc @US5WA22M.000 --out @text/x', /a part of the path is a file/],
  ['charts', 1, 'build --enc @US5WA22M.000 --out @out --cache @text', /part of the path is a file/],
  ['charts', 6, 'build --enc @missing --out @out', /There is no file or folder/],
  ['charts', 6, 'build --enc @text --out @out --background @empty', /no background file/],
  ['charts', 3, 'build --enc @empty --out @out', /No cells found/],
  ['charts', 3, 'build --enc @cut.zip --out @out', /damaged or incomplete: download it again/],
  ['charts', 2, 'build --enc @text --out @out --jobs 0', /whole number from 1 to 256/],
  ['charts', 2, 'build --enc @text --out @out --processed-at yesterday', /for example 2026-01-31T/],
  ['charts', 2, 'build --enc @text --out @out --processed-at 5', /for example 2026-01-31T/],
  ['charts', 2, 'build --enc @text --out @out --processed-at 2026-02-31T00:00:00Z', /for example/],
  ...['2026-01-31', '2026-01-31T12:00Z', '2026-01-31T12:00+02:00'].map(
    (time) =>
      ['charts', 3, `build --enc @empty --out @out --processed-at ${time}`, /No cells/] as const,
  ),
  ['charts', 2, 'build --enc @empty --out @out', /from 1970 to 2099/, LATE],
  ['charts', 2, 'build --enc @empty --out @out --report @empty', /empty is a folder\. Name a file/],
  [
    'charts',
    3,
    'build --enc @empty --out @out --report /dev/full',
    /not written\. \/dev\/full cannot/,
  ],
  ['charts', 2, 'extract --bbox 0,0,1,1 --max-zoom 5 @empty', /is not a regular file/],
  [
    'charts',
    6,
    `crowd --state @state --charts @empty ${NO_DATABASE}`,
    /contains no manifest\.json/,
  ],
  [
    'charts',
    1,
    `crowd --state @text ${NO_DATABASE}`,
    /text already exists|part of the path is a file/,
  ],
  [
    'charts',
    7,
    'rollback --remote',
    /wrangler failed reading [^\n]*:\nYou are not logged in/,
    WRANGLER,
  ],
  ['charts', 2, 'inspect', /Expected a path/],
  ['charts', 2, 'inspect @cut.pmtiles 27/1/1', /z at most 26/],
  ['charts', 6, 'inspect @cut.zip', /no ENC cell\.[\s\S]*damaged or incomplete: download it again/],
  ['charts', 6, 'inspect @missing', /There is no file or folder/],
  ['charts', 4, 'inspect @cut.pmtiles', /is not a complete archive/],
  ['charts', 4, 'inspect @folder.pmtiles', /is a folder/],
  ['charts', 4, 'publish @. --store @store', /manifest.json is not JSON\. Build/],
  ['charts', 4, 'publish @other --store @store', /is not a manifest: .* is invalid\. Build/],
  ['charts', 4, 'publish @empty --store @store', /contains no manifest\.json/],
  ['charts', 1, 'rollback --store @text', /a part of the path is a file/],
  ['charts', 6, 'rollback --store @missing', /Nothing has been published/],
  ['charts', 4, 'prune --keep 2 --store @store', /current\.json is not JSON\. Build/],
  ['charts', 2, 'rollback --s3 b', /bucket name "b". Expected 3 to 63/, S3_KEYS],
  ['charts', 7, 'sync --cells @cells --all --from @missing', /missing does not exist/],
  ['charts', 7, 'sync --cells @cells --all --from @empty', /is a folder/],
  ['charts', 7, 'sync --cells @cells --all --from @text', /not well-formed XML/],
  ['charts', 2, 'sync --cells @cells --all --zips nonsense', /Expected an http or https URL/],
  ['charts', 2, 'fetch US5WA22M --out @out --noaa-url nonsense', /Expected an http or https URL/],
  ['charts', 1, 'demo --out @text', /a part of the path is a file/],
  ['charts', 7, 'work --packs @packs --queue postgres://127.0.0.1:9/x', /No server answers at 127/],
  ['charts', 2, 'rollback --store ', /--store is empty/],
  ['charts', 2, 'build --out @out --enc @text --enc ', /--enc is empty/],
  ['charts', 2, 'demo --out ', /--out is empty/],
  ['charts', 2, 'work --store @store', /S63_LICENSED must be on or off/, UPLOADS],
  ['charts', 7, 'work --store @store', /Check --database or DATABASE_URL,/, { DATABASE_URL: NONE }],
  ['tokens', 1, 'mint --unrecorded --sub ', /--sub is empty/],
  ['tokens', 1, 'mint --sub x --unrecorded --data @missing', /contains no signing keys/],
  ['tokens', 1, 'mint --sub x --unrecorded --data @text', /a part of the path is a file/],
  ['tokens', 1, 'mint --sub x --unrecorded --data @broken', /signing-keys\.json is damaged/],
  ['tokens', 1, 'mint --sub x --unrecorded --data @no-keys', /signing-keys\.json is damaged/],
  ['tokens', 1, 'mint --sub x --origins https://*.example.org', /has a wildcard/],
  ['tokens', 1, 'mint --sub x --expires 5', /for example 30d/],
  ['tokens', 1, 'audit --limit x', /whole number from 1/],
  ['tokens', 1, 'usage --from 2030-02-31', /Expected a day/],
  ['tokens', 1, 'account list', /must be a PostgreSQL URL/, { DATABASE_URL: 'nonsense' }],
  ['tokens', 1, 'account list --data @text', /is not a folder/],
  ['leadline', 1, 'backup @bk --data @missing', /no readable key file signing-keys\.json/],
  ['leadline', 1, 'backup @bk --data @only-keys', /no readable database\. Set --data/],
  ['leadline', 1, 'restore @empty', /is not a backup/],
  ['leadline', 1, 'restore @backup', /is a folder/],
  ['leadline', 1, 'restore @broken-backup', /Restore another backup/],
  ['leadline', 1, 'serve --port ', /--port is empty/],
  ['leadline', 1, 'serve', /S63_LICENSED must be on or off/, { LEADLINE_S63_LICENSED: '1' }],
  ['leadline', 1, 'serve --port 99999', /from 0 to 65535/],
  ['leadline', 1, 'backup @bk', /must be a PostgreSQL URL/, { DATABASE_OWNER_URL: 'nonsense' }],
] as const)('%s', (name, code, line, cause, variables?: Readonly<Record<string, string>>) => {
  it(`exits with ${code} and explains: ${line}`, async () => {
    for (const [variable, value] of Object.entries(variables ?? {})) vi.stubEnv(variable, value);
    const ended = await captured(() => COMMANDS[name](words(line)));
    for (const variable of Object.keys(variables ?? {})) vi.stubEnv(variable, '');
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.complaint).toMatch(cause);
    expect(ended.complaint).toMatch(CAUSE_AND_REMEDY);
    expect(ended.complaint.replaceAll(folder, '')).not.toMatch(RAW);
  });
});

describe('programs without a function to call', () => {
  const none = { DATABASE_OWNER_URL: '', DATABASE_URL: '', LEADLINE_DATA: '', LEADLINE_TOKEN: '' };
  it.each([
    ['workers/host/admin/styles.ts', 'save @missing', /does not exist/, {}],
    ['workers/host/admin/styles.ts', 'save @empty', /is a folder/, {}],
    ['workers/host/admin/styles.ts', 'save @text', /text is not a style/, {}],
    [
      'workers/host/admin/styles.ts',
      'list --url nonsense',
      /"nonsense" is not an address.* http:\/\/127\.0\.0\.1:8787/,
      { PORT: '' },
    ],
    [
      'workers/host/admin/styles.ts',
      'list',
      /Nothing answers at http:\/\/127\.0\.0\.1:9\./,
      { LEADLINE_URL: '', PORT: '9', LEADLINE_TOKEN: '0'.repeat(32) },
    ],
    [
      'workers/host/admin/styles.ts',
      'list',
      /LEADLINE_TOKEN is not a token/,
      { LEADLINE_TOKEN: 'é' },
    ],
    [
      'workers/host/admin/migrate.ts',
      '--data @text',
      /text already exists and is not a folder/,
      {},
    ],
    [
      'workers/host/admin/migrate.ts',
      '--check',
      /must be a PostgreSQL URL/,
      { DATABASE_URL: 'nonsense' },
    ],
    [
      'workers/host/admin/migrate.ts',
      '',
      /No server answers/,
      { DATABASE_URL: 'postgres://127.0.0.1:9/x' },
    ],
    ['workers/host/admin/styles.ts', 'list --url ', /--url is empty/, {}],
    ['workers/host/admin/migrate.ts', '--data ', /--data is empty/, {}],
    ['workers/host/deploy/cli.ts', '--charts ', /--charts is empty/, {}],
    ['workers/host/deploy/cli.ts', '--domain https://x/y', /Expected a host name/, {}],
  ] as const)('%s %s', async (program, line, cause, variables) => {
    const args = line === '' ? [] : words(line);
    const { code, out, complaint } = await runProgram(program, args, { ...none, ...variables });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(complaint).toMatch(cause);
    expect(complaint).toMatch(CAUSE_AND_REMEDY);
    expect(complaint.replaceAll(folder, '')).not.toMatch(RAW);
  });
});

it
  .runIf(existsSync(FULL_DISK))
  .each([['tiles-build/cli.ts'], ['workers/host/tokens/cli.ts']] as const)(
  '%s explains that its output is on a full disk',
  async (program) => {
    const ended = await runProgram(program, ['--help'], {}, '', FULL_DISK);
    expect(ended).toMatchObject({ code: 1, complaint: DISK_IS_FULL });
  },
);

describe('errors of the database and of the system', () => {
  it.each(Object.entries(REMEDIES))('%s names the cause and the remedy', (code, text) => {
    expect(text).toMatch(/^[A-Z][^.]+\. [A-Z][\s\S]+[^.]\.?$/);
    expect(explain(Object.assign(new Error('raw'), { code }))).toBe(text);
  });

  it.each(['EACCES', 'ENOSPC', 'EROFS', 'EADDRINUSE', 'ECONNRESET', 'EAI_AGAIN'])(
    '%s names the cause and the remedy',
    (code) => {
      const error = Object.assign(new Error(`${code}: raw`), { code, path: '/x', port: 80 });
      expect(systemErrorText(error)).toMatch(/^\S[^.]+\. [A-Z].*\.$/);
      expect(systemErrorText(error)).not.toMatch(RAW);
    },
  );

  it('names the target of a copy on a full disk, and a read-only disk without its own error', () => {
    const copied = { code: 'ENOSPC', path: '/source', dest: '/target' };
    expect(systemErrorText(copied)).toMatch(/^\/target cannot be written/);
    const created = { code: 'ENOENT', syscall: 'mkdir', path: '/x' };
    expect(systemErrorText(created)).toMatch(/^\/x cannot be created: the disk is read-only/);
  });
});
