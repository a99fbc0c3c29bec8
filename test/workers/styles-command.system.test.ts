// `npm run styles`: saved styles from a terminal, against a running service.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import { DISK_IS_FULL, FULL_DISK, runProgram } from '../support/processes.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

let service: ServiceWithDatabase;
const folder = scratchFolder();
beforeAll(async () => {
  service = await startServiceWithDatabase();
  // The keys of a service on this machine, where the command looks for them.
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'keys', 'signing-keys.json'), JSON.stringify(service.keys));
});
afterAll(() => service?.stop());

const styles = (words: readonly string[], input = '', url = service.address) =>
  runProgram(
    'workers/host/admin/styles.ts',
    words,
    { LEADLINE_URL: url, LEADLINE_TOKEN: '' },
    input,
  );
const mine = (...words: string[]) => styles(['--data', folder, ...words]);

test('saves, replaces, lists, shows, renames and deletes', async () => {
  const file = join(folder, 'style.json');
  const style = { name: 'Deep', baseTheme: 'dusk', parameters: { settings: { depthLimit: 12 } } };
  writeFileSync(file, JSON.stringify(style));
  const saved = JSON.parse((await mine('save', file)).out);
  expect(saved).toMatchObject(style);

  const deeper = { ...style, parameters: { settings: { depthLimit: 20 } } };
  const replaced = await styles(['--data', folder, 'save', '-'], JSON.stringify(deeper));
  expect(JSON.parse(replaced.out)).toMatchObject({ id: saved.id, ...deeper });
  expect((await mine('list', '--url', `${service.address}/`)).out).toBe(
    `${saved.id}  dusk   Deep\n`,
  );

  expect(JSON.parse((await mine('rename', 'Deep', 'Deeper')).out).name).toBe('Deeper');
  expect(JSON.parse((await mine('show', saved.id)).out)).toMatchObject({
    ...deeper,
    name: 'Deeper',
  });
  expect((await mine('delete', 'Deeper')).code).toBe(0);
  expect((await mine('list')).out).toBe('');
});

test('the styles command reports each fault of a style and its place', async () => {
  const body = '{"name": "x", "parameters": {"settings": {"depthLimit": "3"}}}';
  const { code, out, complaint } = await styles(['--data', folder, 'save', '-'], body);
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toContain('parameters.settings.depthLimit');
});

test('the styles command reports a missing style and a service that does not respond, and prints its help', async () => {
  const [missing, unreachable, help] = await Promise.all([
    mine('show', 'Nothing'),
    styles(['--data', folder, 'list'], '', 'http://127.0.0.1:9'),
    mine('--help'),
  ]);
  expect([missing.code, missing.complaint]).toEqual([
    1,
    'There is no style Nothing. To list the styles: npm run styles -- list\n',
  ]);
  expect([unreachable.code, unreachable.complaint]).toEqual([
    1,
    'Nothing answers at http://127.0.0.1:9. Start it with npm start, or set LEADLINE_URL.\n',
  ]);
  expect(help.code).toBe(0);
  for (const word of ['list', 'show', 'save', 'rename', 'delete', 'LEADLINE_TOKEN']) {
    expect(help.out).toContain(word);
  }
});

test.runIf(existsSync(FULL_DISK))('styles and migrate fail if their disk is full', async () => {
  const { code } = await styles(['--data', folder, 'save', '-'], '{"name":"Full"}');
  expect(code).toBe(0);
  const environment = { LEADLINE_URL: service.address, LEADLINE_TOKEN: '' };
  const listing = ['--data', folder, 'list'];
  const full = { code: 1, complaint: DISK_IS_FULL };
  expect(
    await runProgram('workers/host/admin/styles.ts', listing, environment, '', FULL_DISK),
  ).toMatchObject(full);
  const database = { DATABASE_OWNER_URL: service.database.ownerUrl };
  expect(
    await runProgram('workers/host/admin/migrate.ts', [], database, '', FULL_DISK),
  ).toMatchObject(full);
});
