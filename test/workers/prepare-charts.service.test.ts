// Charts that are named at the start are published once.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareCharts } from '../../workers/host/serve/prepare-charts.ts';
import { chartsStore } from '../../workers/host/serve/state-folder.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const scratch = scratchFolder();

function folders() {
  const [data, charts] = ['data-', 'charts-'].map((name) => mkdtempSync(join(scratch, name)));
  const store = chartsStore(data!);
  mkdirSync(store, { recursive: true });
  const pointer = join(store, 'current.json');
  const published: string[] = [];
  const publish = async (from: string) => {
    published.push(readFileSync(join(from, 'manifest.json'), 'utf8'));
    copyFileSync(join(from, 'manifest.json'), pointer);
  };
  const build = (buildId: string) =>
    writeFileSync(join(charts!, 'manifest.json'), JSON.stringify({ buildId }));
  const notes: string[] = [];
  const start = () =>
    prepareCharts({ data: data!, charts: charts! }, publish, (note) => notes.push(note));
  return { data: data!, store, notes, pointer, published, publish, build, start };
}

test('a start publishes the charts, and later ones keep refreshes, uploads and rollbacks', async () => {
  const { pointer, published, build, start } = folders();
  build('first');
  await start();
  await start();
  expect(published).toEqual(['{"buildId":"first"}']);
  writeFileSync(pointer, 'refreshed');
  await start();
  expect(readFileSync(pointer, 'utf8')).toBe('refreshed');
  build('second');
  await start();
  expect(published).toEqual(['{"buildId":"first"}', '{"buildId":"second"}']);
  expect(readFileSync(pointer, 'utf8')).toBe('{"buildId":"second"}');
});

test('a start publishes nothing that is current already', async () => {
  const { pointer, published, build, start } = folders();
  build('first');
  writeFileSync(pointer, '{"buildId":"first"}');
  await start();
  expect(published).toEqual([]);
});

test('a start without charts needs published ones', async () => {
  const { data, pointer, publish } = folders();
  const start = () => prepareCharts({ data, charts: undefined }, publish, () => undefined);
  await expect(start()).rejects.toThrow('There are no published charts');
  writeFileSync(pointer, 'published');
  await start();
});

test('a start does not publish a build again that was rolled back, but one that was interrupted', async () => {
  const { data, store, pointer, published, notes, build, start } = folders();
  build('first');
  await start();
  // Published by another command, then rolled back.
  build('second');
  mkdirSync(join(store, 'builds/second'), { recursive: true });
  writeFileSync(join(store, 'builds/second/manifest.json'), '{}');
  writeFileSync(join(store, 'history.json'), '{"format":1,"buildIds":["first"]}');
  await start();
  expect(readFileSync(pointer, 'utf8')).toBe('{"buildId":"first"}');
  expect(notes).toEqual([expect.stringContaining('was rolled back')]);
  writeFileSync(join(data, 'charts-publishing.json'), '{"buildId":"second"}');
  await start();
  expect(published).toEqual(['{"buildId":"first"}', '{"buildId":"second"}']);
  build('first');
  mkdirSync(join(store, 'builds/first'), { recursive: true });
  writeFileSync(join(store, 'builds/first/manifest.json'), '{}');
  await start();
  expect(readFileSync(pointer, 'utf8')).toBe('{"buildId":"first"}');
});
