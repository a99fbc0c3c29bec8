// Reading manifests: only what a build wrote is accepted.

import { describe, expect, test } from 'vitest';
import { MANIFEST_FORMAT, type Manifest } from '../../../shared/chart/manifest.ts';
import { DamagedManifest, readManifest, withSum } from '../../../shared/chart/read-manifest.ts';
import { sha256 } from '../../../tiles-build/archive/file-digest.ts';
import { isLong } from '../../support/long-run.ts';
import { BYTE_HARMS, mutant } from '../../support/mutants.ts';

const MUTANTS = isLong ? 50_000 : 3000;

const archive = (tileset: string, i: number) => ({
  tileset,
  worldZoom: 0,
  minZoom: i,
  maxZoom: 10 + i,
  bytes: 1000 + i,
  tiles: 100 * i,
  parts: [`base ${`${i}`.repeat(64)} ${1000 + i} ${100 * i} ${i} ${10 + i} 8 7`],
  heads: ['UE1UaWxlcwM='],
});

const MANIFEST: Omit<Manifest, 'sum'> = {
  format: MANIFEST_FORMAT,
  buildId: 'a-build-of-two',
  schemaVersion: '1.0.0',
  bounds: [9, 49, 11, 51],
  archives: [archive('enc-v2', 1), archive('data-shoreline-v1', 2)],
  cells: [],
  datasets: [],
};

const textOf = async (manifest = MANIFEST) =>
  `${JSON.stringify(await withSum(manifest, sha256), null, 1)}\n`;

describe('readManifest', () => {
  test('returns a manifest as it was written, with its sum', async () => {
    const read = await readManifest(await textOf(), sha256);
    expect(read).toEqual(await withSum(MANIFEST, sha256));
    expect(read.sum).toMatch(/^[0-9a-f]{64}$/);
  });

  test('rejects a manifest without a sum', async () => {
    await expect(readManifest(JSON.stringify(MANIFEST), sha256)).rejects.toThrow('manifest: sum');
  });

  test('checks the sum over unknown members of a newer version too', async () => {
    const newer = { ...MANIFEST, sources: ['a', 'b'] };
    expect(await readManifest(await textOf(newer), sha256)).toEqual({
      ...MANIFEST,
      sum: (await withSum(newer, sha256)).sum,
    });
    const changed = (await textOf(newer)).replace('"b"', '"c"');
    await expect(readManifest(changed, sha256)).rejects.toThrow('does not match its sum');
  });

  test.each([
    ['is not JSON', '{"format":'],
    ['is not a manifest: format', '{}'],
    ['was written by an earlier version', '{"format": 1}'],
    ['is not a manifest: it', 'null'],
  ])('rejects a text with the reason: %s', async (message, text) => {
    await expect(readManifest(text, sha256)).rejects.toThrow(message);
    await expect(readManifest(text, sha256)).rejects.toThrow(DamagedManifest);
  });

  test('rejects a manifest in which one archive has the numbers of another', async () => {
    const [one, other] = MANIFEST.archives as [Manifest['archives'][0], Manifest['archives'][0]];
    const { sum } = await withSum(MANIFEST, sha256);
    const mixed = { ...MANIFEST, archives: [{ ...other, tileset: one.tileset }, other], sum };
    await expect(readManifest(JSON.stringify(mixed), sha256)).rejects.toThrow(
      'does not match its sum',
    );
  });

  test(`rejects damaged manifests or reads the same content (${MUTANTS} mutants)`, async () => {
    const text = Buffer.from(await textOf());
    const whole = await withSum(MANIFEST, sha256);
    let refused = 0;
    for (let number = 0; number < MUTANTS; number++) {
      const { harm, bytes } = mutant(text, BYTE_HARMS, number);
      const read = await readManifest(Buffer.from(bytes).toString(), sha256).catch(
        (error: unknown) => {
          expect(error).toBeInstanceOf(DamagedManifest);
          return undefined;
        },
      );
      if (read === undefined) {
        refused++;
        continue;
      }
      expect(read, `mutant ${number}, ${harm}`).toEqual(whole);
    }
    expect(refused).toBeGreaterThan(MUTANTS / 2);
  });
});
