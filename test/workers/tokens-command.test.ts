// `npm run tokens`: what others script against.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPT = ['--import', 'tsx', join(ROOT, 'workers/local/tokens.ts')];
const DAY_SECONDS = 86_400;

let data: string;
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'leadline-tokens-'));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

const tokens = (...words: string[]) =>
  execFileSync(process.execPath, [...SCRIPT, ...words, '--data', data], { encoding: 'utf8' });

describe('tokens mint', () => {
  test('prints the token and nothing else', () => {
    const printed = tokens('mint', '--sub', 'me');
    expect(printed).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const claims = decodeJwt(printed.trim());
    expect(claims).toMatchObject({ sub: 'me', acc: 'me', plan: 'standard', pilot: false });
    expect(claims.exp! - claims.iat!).toBe(30 * DAY_SECONDS);
    expect(claims['scp']).not.toContain('reports:admin');
  });

  test('takes every option', () => {
    const printed = tokens(
      ...['mint', '--sub', 'me', '--account', 'acc', '--plan', 'enterprise', '--pilot', '--admin'],
      ...['--scopes', 'tiles,styles', '--origins', 'https://a.example,https://b.example/x'],
      ...['--expires', '12h'],
    );
    const claims = decodeJwt(printed.trim());
    expect(claims).toMatchObject({
      acc: 'acc',
      plan: 'enterprise',
      pilot: true,
      org: ['https://a.example', 'https://b.example'],
    });
    expect(claims['scp']).toEqual(['tiles', 'styles', 'reports:admin']);
    expect(claims.exp! - claims.iat!).toBe(DAY_SECONDS / 2);
  });

  test.each([
    [['mint'], /--sub/],
    [['mint', '--sub', 'x', '--plan', 'gold'], /standard, enterprise/],
    [['mint', '--sub', 'x', '--expires', 'soon'], /number/],
    [['mint', '--sub', 'x', '--scopes', 'tiles,all'], /no scope "all"/],
    [['mint', '--sub', 'x', '--origins', 'nowhere'], /no origin/],
  ])('refuses %j on the error output, with a code', (words, said) => {
    const ran = spawnSync(process.execPath, [...SCRIPT, ...words], { encoding: 'utf8' });
    expect(ran.status).not.toBe(0);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(said);
  });
});

describe('tokens inspect and keys', () => {
  test('tell whose key signed, before and after that key is retired', () => {
    const token = tokens('mint', '--sub', 'me').trim();
    const inspected = () => JSON.parse(tokens('inspect', token)) as { signature: string };
    expect(inspected().signature).toBe('good');
    const [first] = tokens('keys').trim().split('\n');
    const second = tokens('keys', 'rotate').trim();
    expect(tokens('keys', 'list').trim().split('\n')).toEqual([first, second]);
    expect(inspected().signature).toBe('good');
    tokens('keys', 'retire', first!);
    expect(inspected().signature).not.toBe('good');
    expect(() => tokens('keys', 'retire', second)).toThrow(/last key/);
  });
});
