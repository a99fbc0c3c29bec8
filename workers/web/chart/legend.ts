// The legend of common symbols, drawn from the sprite of the current style.

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

interface SpriteImage {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Shows the symbols of a sprite. @param sprite sprite URL without extension */
export async function showLegend(list: HTMLUListElement, sprite: string): Promise<void> {
  const response = await fetch(`${sprite}.json`);
  if (!response.ok) throw new Error('The symbols could not be loaded.');
  const images = (await response.json()) as Readonly<Record<string, SpriteImage>>;
  const rows = SYMBOLS.flatMap(([name, meaning]) => {
    const image = images[name];
    return image === undefined ? [] : [rowFor(sprite, image, meaning)];
  });
  list.replaceChildren(...rows);
}

function rowFor(sprite: string, { x, y, width, height }: SpriteImage, meaning: string) {
  const row = document.createElement('li');
  const frame = document.createElement('span');
  frame.className = 'symbol';
  const picture = document.createElement('span');
  Object.assign(picture.style, {
    width: `${width}px`,
    height: `${height}px`,
    backgroundImage: `url("${sprite}.png")`,
    backgroundPosition: `-${x}px -${y}px`,
  });
  frame.append(picture);
  row.append(frame, meaning);
  return row;
}
