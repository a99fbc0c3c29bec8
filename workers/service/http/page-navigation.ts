// The links between the pages of the service, the same on each page.

const PAGES = [
  ['/', 'Chart'],
  ['/docs/guides', 'Guides'],
  ['/docs', 'API reference'],
  ['/playground.html', 'Playground'],
  ['/portal', 'Portal'],
] as const;

export type PagePath = (typeof PAGES)[number][0];

/** HTML of the navigation, with `current` marked. */
export const pageNavigation = (current: PagePath): string => {
  const links = PAGES.map(([path, name]) => {
    const mark = path === current ? ' aria-current="page"' : '';
    return `<a href="${path}"${mark}>${name}</a>`;
  });
  return `<nav class="pages" aria-label="Pages">${links.join(' ')}</nav>`;
};
