// Accessibility checks of a page: axe, and the size of touch targets.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Minimum side of a touch target in pixels. */
const MIN_PIXELS = 44;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}
interface Axe {
  run(options: {
    readonly resultTypes: readonly string[];
  }): Promise<{ readonly violations: readonly Violation[] }>;
}

/** Serious and critical violations that axe finds, with their elements. */
export async function seriousFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  await page.evaluate(animationsEnd);
  const { violations } = await page.evaluate(() =>
    // Otherwise axe describes all elements that pass too, which takes longer than its checks.
    (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** Colours in the middle of a transition are not those that a reader sees. */
const animationsEnd = () => {
  const rootsIn = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
    root,
    ...Array.from(root.querySelectorAll('*')).flatMap(({ shadowRoot }) =>
      shadowRoot === null ? [] : rootsIn(shadowRoot),
    ),
  ];
  const ending = rootsIn(document)
    .flatMap((root) => root.getAnimations())
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  return Promise.allSettled(ending.map(({ finished }) => finished));
};

/** Visible controls below the minimum size, with their sizes. A check box includes its label. */
export const smallControls = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button, a, input, select, summary, [role=option]',
    );
    return Array.from(controls).flatMap((control) => {
      // Credits of the data are text with links, as laws want them.
      if (control.closest('.maplibregl-ctrl-attrib-inner') !== null) return [];
      const pressed = [control, control.closest('label') ?? control];
      const isLarge = pressed.some((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width >= least && height >= least;
      });
      if (isLarge || !control.checkVisibility()) return [];
      const { width, height } = control.getBoundingClientRect();
      return [`${control.outerHTML.slice(0, 60)}: ${Math.round(width)}×${Math.round(height)}`];
    });
  }, MIN_PIXELS);
