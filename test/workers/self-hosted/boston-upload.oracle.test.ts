// Boston's cells of NOAA, uploaded as a zip: the account sees them, no other account does, and the public charts
// show again after the upload was deleted.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipDirectory, zipFiles } from '../../../shared/region/stored-zip.ts';
import {
  type ChartAccount,
  chartAccount,
  startUploadService,
} from '../../support/chart-uploads.ts';
import { encData, hasBusyCells } from '../../support/enc-data.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { type Dist, discard, makeDist, type SelfHosted } from '../../support/self-hosted.ts';

/** Inner and outer harbour. */
const CELLS = ['US5MA11M', 'US5MA12M'];
/** Long Wharf. */
const TILE = '/api/v2/tiles/data-geojson-v1/14/4958/6059.json';

/** The exchange set as its producer delivers it, with updates. */
function zipOfBoston(): Uint8Array {
  const files = CELLS.flatMap((cell) =>
    readdirSync(encData('ENC_BUSY', cell), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }): [string, Uint8Array] => [
        `ENC_ROOT/${cell}/${name}`,
        readFileSync(join(parentPath, name)),
      ]),
  );
  const { bytes, members } = zipFiles(files);
  return Buffer.concat([bytes, zipDirectory(members, bytes.length)]);
}

const scratch = scratchFolder();
let dist: Dist;
let service: SelfHosted;
let acme: ChartAccount;
let rival: ChartAccount;
beforeAll(async () => {
  if (!hasBusyCells) return;
  dist = await makeDist();
  service = await startUploadService(dist, scratch);
  const open = async (account: string) =>
    chartAccount(service.address, await service.token({ account }));
  [acme, rival] = [await open('acme'), await open('rival')];
});
afterAll(async () => {
  if (service !== undefined) await discard(service, service.data);
  dist?.remove();
});

describe.runIf(hasBusyCells)('Boston as a zip', () => {
  const tile = async (account: ChartAccount): Promise<string> =>
    (await (await account.ask(TILE)).text()).replace(/"requestId":"[^"]*"/, '');

  test('is in the charts of the account until the upload is deleted', async () => {
    const before = await tile(acme);
    const { upload, job } = await acme.process({ name: 'boston.zip', bytes: zipOfBoston() });
    expect(job.result?.message).toBe('2 cells are part of the charts.');
    expect(upload.cells.map(({ name, update }) => [name, update])).toEqual([
      ['US5MA11M', 3],
      ['US5MA12M', 0],
    ]);
    await expect
      .poll(() => tile(acme), { timeout: 60_000, interval: 500 })
      .toContain('"US5MA11M.550.');
    expect(await tile(rival)).toBe(before);
    await acme.remove(upload);
    await expect.poll(() => tile(acme), { timeout: 60_000, interval: 500 }).toBe(before);
  });
});
