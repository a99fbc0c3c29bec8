// The client in a page of another origin. The browser restricts every request to the CORS rules of
// the service.

import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import type { Called } from '../support/every-call.ts';
import { type SecondOrigin, serveFiles } from '../support/second-origin.ts';
import { SEEN } from '../support/seen-calls.ts';

const SCRIPT = `
import { openOutbox, createClient } from '../../workers/web/client/index.ts';
import { everyCall } from '../support/every-call.ts';
globalThis.everyCall = everyCall;
globalThis.sendTwice = async (address, token) => {
  // As two tabs, over the one storage that they share.
  const tabs = [0, 1].map(() => openOutbox(createClient({ address, token }), localStorage));
  await Promise.all(tabs.flatMap((tab) => [1, 2, 3].map((latitude) =>
    tab.addReport({ reportType: 'weather', position: { latitude, longitude: 0 } }))));
  const results = await Promise.all(tabs.map((tab) => tab.send()));
  return [results.map(({ stoppedBy, refused }) => [stoppedBy?.message, refused]),
    await tabs[0].entries(), Object.keys(localStorage)];
};
globalThis.ready = true;
`;

describe.runIf(browserPath !== undefined)('the client in a page of another origin', () => {
  let service: ServiceWithDatabase;
  let browser: Browser;
  let host: SecondOrigin;
  let token: string;
  beforeAll(async () => {
    service = await startServiceWithDatabase({ assetsDir: inject('assets') });
    token = await service.token();
    const stdin = { contents: SCRIPT, resolveDir: import.meta.dirname };
    const made = await build({ stdin, bundle: true, format: 'esm', write: false });
    host = await serveFiles({
      '': [
        'text/html',
        '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>',
      ],
      'app.js': ['text/javascript', made.outputFiles[0]!.contents],
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
    await service?.stop();
  });

  test('every function works in a page, with headers that the service allows', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.setDefaultTimeout(0);
    await page.goto(host.origin);
    await page.waitForFunction(() => 'ready' in globalThis);
    const words = [service.address, token] as const;
    const called = await page.evaluate(async ([address, pageToken]) => {
      const here = globalThis as unknown as { everyCall(...words: string[]): Promise<Called> };
      return here.everyCall(address, pageToken);
    }, words);
    expect(called.seen).toEqual(SEEN);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the client in a page of another origin reports that two tabs send from one outbox at once are made once each', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(host.origin);
    await page.waitForFunction(() => 'ready' in globalThis);
    const words = [service.address, token] as const;
    const found = await page.evaluate(async ([address, pageToken]) => {
      const here = globalThis as unknown as { sendTwice(...words: string[]): Promise<unknown> };
      return here.sendTwice(address, pageToken);
    }, words);
    const nothing = [undefined, []];
    expect(found).toEqual([[nothing, nothing], [], ['leadline-outbox']]);
    const { rows } = await service.database.query(
      "SELECT count(*)::int AS n FROM user_report WHERE report_type = 'weather'",
    );
    expect(rows).toEqual([{ n: 6 }]);
    await page.close();
  });
});
