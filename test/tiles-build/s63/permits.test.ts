// User permits and permit files, with the examples of the standard and files of a generated data server.

import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IdentityInvalid, readIdentity, userPermit } from '../../../tiles-build/s63/identity.ts';
import { joinPermits, readPermitFile, refusedRecords } from '../../../tiles-build/s63/permits.ts';
import { dateProblems } from '../../../tiles-build/s63/unlock-cell.ts';
import { permitFilesIn } from '../../../tiles-build/uploads/licences.ts';
import { DataServer, HARDWARE_ID, SigningKey } from '../../support/s63-server.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { storeZip } from '../fetch/support/store-zip.ts';

/** Settings with the values of the standard's examples (clause 10.4). */
const settings = (manufacturerId: string, key: string, hardwareId: string) => ({
  LEADLINE_S63_M_ID: manufacturerId,
  LEADLINE_S63_M_KEY: key,
  LEADLINE_S63_HW_ID: hardwareId,
});
const EXAMPLE = 'NO4D061320000830BEB9BFE3C7C6CE68B16411FD09F96982795C77B204F54D48';
const scheme = new SigningKey();
const server = new DataServer('AA', scheme);
const other = new DataServer('BB', scheme);

const read = (text: string | Uint8Array, hardwareId: Uint8Array = HARDWARE_ID) =>
  readPermitFile(Buffer.from(text as string), 'PERMIT.TXT', hardwareId);
const codesOf = (file: ReturnType<typeof read>) =>
  [...file.refused.values()].map(({ code }) => code);

describe('the user permit', () => {
  it.each([
    ['01', '98765', '12348', '73871727080876A07E450C043031'],
    ['3031', '3938373635', '3132333438', '73871727080876A07E450C043031'],
    ['10', '10121', '12345', '66B5CBFDF7E4139D5B6086C23130'],
  ])('is that of the standard for %s, %s and %s', (id, key, hardware, expected) => {
    expect(userPermit(readIdentity(settings(id, key, hardware)))).toBe(expected);
  });

  it.each([
    ['', '98765', '12348'],
    ['01', '9876', '12348'],
    ['01', '98765', '1234G'],
    ['01', '98765', '123480000000'],
    ['0\n', '98765', '12348'],
  ])('rejects the settings %j, %j and %j without repeating them', (...values) => {
    const invalid = () => readIdentity(settings(...values));
    expect(invalid).toThrow(IdentityInvalid);
    expect(invalid).not.toThrow(/98765|1234/);
  });
});

describe('readPermitFile', () => {
  it('reads the example of the standard', () => {
    const { permits, refused } = read(EXAMPLE, Buffer.from('12348'));
    expect(refused.size).toBe(0);
    expect(permits).toMatchObject([{ cell: 'NO4D0613', expires: '20000830', dataServer: '' }]);
    expect(permits[0]!.keys.map((key) => Buffer.from(key).toString('hex'))).toEqual([
      'c1cb518e9c',
      '421571cc66',
    ]);
  });

  const records = [server.permit('US5AA01M'), server.permit('US5AA02M', { level: '1' })];
  it.each<[string, (text: string) => string | Uint8Array]>([
    ['CRLF', (text) => text],
    ['LF', (text) => text.replaceAll('\r\n', '\n')],
    ['CR', (text) => text.replaceAll('\r\n', '\r')],
    ['a byte order mark', (text) => `\uFEFF${text}`],
    ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['small letters', (text) => text.toLowerCase()],
    ['blanks', (text) => text.replaceAll('\r\n', ' \r\n\r\n')],
    ['no header', () => records.join('\n')],
    ['the form of ENC.PMT', () => records.map((record) => record.slice(0, 64)).join('\n')],
    ['no line end at the end', () => records.join('\r\n')],
    ['^Z at the end', (text) => `${text}\r\n\u001A`],
    ['repeated records', (text) => `${text}\r\n:ENC\r\n${records.join('again\r\n')}`],
  ])('accepts %s', (_, change) => {
    const { permits, refused } = read(change(server.permitFile(records).toString()));
    expect([...refused]).toEqual([]);
    expect(permits.map(({ cell }) => cell)).toEqual(['US5AA01M', 'US5AA02M']);
  });

  it('tells subscriptions, single purchases and sections apart', () => {
    const text = `:ENC\n${records.join('\n')}\n:ECS\n${server.permit('US5AA03M')}`;
    expect(
      read(text).permits.map(({ isSubscription, section }) => [isSubscription, section]),
    ).toEqual([
      [true, 'ENC'],
      [false, 'ENC'],
      [true, 'ECS'],
    ]);
  });

  const permit = server.permit('US5AA01M');
  it.each<[string, string, string[]]>([
    ['nothing', '', ['sse-11']],
    ['another text', 'SSE 11 - not a permit', ['sse-11']],
    ['a header only', ':DATE 20260101 12:00\n:VERSION 2\n:ENC\n:ECS\n', ['sse-11']],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 131 + 7) % 256)).toString('latin1'),
      ['sse-11'],
    ],
    ['a later version', `:VERSION 3\n:ENC\n${permit}`, ['sse-12']],
    ['a version that is no number', `:VERSION two\n:ENC\n${permit}`, ['sse-12']],
    ['a short record', `:ENC\n${permit.slice(1)}`, ['sse-12']],
    ['a long record', `:ENC\n0${permit}`, ['sse-12']],
    ['a path as a name', `:ENC\n../../et${permit.slice(8)}`, ['sse-12']],
    ['no day', `:ENC\n${permit.slice(0, 8)}20300231${permit.slice(16)}`, ['sse-12']],
    ['a year beyond 2^31', `:ENC\n${permit.slice(0, 8)}99999999${permit.slice(16)}`, ['sse-12']],
    ['an unknown service level', `:ENC\n${permit.replace(',0,', ',4294967296,')}`, ['sse-12']],
    ['a long data server', `:ENC\n${permit.replace(',AA,', ',AAA,')}`, ['sse-12']],
    [
      'a changed key',
      `:ENC\n${permit.slice(0, 20)}${permit[20] === '0' ? '1' : '0'}${permit.slice(21)}`,
      ['sse-13'],
    ],
    ['a later expiry', `:ENC\n${permit.replace('20301231', '20991231')}`, ['sse-13']],
    ['the permit of another cell', `:ENC\nUS5AA09M${permit.slice(8)}`, ['sse-13']],
    [
      'a permit for another system',
      `:ENC\n${server.permit('US5AA01M', { hardwareId: Buffer.from('54321') })}`,
      ['sse-13'],
    ],
  ])('reports %s', (_, text, expected) => {
    const file = read(text);
    expect(codesOf(file)).toEqual(expected);
    expect(file.permits).toEqual([]);
  });

  it('does not repeat control characters or keys in messages', () => {
    const [problem] = [...read(`:ENC\n\u001b[31m${permit}`).refused.values()];
    expect(problem?.message).not.toContain('\u001b');
    expect(problem?.message).not.toContain(permit.slice(20, 40));
  });

  it('reads a file of a hundred thousand invalid records and keeps a thousand problems', () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, i) => `US${String(i).padStart(6, '0')}garbage`,
    );
    expect(read(`:ENC\n${lines.join('\n')}`).refused.size).toBe(1000);
  });

  it('refuses a file of more than 16 MiB', () => {
    expect(codesOf(read(new Uint8Array(17 * 1024 * 1024)))).toEqual(['sse-12']);
  });
});

describe('joinPermits', () => {
  const fileOf = (date: string, ...lines: string[]) => read(server.permitFile(lines, date));

  it('reads a date with several blanks', () => {
    expect(fileOf('20260102  12:00', server.permit('US5AA01M')).date).toBe('20260102 12:00');
  });

  it('keeps the permits of several data servers for one cell', () => {
    const { of, all } = joinPermits([
      fileOf('20260101 12:00', server.permit('US5AA01M')),
      fileOf('20260102 12:00', other.permit('US5AA01M')),
    ]);
    expect(all).toHaveLength(2);
    expect(of('US5AA01M', 'AA')).toMatchObject({ dataServer: 'AA' });
    expect(of('US5AA01M', 'BB')).toMatchObject({ dataServer: 'BB' });
    expect(of('US5AA01M', undefined)).toMatchObject({ keys: { length: 2 } });
  });

  it('replaces a permit by that of a newer file, in any order, and keeps the others', () => {
    const old = fileOf('20260101 12:00', server.permit('US5AA01M'), server.permit('US5AA02M'));
    const renewed = fileOf('20260102 12:00', server.permit('US5AA01M', { expires: '20311231' }));
    for (const files of [
      [old, renewed],
      [renewed, old],
    ]) {
      const { of, all } = joinPermits(files);
      expect(all).toHaveLength(2);
      expect(of('US5AA01M', 'AA')).toMatchObject({ expires: '20311231' });
    }
  });

  it('keeps the keys of the permit that a newer one replaces, after the new ones', () => {
    const keys = (a: string, b: string) => ({ keys: [Buffer.from(a), Buffer.from(b)] as const });
    const files = ['aaaaa', 'bbbbb', 'ccccc', 'ddddd', 'eeeee', 'fffff'].map((key, i) =>
      fileOf(`2026010${i} 12:00`, server.permit('US5AA01M', keys(key, 'bbbbb'))),
    );
    const of = (...used: typeof files) =>
      joinPermits(used).all[0]!.keys.map((key) => Buffer.from(key).toString());
    expect(of(files[0]!, files[2]!)).toEqual(['ccccc', 'bbbbb', 'aaaaa']);
    expect(of(...files)).toEqual(['fffff', 'bbbbb', 'eeeee', 'ddddd', 'ccccc', 'aaaaa']);
  });

  it('does not replace a valid permit by an invalid one', () => {
    const bad = fileOf('20260102 12:00', server.permit('US5AA01M').replace('20301231', '20991231'));
    const { of } = joinPermits([fileOf('20260101 12:00', server.permit('US5AA01M')), bad]);
    expect(of('US5AA01M', 'AA')).toMatchObject({ expires: '20301231' });
    expect(joinPermits([bad]).of('US5AA01M', 'AA')).toMatchObject({ code: 'sse-13' });
  });

  it('names the missing permit, and whether the data server is unknown', () => {
    const { of } = joinPermits([fileOf('', server.permit('US5AA01M'))]);
    expect(of('US5AA02M', 'AA')).toMatchObject({
      code: 'sse-11',
      message: expect.stringContaining('AA for US5AA02M'),
    });
    expect(of('US5AA02M', 'BB')).toMatchObject({
      code: 'sse-10',
      message: expect.stringContaining('BB for US5AA02M'),
    });
    expect(joinPermits([]).of('US5AA02M', 'BB')).toMatchObject({ code: 'sse-11' });
  });
});

describe('refusedRecords', () => {
  it('drops invalid records that a valid permit replaces, unless they are newer', () => {
    const valid = server.permitFile([server.permit('US5AA01M')], '20260201 12:00');
    const codes = (cell: string, date: string) => {
      const invalid = `${server.permit(cell).slice(0, -9)}0,0,1,AA,`;
      return refusedRecords([read(server.permitFile([invalid], date)), read(valid)]).length;
    };
    expect(codes('US5AA01M', '20260101 12:00')).toBe(0);
    expect(codes('US5AA01M', '20260301 12:00')).toBe(1);
    expect(codes('US5AA02M', '20260101 12:00')).toBe(1);
  });
});

describe('permitFilesIn', () => {
  const folder = scratchFolder();

  it('refuses damaged and too large files, and reads the others', async () => {
    const good = server.permitFile([server.permit('US5AA01M')]);
    writeFileSync(join(folder, 'GOOD.PMT'), good);
    writeFileSync(join(folder, 'LARGE.PMT'), good);
    truncateSync(join(folder, 'LARGE.PMT'), 64 * 2 ** 20 + 1);
    const zip = storeZip({ 'DAMAGED.PMT': good, 'OTHER.PMT': good });
    zip[zip.indexOf(':ENC')]! ^= 1;
    writeFileSync(join(folder, 'permits.zip'), zip);
    const files = await permitFilesIn(folder, { hardwareId: HARDWARE_ID });
    expect(files.map((file) => [file.permits.length, codesOf(file)])).toEqual([
      [1, []],
      [0, ['sse-12']],
      [0, ['sse-12']],
      [1, []],
    ]);
    expect(files[1]?.refused.get('')?.message).toMatch(/LARGE\.PMT is damaged or too large$/);
  });

  const good = server.permitFile([server.permit('US5AA01M')]);
  it.each([
    ['1,000 files', 1001, good.length, 1000],
    ['32 MiB', 4, 10 * 2 ** 20, 3],
  ])('reads at most %s', async (what, count, size, read) => {
    const own = join(folder, what);
    mkdirSync(own);
    for (let i = 0; i < count; i++) {
      writeFileSync(join(own, `${i}.PMT`), good);
      truncateSync(join(own, `${i}.PMT`), size);
    }
    const files = await permitFilesIn(own, { hardwareId: HARDWARE_ID });
    expect(files.filter(({ permits }) => permits.length === 1)).toHaveLength(read);
    expect(files.at(-1)?.refused.get('')?.message).toMatch(/more than 1000 permit files/);
    expect(files).toHaveLength(read + 1);
  });

  it('reads copies of permit files, and no other texts', async () => {
    const own = join(folder, 'copies');
    mkdirSync(own);
    const names = [
      'PERMIT (1).TXT',
      'permit_gb.txt',
      'Permit2.txt',
      'a.prm',
      '._ENC.PMT',
      'PERMIT readme.txt',
      'A.TXT',
    ];
    for (const name of names) writeFileSync(join(own, name), good);
    expect(await permitFilesIn(own, { hardwareId: HARDWARE_ID })).toHaveLength(4);
  });

  it('reads zips up to the maximum number of files in all of them', async () => {
    const own = join(folder, 'zips');
    mkdirSync(own);
    for (const name of ['1.zip', '2.zip', '3.zip']) {
      writeFileSync(join(own, name), storeZip({ 'PERMIT.TXT': good, 'README.TXT': '' }));
    }
    const files = await permitFilesIn(own, { hardwareId: HARDWARE_ID }, 5);
    expect(files.map(({ permits }) => permits.length)).toEqual([1, 1, 0]);
    expect(files.at(-1)?.refused.get('')?.message).toMatch(/zips .* have more than 5 files/);
  });
});

describe('dateProblems', () => {
  const codesOn = (today: string, level = '0') => {
    const permit = joinPermits([read(server.permit('US5AA01M', { level }))]).all[0]!;
    return dateProblems(permit, today).map(({ code, severity }) => [code, severity]);
  };

  it('warns from 30 days before a subscription ends, and after its last day', () => {
    expect(codesOn('20301130')).toEqual([]);
    expect(codesOn('20301201')).toEqual([['sse-20', 'warning']]);
    expect(codesOn('20301231')).toEqual([['sse-20', 'warning']]);
    expect(codesOn('20310101')).toEqual([
      ['sse-15', 'warning'],
      ['sse-25', 'warning'],
    ]);
  });

  it('does not warn about a single purchase', () => {
    expect(codesOn('20310101', '1')).toEqual([]);
  });
});
