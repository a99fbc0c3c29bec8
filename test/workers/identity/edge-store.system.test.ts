// The local key-value store and the one that wrangler reaches store the given values, and a running
// service sees the changes.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type EdgeStore,
  openLocalStore,
  openWranglerStore,
} from '../../../workers/host/registry/edge-store.ts';
import { isLong } from '../../support/long-run.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const LIST = '{"tokens":["é"],\n"suspended":[]}';

const folder = scratchFolder();

/** Each wrangler command takes seconds. */
const openWithWrangler = () =>
  openWranglerStore(['--local', '--persist-to', join(folder, 'wrangler')]);

test.each<readonly [string, () => Promise<EdgeStore>]>([
  ['this machine', () => openLocalStore(join(folder, 'data'))],
  ...(isLong ? ([['wrangler', openWithWrangler]] as const) : []),
])('the store of %s returns exactly the stored values until they are deleted', async (_, open) => {
  const store = await open();
  try {
    await store.put('revoked-v1', LIST);
    expect(await store.get('revoked-v1')).toBe(LIST);
    await store.delete('revoked-v1');
    expect(await store.get('revoked-v1')).toBeUndefined();
  } finally {
    await store.close();
  }
});

test('the store before the first start is the one that the service reads, and is created by the first change', async () => {
  const data = join(folder, 'new');
  const store = await openLocalStore(data);
  expect([await store.get('revoked-v1'), existsSync(data)]).toEqual([undefined, false]);
  await store.put('revoked-v1', LIST);
  await store.close();
  expect(readdirSync(data)).toEqual(['store']);
});
