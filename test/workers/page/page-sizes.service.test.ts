// Bytes of JavaScript that the pages transfer, compressed with gzip. The map library is counted apart.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, inject, it } from 'vitest';

const scripts = () => {
  const folder = join(inject('assets'), 'page');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => {
      const text = readFileSync(join(folder, name));
      return { name, text: text.toString(), bytes: gzipSync(text, { level: 9 }).length };
    });
};
const ofPortal = () => scripts().filter(({ name }) => name.startsWith('portal'));
/** Names of its classes stay in its minified text. */
const isMapLibrary = ({ text }: { readonly text: string }) =>
  text.includes('maplibregl-canvas-container');

describe('the JavaScript of the portal', () => {
  it('takes at most 150 kB in all its sections together, without the map library', () => {
    const own = ofPortal().filter((script) => !isMapLibrary(script));
    expect(own.length).toBeGreaterThan(20);
    expect(own.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(150_000);
  });

  it('has the library for passkeys in a module of its own', () => {
    // A function of the browser that only this library calls.
    const [library, ...more] = ofPortal().filter(({ text }) =>
      text.includes('navigator.credentials.create'),
    );
    expect(more).toEqual([]);
    expect(library!.text).not.toContain('customElements.define');
    expect(library!.bytes).toBeLessThanOrEqual(5000);
  });

  it('has the map library once, and in no module that the start imports', () => {
    expect(ofPortal().filter(isMapLibrary)).toHaveLength(1);
    const start = ofPortal().find(({ name }) => name === 'portal.js')!;
    const imported = [...start.text.matchAll(/from"\.\/(portal-\w+\.js)"/g)].map(
      ([, name]) => name,
    );
    expect(
      ofPortal()
        .filter(isMapLibrary)
        .some(({ name }) => imported.includes(name)),
    ).toBe(false);
  });
});

describe('the JavaScript of the chart page', () => {
  it('takes at most 90 kB without the map library', () => {
    const [library] = ofPortal().filter(isMapLibrary);
    const page = scripts().find(({ name }) => name === 'chart.js')!;
    expect(page.bytes - library!.bytes).toBeLessThanOrEqual(90_000);
  });
});
