// Boston's cells of NOAA, uploaded as a zip: the account sees them, no other account does, and the public charts
// show again after the upload was deleted.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BOSTON_OBJECT, BOSTON_TILE, zipOfBoston } from '../../support/boston.ts';
import {
  type ChartAccount,
  chartAccount,
  startUploadService,
} from '../../support/chart-uploads.ts';
import { hasBusyCells } from '../../support/enc-data.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { type Dist, discard, makeDist, type SelfHosted } from '../../support/self-hosted.ts';

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
    (await (await account.ask(BOSTON_TILE)).text()).replace(/"requestId":"[^"]*"/, '');

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
      .toContain(BOSTON_OBJECT);
    expect(await tile(rival)).toBe(before);
    await acme.remove(upload);
    await expect.poll(() => tile(acme), { timeout: 60_000, interval: 500 }).toBe(before);
  });
});
