// Styles of `provisioning/styles`: saved at the start, unchanged by later starts, and a malformed file ends
// the start. `serve.system.test.ts` starts a service with such a folder.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  readProvisionedStyles,
  saveProvisionedStyles,
} from '../../../workers/host/serve/provisioning.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const folder = scratchFolder();
const put = (name: string, content: unknown) => {
  mkdirSync(join(folder, 'styles'), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, 'styles', name), text);
};
beforeEach(() => rmSync(join(folder, 'styles'), { recursive: true, force: true }));

describe('readProvisionedStyles', () => {
  it('reads every style, by the name in the file or of the file', () => {
    expect(readProvisionedStyles(join(folder, 'none'))).toEqual([]);
    put('Wheelhouse.json', { theme: 'night', parameters: { settings: { depthLimit: 4 } } });
    put('a.json', { name: 'Deep', parameters: { colors: {}, theirs: 1 } });
    put('notes.txt', 'not a style');
    expect(readProvisionedStyles(folder).map(({ name, baseTheme }) => [name, baseTheme])).toEqual([
      ['Wheelhouse', 'night'],
      ['Deep', 'day'],
    ]);
  });

  it.each([
    ['{"name":', 'is not a JSON object'],
    ['[]', 'is not a JSON object'],
    [{ parameters: { settings: { depthLimit: '3' } } }, 'parameters.settings.depthLimit must be'],
    [
      { parameters: { settings: { depthlimit: 3 } } },
      'parameters.settings.depthlimit must be spelt',
    ],
    ['{"parameters":{"a":12345678901234567890}}', 'more digits'],
  ])('rejects %j and names the file', (content, reason) => {
    put('good.json', {});
    put('wrong.json', content);
    const read = () => readProvisionedStyles(folder);
    expect(read).toThrow(join(folder, 'styles', 'wrong.json'));
    expect(read).toThrow(reason);
  });

  it('rejects two files with one name', () => {
    put('a.json', { name: 'Same' });
    put('b.json', { name: 'Same' });
    expect(() => readProvisionedStyles(folder)).toThrow(/b\.json has the same name as .*a\.json/);
  });
});

describe('saveProvisionedStyles', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database?.stop());
  const save = () =>
    saveProvisionedStyles(database.ownerUrl, 'harbour', readProvisionedStyles(folder));
  const rows = async () =>
    (await database.query('SELECT * FROM saved_style ORDER BY name')).rows as {
      id: string;
      updated_at: string;
    }[];

  it('creates styles once, and changes only those whose file changed', async () => {
    put('a.json', { parameters: { settings: { depthLimit: 4 } } });
    put('b.json', { baseTheme: 'dusk' });
    await save();
    const first = await rows();
    expect(first).toMatchObject([
      { account_id: 'harbour', name: 'a', parameters: { settings: { depthLimit: 4 } } },
      { account_id: 'harbour', name: 'b', base_theme: 'dusk' },
    ]);
    await save();
    expect(await rows()).toEqual(first);
    put('a.json', { parameters: { settings: { depthLimit: 5 } } });
    await save();
    const [a, b] = await rows();
    expect(a).toMatchObject({ id: first[0]!.id, parameters: { settings: { depthLimit: 5 } } });
    expect(Number(a!.updated_at)).toBeGreaterThan(Number(first[0]!.updated_at));
    expect(b).toEqual(first[1]);
  });
});
