// Every name that GDAL reads in the real cells is found by typing it, and by the beginning of its last
// word with its first.

import { beforeAll, describe, expect, test } from 'vitest';
import type { NamesAnswer } from '../../shared/contract/names.ts';
import { plainName } from '../../shared/names/name-text.ts';
import { findCells, loadCell } from '../../tiles-build/exchange-set/exchange-set.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { hasBusyCells } from '../support/enc-data.ts';
import { hasGdal, readWithGdal } from '../support/gdal.ts';
import { realCells, realCharts } from '../support/real-charts.ts';

describe.runIf(hasBusyCells && hasGdal)('names of busy waters', () => {
  let app: DirectApp;
  /** By plain text. */
  const named = new Map<string, { readonly name: string; readonly acronym: string }>();

  beforeAll(async () => {
    app = await freshApp(await realCharts());
    const { cells } = await findCells(realCells('busy'));
    for (const source of cells) {
      for (const { acronym, attributes, wkb } of readWithGdal(await loadCell(source))) {
        const name = attributes['OBJNAM'] ?? '';
        const plain = plainName(name);
        if (wkb === '' || plain === '' || /^[MC$]_/.test(acronym)) continue;
        named.set(plain, { name, acronym });
      }
    }
  });

  const ask = async (text: string): Promise<NamesAnswer> => {
    const response = await app.fetch(`/api/v1/names?limit=50&q=${encodeURIComponent(text)}`, {
      headers: { authorization: `Bearer ${app.token}` },
    });
    expect(response.status).toBe(200);
    return (await response.json()) as NamesAnswer;
  };

  test('the names that GDAL reads are all found by typing them', async () => {
    expect(named.size).toBeGreaterThan(500);
    const missing: string[] = [];
    for (const [plain, { name, acronym }] of named) {
      const { names } = await ask(name.slice(0, 100));
      if (!names.some((one) => plainName(one.name) === plain)) missing.push(`${acronym} ${name}`);
    }
    expect(missing).toEqual([]);
  });

  test('the names that GDAL reads are found by parts of their words in another order', async () => {
    const missing: string[] = [];
    for (const [plain, { name }] of named) {
      const words = plain.split(' ').filter((word) => word.length > 3);
      if (words.length < 2) continue;
      const typed = `${words.at(-1)!.slice(0, 4)} ${words[0]}`;
      const { names, isComplete } = await ask(typed);
      const found = names.some((one) => plainName(one.name) === plain);
      if (!found && isComplete) missing.push(`${typed}: ${name}`);
    }
    expect(missing).toEqual([]);
  });
});
