// The packages of package-lock.json support the versions of Node that package.json allows, and none is
// deprecated, so that `npm ci` prints no warning.

import { satisfies, subset } from 'semver';
import { describe, expect, it } from 'vitest';
import { textOf } from './support/source-files.ts';

interface LockedPackage {
  readonly engines?: { readonly node?: string };
  readonly deprecated?: string;
}

const { packages } = JSON.parse(textOf('package-lock.json')) as {
  packages: Record<string, LockedPackage>;
};
const { '': root, ...installed } = packages;
const manifest = JSON.parse(textOf('package.json')) as { engines: { node: string } };

describe('package-lock.json', () => {
  it('requires the versions of Node that package.json requires', () => {
    expect(root!.engines).toEqual(manifest.engines);
  });

  it('contains no package that rejects a version of Node that package.json allows', () => {
    const narrower = Object.entries(installed)
      .map(([path, { engines }]) => [path, engines?.node ?? '*'] as const)
      .filter(([, range]) => !subset(manifest.engines.node, range))
      .map(([path, range]) => `${path} requires ${range}`);
    expect(narrower).toEqual([]);
  });

  it('contains no deprecated package', () => {
    const deprecated = Object.entries(installed)
      .filter(([, locked]) => locked.deprecated !== undefined)
      .map(([path, locked]) => `${path}: ${locked.deprecated}`);
    expect(deprecated).toEqual([]);
  });
});

describe('package.json', () => {
  it.each(['20.19.0', '20.20.2', '22.13.0', '24.0.0'])('allows Node %s', (version) => {
    expect(satisfies(version, manifest.engines.node)).toBe(true);
  });
});
