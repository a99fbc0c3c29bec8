// The results of every-call.ts with the demo charts, in every runtime, and the operations without a call.

export const SEEN = {
  style: true,
  picture: 'PNG',
  vectors: true,
  raw: true,
  shore: 'FeatureCollection',
  tiles: 1,
  styled: ['Leadline night-bright', 'https://glyphs.example/{fontstack}/{range}.pbf'],
  rasterStyle: 1,
  route: [true, true],
  attribution: true,
  isOwner: true,
  upvotes: 1,
  listed: true,
  reportTiles: [true, true],
  deleted: 'number',
  sent: 1,
  tracks: 1,
  totalPoints: 5,
  pointCount: 7,
  times: [0, 1000, 2000, 3000, 4000, 5000, 6000],
  changed: 1,
  imported: 1,
  codes: [...Array<string>(3).fill('no_crowd_data'), 'crowd_area_too_large', 'no_tide_station'],
  height: true,
  soundingsNear: true,
  files: ['{"typ', 'LON,L', '<?xml'],
  near: true,
  depths: 5,
  names: [true, true],
  region: [true, 2000, 1000, 0],
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags: string[] }>>>>;
}

/** Operations without a request, except those of the service itself and of the portal. */
export function uncalled(document: unknown, requests: readonly string[]): string[] {
  return Object.entries((document as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { tags }]) => {
      const pattern = path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
      const one = new RegExp(`^${method.toUpperCase()} ${pattern}$`);
      const isCalled = requests.some((request) => one.test(request));
      return isCalled || tags.some((tag) => ['Service', 'Portal'].includes(tag))
        ? []
        : [`${method} ${path}`];
    }),
  );
}
