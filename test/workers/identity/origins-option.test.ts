// Origins of a new token: one that no browser can send is refused, with the reason.

import { describe, expect, it } from 'vitest';
import { originsOf } from '../../../workers/host/tokens/option-values.ts';

describe('originsOf', () => {
  it.each([
    ['http://*.example.com', /wildcard, and would never match/],
    ['https://a.example,https://*', /wildcard/],
    ['https://a.example/chart', /more than scheme, host and port/],
    ['https://user@a.example', /more than scheme, host and port/],
    ['https://a.example?', /more than scheme, host and port/],
    ['nowhere', /not an origin/],
    ['ftp://a.example', /not an origin/],
    ['', /not an origin/],
    ['capacitor://localhost/', /not an origin/],
  ])('rejects %j', (text, reason) => {
    expect(() => originsOf(text)).toThrow(reason);
  });

  it('returns origins as browsers send them', () => {
    const text = 'https://A.example:443/, http://localhost:8080';
    expect(originsOf(text)).toEqual(['https://a.example', 'http://localhost:8080']);
    const ofApps = ['capacitor://localhost', 'ionic://localhost', 'tauri://localhost'];
    expect(originsOf(ofApps.join(','))).toEqual(ofApps);
  });
});
