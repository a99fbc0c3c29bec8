// The chart page in documents: the demo port, a route off it, and a name that is looked for.

import { join, resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { settled } from '../support/chart-page.ts';
import type { Service } from '../support/service.ts';
import { writeSmallPng } from './small-png.ts';

const FOLDER = resolve(import.meta.dirname, '../../workers/web/chart');
const DESKTOP: BrowserContextOptions = { viewport: { width: 900, height: 700 } };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 760 }, hasTouch: true };

interface PagePicture {
  readonly name: string;
  /** Choices of the page. */
  readonly hash: string;
  readonly context: BrowserContextOptions;
  /** Done on the page before it is taken. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const PICTURES: readonly PagePicture[] = [
  { name: 'chart-page', hash: 'at=12.1/-30.005/-20.01', context: DESKTOP },
  {
    name: 'route-tool',
    hash: 'at=12.1/-30.005/-20.01',
    context: DESKTOP,
    act: async (page) => {
      await page.locator('#route-open').click();
      await page.locator('#route input[name=draft]').fill('1.8');
      await page.locator('#route input[name=draft]').press('Enter');
      await page.mouse.click(480, 430);
      await page.mouse.click(190, 470);
      await page.locator('#route [role=status] p', { hasText: ' NM' }).waitFor();
    },
  },
  {
    name: 'search',
    hash: 'at=12.1/-30.005/-20.01&theme=night',
    context: PHONE,
    act: async (page) => {
      await page.locator('#query').fill('wick');
      await page.locator('#search-names [role=option]').first().waitFor();
    },
  },
];

/** Takes the pictures and writes them to the folder of the page. */
export async function takePagePictures(service: Service, browser: Browser): Promise<void> {
  for (const { name, hash, context, act } of PICTURES) {
    const page = await (await browser.newContext(context)).newPage();
    try {
      await page.goto(`${service.address}/#${hash}&token=${await service.token()}`);
      await settled(page);
      await act?.(page);
      await settled(page);
      writeSmallPng(join(FOLDER, `${name}.png`), PNG.sync.read(await page.screenshot()));
      process.stdout.write(`${name}.png\n`);
    } finally {
      await page.context().close();
    }
  }
}
