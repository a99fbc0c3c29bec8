// The legend of common symbols, drawn from the sprite of the current style, and of the crowdsourced depths.

import { UNCERTAINTY_LIMITS } from '../../../shared/style/layers/crowd.ts';
import { CHART_THEME, THEMES } from '../../../shared/style/options.ts';
import { paletteFor } from '../../../shared/style/palette.ts';
import { element } from '../client/chart/elements.ts';
import { densitySuffix } from './offline/keep-offline.ts';

/** Image name and meaning. */
const SYMBOLS: readonly (readonly [image: string, meaning: string])[] = [
  ['BOYLAT13', 'Green cone buoy'],
  ['BOYLAT14', 'Red cone buoy'],
  ['BOYLAT23', 'Green can buoy'],
  ['BOYLAT24', 'Red can buoy'],
  ['BOYCAR01', 'Cardinal buoy: pass to the north'],
  ['BOYCAR02', 'Cardinal buoy: pass to the east'],
  ['BOYCAR03', 'Cardinal buoy: pass to the south'],
  ['BOYCAR04', 'Cardinal buoy: pass to the west'],
  ['BOYISD12', 'Isolated danger buoy'],
  ['BOYSAW12', 'Safe water buoy'],
  ['BOYSPP11', 'Special purpose buoy'],
  ['BCNLAT21', 'Lateral beacon'],
  ['LIGHTS11', 'Red light'],
  ['LIGHTS12', 'Green light'],
  ['LIGHTS13', 'White or yellow light'],
  ['ISODGR01', 'Danger shallower than your safety depth'],
  ['UWTROC03', 'Rock under water'],
  ['UWTROC04', 'Rock that covers and uncovers'],
  ['WRECKS01', 'Wreck showing above water'],
  ['WRECKS05', 'Dangerous wreck, depth unknown'],
  ['OBSTRN01', 'Obstruction'],
  ['ACHARE02', 'Anchorage'],
  ['ACHRES51', 'Anchoring restricted'],
  ['ENTRES51', 'Entry restricted'],
  ['CTYARE51', 'Caution'],
  ['PILBOP02', 'Pilot boarding place'],
  ['MORFAC03', 'Dolphin or mooring post'],
  ['SMCFAC02', 'Yacht harbour'],
];

/** Cells of the crowdsourced depths, as `shared/style/layers/crowd.ts` draws them. */
const CROWD: Readonly<Record<string, readonly (readonly [token: string, meaning: string])[]>> = {
  depths: [
    ['CHMGF', 'Crowdsourced depth; stronger if less than your safety depth'],
    ['CHRED', 'Ring: possible shoal, shallower than charted'],
  ],
  uncertainty: [
    ['CHGRN', `Uncertainty of a crowdsourced depth below ${UNCERTAINTY_LIMITS[0]} m (95 %)`],
    ['CHYLW', `from ${UNCERTAINTY_LIMITS[0]} to ${UNCERTAINTY_LIMITS[1]} m`],
    ['CHCOR', `from ${UNCERTAINTY_LIMITS[1]} to ${UNCERTAINTY_LIMITS[2]} m`],
    ['CHRED', `above ${UNCERTAINTY_LIMITS[2]} m`],
  ],
  differences: [
    ['CHRED', 'Crowdsourced depth of the cell, or of a part of it, shallower than charted'],
    ['CHGRD', 'as charted'],
    ['RESBL', 'deeper than charted'],
  ],
};

/** The rows for the crowdsourced depths. @param view value of `showCrowdDepth` @param theme of the chart */
function crowdRows(view: string, theme: string): HTMLLIElement[] {
  const palette = paletteFor(THEMES.find((one) => one === theme) ?? CHART_THEME);
  return (CROWD[view] ?? []).map(([token, meaning]) => {
    const row = document.createElement('li');
    const frame = document.createElement('span');
    frame.className = 'symbol';
    const cell = document.createElement('span');
    Object.assign(cell.style, {
      width: '20px',
      height: '14px',
      background: palette[token as 'CHRED'],
    });
    frame.append(cell);
    row.append(frame, `${meaning} (not for navigation)`);
    return row;
  });
}

interface SpriteImage {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

/**
 * Shows the symbols of a sprite and the colours of the crowdsourced depths.
 * @param sprite sprite URL without extension
 */
export async function showLegend(
  list: HTMLUListElement,
  sprite: string,
  crowd: { readonly view: string; readonly theme: string },
): Promise<void> {
  const file = `${sprite}${densitySuffix()}`;
  const images: Readonly<Record<string, SpriteImage>> | undefined = await fetch(`${file}.json`)
    .then((response) => (response.ok ? response.json() : undefined))
    .catch(() => undefined);
  if (images === undefined) {
    list.replaceChildren(element('li', 'The symbols could not be loaded.'));
    return;
  }
  const rows = SYMBOLS.flatMap(([name, meaning]) => {
    const image = images[name];
    return image === undefined ? [] : [rowFor(file, image, meaning)];
  });
  list.replaceChildren(...rows, ...crowdRows(crowd.view, crowd.theme));
}

function rowFor(file: string, { x, y, width, height, pixelRatio }: SpriteImage, meaning: string) {
  const row = document.createElement('li');
  const frame = document.createElement('span');
  frame.className = 'symbol';
  const picture = document.createElement('span');
  const size = (pixels: number) => `${pixels / pixelRatio}px`;
  Object.assign(picture.style, {
    width: size(width),
    height: size(height),
    backgroundImage: `image-set(url("${file}.png") ${pixelRatio}x)`,
    backgroundPosition: `${size(-x)} ${size(-y)}`,
  });
  frame.append(picture);
  row.append(frame, meaning);
  return row;
}
