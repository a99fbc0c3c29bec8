// Calls every function of the client once, with every optional field. It is compiled against the package as
// apps install it, and runs in Node, in workerd and in Chromium.

import {
  type Client,
  createClient,
  type DepthProfileRequest,
  type NameQuery,
  type NewSoundings,
  openOutbox,
  type RouteRequest,
  type StyleParameters,
} from '../../workers/web/client/index.ts';

/** What an app sees of the calls. */
export interface Called {
  /** Method and path of every request, in order. */
  readonly requests: string[];
  /** What was answered, in short. */
  readonly seen: Readonly<Record<string, unknown>>;
}

const PORT = { z: 14, x: 7282, y: 9623 };
const AROUND_PORT = { z: 9, x: 227, y: 300 };
const BOX = [-20.1, -30.1, -19.9, -29.9] as const;
const POSITION = { latitude: -30.01, longitude: -19.99 };

/** @param token that may do everything */
export async function everyCall(address: string, token: string): Promise<Called> {
  const requests: string[] = [];
  const client = createClient({
    address,
    token,
    renewToken: async () => token,
    retries: 3,
    longestWaitMs: 5000,
    timeoutMs: 600_000,
    fetch: (input, init) => {
      requests.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return fetch(input, init);
    },
  });
  const run = `${Date.now()}-${Math.random()}`;
  const { signal } = new AbortController();
  const styles = await saveStyles(client, run, signal);
  const seen = {
    ...(await showCharts(client, styles.id, signal)),
    ...(await takeRegion(client, signal)),
    ...(await report(client, signal)),
    ...(await sound(client, run, signal)),
  };
  await client.savedStyles.delete(styles.id, { signal });
  return { requests, seen: { ...seen, style: styles.name === `Renamed ${run}` } };
}

async function saveStyles({ savedStyles }: Client, run: string, signal: AbortSignal) {
  const settings = {
    depthLimit: 4,
    depthUnits: 'feet',
    showMaritimeBoundaries: false,
    hideLayers: ['SOUNDG-label'],
    own: 1,
  } as const;
  const parameters = { colors: { DEPDW: '#ffffff' }, settings: { ...settings, hideLayers: ['a'] } };
  const { id } = await savedStyles.create(
    { name: `Style ${run}`, baseTheme: 'dusk', parameters },
    { key: `style-${run}`, signal },
  );
  await savedStyles.replace(id, { name: `Renamed ${run}`, baseTheme: null }, { signal });
  await savedStyles.update(id, { name: `Renamed ${run}` }, { signal });
  await savedStyles.list({ signal });
  await savedStyles.versions(id, { signal });
  return savedStyles.get(id, { signal });
}

async function showCharts({ charts }: Client, styleId: string, signal: AbortSignal) {
  const parameters: Required<StyleParameters> = {
    styleId,
    styleName: undefined,
    theme: 'night-bright',
    depthLimit: 2.5,
    shallowDepth: 1,
    deepDepth: 20,
    depthUnits: 'fathoms',
    soundingOpacity: 0.5,
    iconSet: 'enc-dusk',
    roundOffSoundings: true,
    showLightSectors: false,
    showEncBoundaries: true,
    showMaritimeBoundaries: 'full',
    showPlaceNames: false,
    showOverscale: false,
    showNoData: false,
    hatchNoData: true,
    showCrowdDepth: 'depths',
    showUserReports: true,
    showSatellite: true,
    maskLandAreas: true,
    satelliteTileUrl: 'https://images.example/{z}/{x}/{y}.jpg',
    hideLayers: ['SOUNDG-label'],
    showLayers: [],
    glyphs: 'https://glyphs.example/{fontstack}/{range}.pbf',
    font: 'Some Font',
    symbols: 'paper',
    boundaries: 'symbolized',
    topmarks: false,
    lightText: false,
    isolatedDangersInShallow: true,
    fullNames: true,
    showDataQuality: true,
    textGroups: ['important', 'names'],
    live: true,
  };
  const question: Required<RouteRequest> = {
    waypoints: [
      [-30.005, -20.012],
      [-30.02, -19.96],
    ],
    vessel: {
      draft: 2,
      airDraft: 18,
      beam: 4,
      length: 12,
      speed: 6,
      turningRadius: 20,
      maxTurnAngle: 120,
    },
    safety: {
      underKeelClearance: 1,
      overheadClearance: 1,
      lateralClearance: 20,
      shoreDistance: 0,
      waterLevel: 0,
      allowUnknownDepth: false,
    },
    options: {
      avoidAreas: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      avoid: ['restricted', 'military'],
      canals: ['suez', 'panama', 'kiel', 'corinth', 'stLawrenceSeaway'],
      preferFairways: false,
      followTss: true,
      optimize: 'safety',
      departureTime: 1_780_000_000_000,
      maxSnapDistance: 100,
      latitudeLimits: [-60, 60],
      continuousLongitudes: true,
      include: ['warnings', 'legs', 'geojson', 'gpx'],
    },
    draft: 2,
    airDraft: 18,
    turningRadius: 20,
    maxTurnAngle: 120,
  };
  const picture = await charts.tile('raster-v1', PORT, { signal });
  const vectors = await charts.tile('enc-v2', PORT, { signal });
  const raw = await charts.featuresOfTile(PORT, { signal });
  const nowhere = await charts.featuresOfTile({ z: 12, x: 0, y: 0 }, { signal });
  const shore = await charts.shoreline(PORT, { signal });
  const tileJson = await charts.tileJson('enc-v2', { signal });
  const style = await charts.style(parameters, { signal });
  const near = await charts.featuresNear(
    { position: POSITION, radius: 500, zoom: 14 },
    { extras: true, signal },
  );
  const along: Required<DepthProfileRequest> = {
    geometry: {
      type: 'LineString',
      coordinates: [
        [-20.012, -30.005],
        [-19.96, -30.02],
      ],
    },
    numSamples: 5,
    sampleInterval: null,
  };
  const depths = await charts.depthProfile(along, { signal });
  // The demo has neither crowdsourced depths nor a tide station: the codes of the responses.
  const codes = await Promise.all(
    [
      charts.tile('crowd-depth-v1', PORT, { signal }),
      charts.crowdDepthsNear({ position: POSITION, radius: 200 }, { signal }),
      charts.crowdDepthsFile('csv', BOX, { zoom: 14, signal }),
      charts.crowdDepthsFile('tif', BOX, { signal }),
      charts.waterLevel(POSITION, 1_780_000_000_000, { signal }),
    ].map((call) =>
      call.then(
        () => 'found',
        (error: { code: string }) => error.code,
      ),
    ),
  );
  const { height } = await charts.waterLevel({ longitude: -76.3383, latitude: 36.8917 });
  const wanted: Required<NameQuery> = { text: 'wick fair', near: POSITION, limit: 5 };
  const { names, isComplete } = await charts.findNames(wanted, { signal });
  const route = await charts.route(question, { signal });
  const [attribution] = await charts.attributions({ signal });
  return {
    codes,
    height: Math.abs(height) < 3,
    picture: String.fromCharCode(...picture.slice(1, 4)),
    vectors: vectors.length > 100,
    raw: (raw?.features.length ?? 0) > 10,
    nowhere,
    shore: shore.type,
    tiles: tileJson.tiles.length,
    styled: [style.name, style['glyphs']],
    rasterStyle: (await charts.rasterStyle({ signal })).layers.length,
    near: near.results.length > 0 && near.results.every(({ extras }) => extras?.title !== ''),
    depths: depths.samples.length,
    names: [isComplete, names.some(({ name, zoom }) => name === 'Wick Fairway' && zoom > 0)],
    route: route.success ? [route.gpx !== undefined, route.legs.length > 0] : route.failures,
    attribution: attribution?.shortDescription !== '',
  };
}

async function takeRegion({ regions }: Client, signal: AbortSignal) {
  const question = { bbox: BOX, maxZoom: 9, from: undefined } as const;
  const { id, charted, bytes } = await regions.plan(question, { signal });
  const plan = await regions.plan({ ...question, from: id }, { signal });
  // The end of the file: a part that is smaller than the others.
  const options = { start: bytes - 3000, partBytes: 2000, signal };
  const lengths: number[] = [];
  for await (const part of regions.download(plan, options)) lengths.push(part.bytes.length);
  for await (const part of regions.downloadDelta(plan, { signal })) lengths.push(part.at);
  return { region: [charted, ...lengths] };
}

async function report(client: Client, signal: AbortSignal) {
  const { userToken } = await client.reports.createUserToken(
    { externalUserId: 'skipper-7', expiresInSeconds: 600 },
    { signal },
  );
  const { reports } = client.withUser(userToken);
  const made = await reports.create(
    {
      reportType: 'hazard',
      position: POSITION,
      properties: { description: 'Lobster pots', depth: [1, 2] },
      id: undefined,
      externalUserId: 'skipper-7',
    },
    { signal },
  );
  const voted = await reports.vote(made.id, { vote: 'valid', externalUserId: null }, { signal });
  const question = { bbox: BOX, kind: ['hazard'], since: made.createdAt, limit: 1 } as const;
  const { reports: listed } = await reports.list(question, { signal });
  const { features } = await reports.geojson(question, { signal });
  const tile = await reports.tile(AROUND_PORT, { signal });
  const { features: inTile } = await reports.tileGeojson(AROUND_PORT, { signal });
  const ids: string[] = [];
  // An administrator's question, and so one without a user.
  const all = client.reports.all({ ...question, includeDeleted: true }, { signal });
  for await (const { id } of all) ids.push(id);
  const deleted = await reports.delete((await reports.get(made.id, { signal })).id, { signal });
  return {
    isOwner: made.isOwner,
    upvotes: voted.upvoteCount,
    listed: listed[0]?.id === made.id && features[0]?.id === made.id && ids.includes(made.id),
    reportTiles: [
      tile.length > 0,
      inTile.some(({ properties: mark }) => 'id' in mark && mark.id === made.id),
    ],
    deleted: typeof deleted?.deletedAt,
  };
}

async function sound({ soundings, ...client }: Client, run: string, signal: AbortSignal) {
  const startMs = Date.UTC(2026, 5, 1, 12);
  const at = (second: number) => ({
    ...POSITION,
    depth: 7.4,
    time:
      second % 2 === 0 ? startMs + second * 1000 : new Date(startMs + second * 1000).toISOString(),
  });
  const about: Required<Omit<NewSoundings, 'soundings'>> = {
    platform: { uniqueId: run, name: 'My boat', type: 'sailing', own: 1 },
    providerContactPoint: { orgName: 'Us', logger: 'Ours', loggerVersion: '1' },
    depthUnits: 'meters',
    timeUnits: 'ISO 8601',
    convention: 'none',
    share: 'aggregate',
    externalUserId: 'skipper-7',
  };
  const texts = new Map<string, string>();
  const storage = {
    getItem: async (key: string) => texts.get(key),
    setItem: (key: string, value: string) => texts.set(key, value),
    removeItem: (key: string) => texts.delete(key),
  };
  await soundings.send({ ...about, soundings: [at(0)] }, { key: `first-${run}`, signal });
  const upload = () =>
    soundings.upload(
      { ...about, soundings: [5, 4, 3, 2, 1].map(at) },
      { name: run, storage, batchSize: 2, signal, onProgress: () => undefined },
    );
  const { tracks, totalPoints } = await upload();
  texts.clear();
  // Without anything remembered: the service knows its keys.
  await upload();
  const outbox = openOutbox({ soundings, ...client }, storage, 'own-name');
  await outbox.addSoundings({ ...about, soundings: [at(6)] });
  const { sent } = await outbox.send({ signal });
  const page = await soundings.tracks(
    { limit: 1, platform: run, externalUserId: 'skipper-7' },
    { signal },
  );
  const id = tracks[0]?.id ?? 'none';
  await soundings.tracks({ cursor: id }, { signal });
  const { points } = await soundings.track(id, { signal });
  const files = await Promise.all(
    (['geojson', 'csv', 'gpx'] as const).map((kind) => soundings.trackFile(id, kind, { signal })),
  );
  const near = await soundings.inBox(BOX, 12, { signal });
  const changed = await soundings.changeConsent({ share: 'private', trackId: id }, { signal });
  const log = `latitude,longitude,depth,time\n-30.02,-19.98,7.4,${startMs}\n`;
  const imported = await soundings.importLog(
    log,
    { format: 'csv', platform: `${run} log`, share: 'private', transducerDepth: 0.5 },
    { signal },
  );
  await soundings.deleteTrack(imported.tracks[0]!.id, { signal });
  await soundings.deleteTrack(id, { signal });
  return {
    sent: sent.length,
    tracks: tracks.length,
    totalPoints,
    pointCount: page.tracks[0]?.pointCount,
    times: points.map(({ time }) => time - startMs),
    files: files.map((text) => text.slice(0, 5)),
    changed,
    imported: imported.totalPoints,
    soundingsNear: near.features.some(({ properties }) => properties.depth === 7.4),
  };
}
