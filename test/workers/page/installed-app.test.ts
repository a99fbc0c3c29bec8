// What an installed app stores on the device, because it opens without the fragment of the link.

import { beforeEach, expect, test, vi } from 'vitest';
import {
  forgetInstalled,
  linkToUse,
  rememberLink,
  rememberWhenInstalled,
  tokenToUse,
} from '../../../workers/web/chart/offline/installed-token.ts';

const LINK = '#at=14.00/-29.98700/-19.98800&depthLimit=10&depthUnits=feet';

let isInstalled = true;
let installed = () => {};
const stored = new Map<string, string>();

beforeEach(() => {
  isInstalled = true;
  stored.clear();
  vi.stubGlobal('matchMedia', () => ({ matches: isInstalled }));
  vi.stubGlobal('addEventListener', (_: string, listen: () => void) => {
    installed = listen;
  });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});

/** The app writes its link while it is used. */
function use(hash: string): void {
  vi.stubGlobal('location', { hash });
  rememberLink();
}

test('opens at the last place with the last choices', () => {
  use(`${LINK}&token=one`);
  expect(Object.fromEntries(new URLSearchParams(linkToUse('').slice(1)))).toEqual({
    at: '14.00/-29.98700/-19.98800',
    depthLimit: '10',
    depthUnits: 'feet',
  });
});

test('uses the choices of a link that has any', () => {
  use(`${LINK}&token=one`);
  expect(linkToUse('#depthLimit=5')).toBe('#depthLimit=5');
});

test('keeps the choices when the token is rejected and replaced', () => {
  use(`${LINK}&token=one`);
  tokenToUse('one');
  forgetInstalled();
  expect(tokenToUse('')).toBe('');
  expect([...stored.values()].join()).not.toContain('one');
  expect(linkToUse('#token=two')).toContain('depthLimit=10');
});

test('stores the token and the choices of the tab that installs it', () => {
  isInstalled = false;
  use(`${LINK}&token=one`);
  expect(stored.size).toBe(0);
  rememberWhenInstalled('one');
  installed();
  isInstalled = true;
  expect(tokenToUse('')).toBe('one');
  expect(linkToUse('')).toContain('depthLimit=10');
});

test('stores nothing for a tab', () => {
  isInstalled = false;
  use(`${LINK}&token=one`);
  tokenToUse('one');
  expect([stored.size, linkToUse('')]).toEqual([0, '']);
});
