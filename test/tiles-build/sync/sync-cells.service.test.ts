// Syncs a folder of zips with a local server that injects faults.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProvenance } from '../../../tiles-build/fetch/provenance.ts';
import { CatalogueUnreadable } from '../../../tiles-build/sync/catalogue.ts';
import { readCatalogue } from '../../../tiles-build/sync/read-catalogue.ts';
import type { Selection } from '../../../tiles-build/sync/selection.ts';
import { type SyncOptions, syncFolder } from '../../../tiles-build/sync/sync-cells.ts';
import { storeZip } from '../fetch/support/store-zip.ts';
import { catalogueXml, type ListedCell, openProducer, type Producer } from './support/producer.ts';
import { cellFiles, cellZip } from './support/producer-cells.ts';

let producer: Producer;
let scratch: string;
let folder: string;
let waits: number[];
beforeEach(async () => {
  producer = await openProducer();
  scratch = mkdtempSync(join(tmpdir(), 'leadline-sync-'));
  folder = join(scratch, 'cells');
  waits = [];
});
afterEach(async () => {
  await producer.close();
  rmSync(scratch, { recursive: true, force: true });
});

const ALL: Selection = { all: true, cells: [], states: [], regions: [], districts: [], boxes: [] };
const retry = {
  idleTimeoutMs: 600_000,
  wait: async (ms: number) => void waits.push(ms),
};

async function sync(more: Partial<SyncOptions> = {}, from = `${producer.base}/ENCProdCat.xml`) {
  const catalogue = await readCatalogue(from, undefined, retry);
  return syncFolder({
    folder,
    catalogue,
    selection: ALL,
    removeUnselected: false,
    removeMany: false,
    atOnce: 3,
    now: 1_700_000_000_000,
    retry,
    ...more,
  });
}

/** Offer cells with the given edition and update, in the catalogue and as zips. */
function publish(...cells: readonly [name: string, edition: number, update?: number][]): void {
  producer.list = cells.map(
    ([name, edition, update = 0]): ListedCell => ({ name, edition, update }),
  );
  for (const [name, edition, update] of cells) {
    producer.zips.set(`${name}.zip`, cellZip(name, edition, update));
  }
}

const localZips = () =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.zip'))
    .sort();
const isHere = (name: string, edition: number, update = 0) =>
  readFileSync(join(folder, `${name}.zip`)).equals(cellZip(name, edition, update));
const zipsAsked = () => producer.asked.filter((line) => line.includes('.zip'));

it('syncFolder fetches everything at first, then only new editions, updates and cells', async () => {
  publish(['US5AA01M', 3, 1], ['US5AA02M', 1], ['US4AA03M', 2, 2]);
  expect((await sync()).fetched).toHaveLength(3);
  expect(await readProvenance(folder)).toMatchObject({ sourcedAt: 1_700_000_000_000 });
  producer.asked.length = 0;
  expect(await sync()).toMatchObject({ fetched: [], upToDateCount: 3, failures: [] });
  expect(zipsAsked()).toEqual([]);

  publish(['US5AA01M', 3, 2], ['US5AA02M', 2], ['US4AA03M', 2, 2], ['US5AA04M', 1]);
  expect([...(await sync()).fetched].sort()).toEqual(['US5AA01M', 'US5AA02M', 'US5AA04M']);
  expect(isHere('US5AA01M', 3, 2) && isHere('US5AA02M', 2)).toBe(true);
  expect(zipsAsked()).toHaveLength(3);
});

it('syncFolder reads the zips if the notes are missing, and takes over existing ones', async () => {
  publish(['US5AA01M', 3, 1], ['US5AA02M', 1]);
  await sync();
  rmSync(join(folder, 'leadline-sync.json'));
  producer.asked.length = 0;
  publish(['US5AA01M', 3, 2], ['US5AA02M', 1]);
  expect(await sync()).toMatchObject({ fetched: ['US5AA01M'], upToDateCount: 1 });
  publish(['US5AA01M', 3, 2]);
  expect((await sync()).removed).toEqual([{ name: 'US5AA02M', because: 'unlisted' }]);
});

it('syncFolder requests a cell again if an older zip was restored from a copy', async () => {
  publish(['US5AA01M', 3, 1]);
  await sync();
  writeFileSync(join(folder, 'US5AA01M.zip'), cellZip('US5AA01M', 3, 0));
  expect(await sync()).toMatchObject({ fetched: ['US5AA01M'], failures: [] });
  expect(isHere('US5AA01M', 3, 1)).toBe(true);
});

it('syncFolder removes withdrawn cells and keeps foreign files', async () => {
  publish(['US5AA01M', 3], ['US5AA02M', 1]);
  await sync();
  writeFileSync(join(folder, 'DE5OWN01.zip'), cellZip('DE5OWN01', 1));
  publish(['US5AA01M', 3]);
  producer.list = [...producer.list, { name: 'US5AA02M', status: 'Cancelled' }];
  expect((await sync()).removed).toEqual([{ name: 'US5AA02M', because: 'withdrawn' }]);
  expect(localZips()).toEqual(['DE5OWN01.zip', 'US5AA01M.zip']);
  expect(readdirSync(folder).filter((file) => file.startsWith('US5AA02M'))).toEqual([]);
});

it('syncFolder updates cells that are no longer selected, and removes them with `only`', async () => {
  publish(['US5AA01M', 1], ['US5AA02M', 1]);
  await sync();
  publish(['US5AA01M', 2], ['US5AA02M', 2]);
  const selection = { ...ALL, all: false, cells: ['us5aa01m'] };
  expect((await sync({ selection })).fetched).toHaveLength(2);
  expect((await sync({ selection, removeUnselected: true })).removed).toEqual([
    { name: 'US5AA02M', because: 'unselected' },
  ]);
});

it('syncFolder does not empty the folder if the catalogue lost most of its cells', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `US5AA${String(i).padStart(2, '0')}M`);
  publish(...names.map((name) => [name, 1] as [string, number]));
  await sync();
  publish([names[0]!, 1], [names[1]!, 2]);
  const report = await sync();
  expect(report.fetched).toEqual([names[1]]);
  expect(report.failures.join()).toContain('10 of 12 zips would be removed');
  expect(localZips()).toHaveLength(12);
  expect((await sync({ removeMany: true })).removed).toHaveLength(10);
});

describe('a download', () => {
  /** Delay a cut until the bytes sent are on disk. */
  const arrived = (name: string) => {
    let before = 0;
    producer.beforeCut = () => {
      const size = () =>
        statSync(join(folder, `${name}.zip.part`), { throwIfNoEntry: false })?.size ?? 0;
      return expect
        .poll(size, { timeout: 600_000 })
        .toBeGreaterThan(before)
        .then(() => {
          before = size();
        });
    };
  };

  it.each(['tags', 'dates'] as const)(
    'resumes after a broken connection, with versions identified by %s',
    async (naming) => {
      producer.naming = naming;
      publish(['US5AA01M', 3, 1]);
      arrived('US5AA01M');
      let cuts = 2;
      producer.decide = (name) => (name.endsWith('.zip') && cuts-- > 0 ? 'cut' : 'none');
      expect(await sync()).toMatchObject({ fetched: ['US5AA01M'], failures: [] });
      expect(isHere('US5AA01M', 3, 1)).toBe(true);
      expect(zipsAsked().slice(1)).toEqual([
        expect.stringMatching(/bytes=\d+-$/),
        expect.stringMatching(/bytes=\d+-$/),
      ]);
    },
  );

  it('starts again if the server sends no validators or does not support ranges', async () => {
    for (const [name, naming, ranges] of [
      ['US5AA01M', 'none', true],
      ['US5AA02M', 'tags', false],
    ] as const) {
      Object.assign(producer, { naming, ranges });
      publish([name, 3, 1]);
      let cuts = 1;
      producer.decide = (asked) => (asked.endsWith('.zip') && cuts-- > 0 ? 'cut' : 'none');
      expect((await sync()).fetched).toEqual([name]);
      expect(isHere(name, 3, 1)).toBe(true);
    }
  });

  it('starts again if the zip changed meanwhile', async () => {
    publish(['US5AA01M', 3, 1]);
    arrived('US5AA01M');
    const other = cellZip('US5AA01M', 3, 1, { extra: { 'ENC_ROOT/MORE.TXT': 'x' } });
    producer.decide = (name) => {
      if (!name.endsWith('.zip')) return 'none';
      if (zipsAsked().length === 1) return 'cut';
      producer.zips.set(name, other);
      return 'none';
    };
    expect(await sync()).toMatchObject({ fetched: ['US5AA01M'], failures: [] });
    expect(zipsAsked()[1]).toMatch(/bytes=/);
    expect(readFileSync(join(folder, 'US5AA01M.zip')).equals(other)).toBe(true);
  });

  it('discards parts of different versions with the same validator', async () => {
    publish(['US5AA01M', 3, 1]);
    arrived('US5AA01M');
    producer.decide = (name) => {
      if (!name.endsWith('.zip')) return 'none';
      return (['cut', 'garble'] as const)[zipsAsked().length - 1] ?? 'none';
    };
    expect((await sync()).failures).toEqual([]);
    expect(isHere('US5AA01M', 3, 1)).toBe(true);
  });

  it('waits for Retry-After and reports a server that stays busy', async () => {
    publish(['US5AA01M', 3], ['US4AA02M', 1]);
    let busy = 2;
    producer.decide = (name) => (name.endsWith('.zip') && busy-- > 0 ? 'busy' : 'none');
    expect((await sync()).fetched).toHaveLength(2);
    expect(waits).toEqual([7000, 7000]);

    publish(['US5AA01M', 4], ['US4AA02M', 1]);
    producer.decide = (name) => (name.endsWith('.zip') ? 'busy' : 'none');
    expect((await sync()).failures).toEqual([`${producer.base}/US5AA01M.zip returned status 503.`]);
    expect(isHere('US5AA01M', 3)).toBe(true);
  });
});

describe('an existing zip', () => {
  const name = 'US5AA01M';
  const bad: readonly [string, () => Buffer, RegExp][] = [
    ['half a zip', () => cellZip(name, 4).subarray(0, 900), /not a complete zip/],
    ['a page', () => Buffer.from('<html>Maintenance</html>'), /not a complete zip/],
    ['another cell', () => cellZip('US5AA02M', 4), /does not contain this cell/],
    ['an older edition', () => cellZip(name, 2), /contains 2\.0, which is older/],
    ['fewer updates', () => cellZip(name, 3, 0), /contains 3\.0, which is older/],
    [
      'a file with a wrong checksum in CATALOG.031',
      () => cellZip(name, 4, 1, { wrongSum: `${name}.001` }),
      /CRC-32 of US5AA01M\.001 differs/,
    ],
    [
      'a set without a file that CATALOG.031 lists',
      () => cellZip(name, 4, 2, { leaveOut: [`${name}.002`] }),
      /CATALOG\.031 lists US5AA01M\.002, which is missing/,
    ],
    ['updates without their base', () => updatesAlone(), /updates without their base/],
    ['a base that cannot be read', () => brokenBase(), /cannot be used/],
    [
      'a zip with a damaged byte',
      () => {
        const zip = cellZip(name, 4);
        zip[zip.indexOf('DSID') + 400]! ^= 0x20;
        return zip;
      },
      /not a complete zip.*CRC-32/,
    ],
    [
      'a zip with a path that leaves the folder',
      () => cellZip(name, 4, 0, { extra: { '../../../escaped.txt': 'out' } }),
      /not a complete zip.*relative path/,
    ],
    [
      'a zip with an absolute path',
      () => cellZip(name, 4, 0, { extra: { '/tmp/escaped.txt': 'out' } }),
      /not a complete zip.*absolute path/,
    ],
  ];
  it.each(bad)('is not replaced by %s', async (_what, zip, message) => {
    publish([name, 3, 1]);
    await sync();
    publish([name, 4]);
    producer.zips.set(`${name}.zip`, zip());
    const report = await sync();
    expect(report.fetched).toEqual([]);
    expect(report.failures).toEqual([expect.stringMatching(message)]);
    expect(isHere(name, 3, 1)).toBe(true);
    expect(readdirSync(folder).filter((file) => file.includes('.part'))).toEqual([]);
    expect(readdirSync(scratch)).toEqual(['cells']);

    // The next run succeeds with a correct zip.
    publish([name, 4]);
    expect(await sync()).toMatchObject({ fetched: [name], failures: [] });
  });

  it('is replaced despite a wrong checksum in CATALOG.031 with acceptBadChecksums', async () => {
    publish([name, 4, 1]);
    producer.zips.set(`${name}.zip`, cellZip(name, 4, 1, { wrongSum: `${name}.001` }));
    expect((await sync()).fetched).toEqual([]);
    const accepting = { acceptBadChecksums: true };
    expect(await sync(accepting)).toMatchObject({ fetched: [name], failures: [] });
    expect(await sync(accepting)).toMatchObject({ fetched: [], upToDateCount: 1, failures: [] });
  });

  const updatesAlone = () =>
    storeZip(Object.fromEntries([...cellFiles(name, 4, 1)].filter(([file]) => file.endsWith('1'))));
  const brokenBase = () =>
    storeZip({ [`${name}.000`]: cellFiles(name, 4, 0).get(`${name}.000`)!.subarray(0, 500) });

  it('is kept if the zip is missing on the server', async () => {
    publish([name, 3, 1]);
    await sync();
    publish([name, 4]);
    producer.decide = (asked) => (asked.endsWith('.zip') ? 'gone' : 'none');
    expect((await sync()).failures).toEqual([
      `${name} was not found at ${producer.base}/${name}.zip.`,
    ]);
    expect(isHere(name, 3, 1)).toBe(true);
  });

  it('is kept if it is no longer listed while other downloads fail', async () => {
    publish([name, 3], ['US5AA02M', 1]);
    await sync();
    publish(['US5AA02M', 2]);
    producer.decide = (asked) => (asked.endsWith('.zip') ? 'gone' : 'none');
    const report = await sync();
    expect([report.removed.length, report.failures.length]).toEqual([0, 2]);
    producer.decide = () => 'none';
    expect((await sync()).removed).toEqual([{ name, because: 'unlisted' }]);
  });
});

describe('a wrong catalogue', () => {
  it('fetches the available update, reports the missing one and requests it again', async () => {
    publish(['US5AA01M', 3, 1]);
    await sync();
    producer.list = [{ name: 'US5AA01M', edition: 3, update: 5 }];
    producer.zips.set('US5AA01M.zip', cellZip('US5AA01M', 3, 4));
    const lie = 'US5AA01M: the catalogue promises 3.5, but the zip contains 3.4.';
    expect(await sync()).toMatchObject({ fetched: ['US5AA01M'], failures: [lie] });
    expect(await sync()).toMatchObject({ unchanged: ['US5AA01M'], failures: [lie] });
    publish(['US5AA01M', 3, 5]);
    expect(await sync()).toMatchObject({ fetched: ['US5AA01M'], failures: [] });
  });

  it.each([
    ['is cut off', (text: string) => text.slice(0, text.length >> 1), /not well-formed XML/],
    ['is a page', () => '<!DOCTYPE html><html><body>Sorry</body></html>', /is an HTML page/],
    ['has another root element', () => '<rss><channel/></rss>', /root element is <rss>/],
    ['lists nothing', () => '<EncProductCatalog/>', /contains no cells/],
    ['is empty', () => '', /not well-formed XML|contains no cells|not a chart catalogue/],
  ])('changes nothing if it %s', async (_what, change, message) => {
    publish(['US5AA01M', 3, 1]);
    await sync();
    producer.catalogueText = change(catalogueXml(producer.list, producer.base));
    await expect(sync()).rejects.toThrow(CatalogueUnreadable);
    await expect(sync()).rejects.toThrow(message);
    expect(isHere('US5AA01M', 3, 1)).toBe(true);
  });

  it('skips cells with invalid names and addresses', async () => {
    publish(['US5AA01M', 3]);
    producer.list = [
      ...producer.list,
      { name: '../../etc/passwd' },
      { name: 'US5AA02M', location: 'file:///etc/passwd' },
      { name: 'US5AA03M', edition: 'newest' },
    ];
    producer.zips.set('US5AA03M.zip', cellZip('US5AA03M', 7));
    const { problems } = await readCatalogue(`${producer.base}/ENCProdCat.xml`, undefined);
    expect(problems).toEqual([
      'The catalogue contains an invalid cell name: "../../ETC/PASSWD".',
      'US5AA02M has an invalid or insecure address: "file:///etc/passwd".',
    ]);
    expect((await sync()).failures.join()).toMatch(/^US5AA02M has no usable address/);
    expect(localZips()).toEqual(['US5AA01M.zip', 'US5AA03M.zip']);
    // The edition of this cell is unknown, so only the server can report that it did not change.
    expect(await sync()).toMatchObject({ unchanged: ['US5AA03M'], upToDateCount: 1 });
  });

  it.each([
    ['its address is missing', { name: 'US5AA02M', location: '' }, []],
    ['a new edition has no address', { name: 'US5AA02M', edition: 2, location: '' }, [/no usable/]],
    ['its name may be the invalid one', { name: 'US5AA02MM' }, [/US5AA02M is no longer listed/]],
  ])('keeps a cell if %s', async (_what, entry, failures) => {
    publish(['US5AA01M', 3], ['US5AA02M', 1]);
    await sync();
    producer.list = [producer.list[0]!, entry];
    const messages = failures.map((text) => expect.stringMatching(text));
    expect(await sync()).toMatchObject({ removed: [], failures: messages });
  });
});

describe('an index page', () => {
  const index = () => `${producer.base}/`;

  it.each(['tags', 'dates', 'none'] as const)(
    'is synced by its links, with versions identified by %s',
    async (naming) => {
      producer.naming = naming;
      producer.zips.set('harbours.zip', storeZip(Object.fromEntries(cellFiles('ZZ5AA01M', 1, 1))));
      producer.zips.set('ZZ5AA02M.zip', cellZip('ZZ5AA02M', 1));
      expect((await sync({}, index())).fetched).toHaveLength(2);
      expect(localZips()).toEqual(['ZZ5AA02M.zip', 'harbours.zip']);
      expect(zipsAsked().join()).not.toMatch(/OTHER|FAR01/);

      producer.zips.set('ZZ5AA02M.zip', cellZip('ZZ5AA02M', 2));
      producer.zips.delete('harbours.zip');
      const report = await sync({}, index());
      expect([report.fetched, report.failures]).toEqual([['ZZ5AA02M'], []]);
      expect(report.removed).toEqual([{ name: 'harbours', because: 'unlisted' }]);
      expect(await sync({}, index())).toMatchObject({ fetched: [], unchanged: ['ZZ5AA02M'] });
    },
  );
});
