// The samples of README.md, of the README of the client package and of the guides, run against a service. The
// demo port lies at 30° south and 20° west, so each number of a position is either a latitude or a longitude.

import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { NamesAnswer } from '../../shared/contract/names.ts';
import { distanceMeters } from '../../shared/geo/earth.ts';
import { readPlace, readWaypoints } from '../../workers/web/client/chart/own-route.ts';
import * as client from '../../workers/web/client/index.ts';
import { applyDelta, openRegion } from '../../workers/web/client/region.ts';
import type { FeatureAnswer, Report, RouteAnswer } from '../../workers/web/client/wire.ts';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import { filledIn } from '../support/examples.ts';
import { commandsOf, GUIDES, guideText, snippetsOf } from '../support/guides.ts';
import { textOf } from '../support/source-files.ts';

const README = textOf('README.md');
const CLIENT = textOf('workers/web/client/README.md');
const PLACE = { longitude: -19.99, latitude: -30.01 };
const isLatitude = (value: number) => Math.abs(value + 30) < 2;
const isLongitude = (value: number) => Math.abs(value + 20) < 2;

const { createClient, openOutbox } = client;

type Place = typeof PLACE;

/** A request and its response. */
interface Exchange {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string | undefined;
  readonly response: Response;
}

let service: ServiceWithDatabase;
let token: string;
const exchanges: Exchange[] = [];

beforeAll(async () => {
  service = await startServiceWithDatabase({ assetsDir: inject('assets') });
  token = await service.token();
});
afterAll(() => service?.stop());

/** The blocks of code of a language in a page. */
const blocksOf = (page: string, language: string): string[] =>
  snippetsOf(page)
    .filter((one) => one.language === language)
    .map(({ text }) => text);

/** The only request that a sample sent to a path. */
function sent(path: string): Exchange {
  const found = exchanges.filter((one) => one.path === path);
  expect(found.map((one) => one.path)).toEqual([path]);
  return found[0]!;
}

const jsonOf = async <T>({ response }: Exchange): Promise<T> => {
  expect([response.url, response.ok]).toEqual([response.url, true]);
  return (await response.clone().json()) as T;
};

async function featuresAt(position: Place, radius: number): Promise<FeatureAnswer['results']> {
  const body = JSON.stringify({ position, radius });
  const answer = await service.get('/api/v1/enc_query', { method: 'POST', body });
  return ((await answer.json()) as FeatureAnswer).results;
}

const swapped = ({ longitude, latitude }: Place): Place => ({
  longitude: latitude,
  latitude: longitude,
});

/** Expects features at a position, and none with latitude and longitude the other way round. */
async function expectChart(position: Place): Promise<void> {
  expect([position, (await featuresAt(position, 500)).length > 1]).toEqual([position, true]);
  expect(await featuresAt(swapped(position), 500)).toEqual([]);
}

/** Expects features that fill the circle of a query: in metres, around its position. */
async function expectFeaturesNear(exchange: Exchange): Promise<void> {
  const { position, radius } = JSON.parse(exchange.body!) as { position: Place; radius: number };
  const { results } = await jsonOf<FeatureAnswer>(exchange);
  const distances = results.flatMap(({ position: at }) =>
    at === null ? [] : [distanceMeters(position.longitude, position.latitude, at[1], at[0])],
  );
  expect(distances.length).toBeGreaterThan(0);
  expect(Math.max(...distances)).toBeLessThan(1.01 * radius);
  expect((await featuresAt(position, 4 * radius)).length).toBeGreaterThan(results.length);
  await expectChart(position);
}

/** Sends the requests of the curl commands in a text. */
async function sendCurls(text: string): Promise<void> {
  for (const command of commandsOf(text).filter((line) => line.startsWith('curl '))) {
    const named = command.replaceAll('$SERVICE', 'ADDRESS').replaceAll('$TOKEN', 'TOKEN');
    const filled = filledIn(named, { address: service.address, token });
    const words = filled
      .match(/'[^']*'|"[^"]*"|\S+/g)!
      .map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
    const after = (option: string) =>
      words.includes(option) ? words[words.indexOf(option) + 1] : undefined;
    const body = after('-d');
    const url = new URL(words.find((word) => word.startsWith(service.address))!);
    const [, authorization] = /^Authorization: (.*)$/.exec(after('-H') ?? '') ?? [];
    const response = await fetch(url, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: authorization === undefined ? {} : { authorization },
    });
    exchanges.push({ path: url.pathname, query: url.searchParams, body, response });
  }
}

describe('the samples of README.md', () => {
  beforeAll(async () => {
    exchanges.length = 0;
    await Promise.all(blocksOf(README, '').map(sendCurls));
  });

  it('request a tile by zoom, column and row', async () => {
    const [[path, z, x, y] = []] = [
      ...README.matchAll(/\/api\/v2\/tiles\/raster-v1\/(\d+)\/(\d+)\/(\d+)\.png/g),
    ];
    const picture = await sent(path!).response.arrayBuffer();
    const other = await service.get(`/api/v2/tiles/raster-v1/${z}/${y}/${x}.png`);
    expect(other.status).toBe(200);
    expect(picture.byteLength).toBeGreaterThan(2 * (await other.arrayBuffer()).byteLength);
  });

  it('find features within the radius of a position', () =>
    expectFeaturesNear(sent('/api/v1/enc_query')));

  it('plan a route whose first point is the first waypoint', async () => {
    const exchange = sent('/api/v1/routing/route');
    const { waypoints, vessel } = JSON.parse(exchange.body!) as {
      waypoints: [number, number][];
      vessel: { draft: number; airDraft: number };
    };
    const answer = await jsonOf<RouteAnswer>(exchange);
    if (!answer.success) throw new Error(answer.messages.join(' '));
    expect([answer.route[0], answer.route.at(-1)]).toEqual([waypoints[0], waypoints.at(-1)]);
    expect(answer.route.every(([a, b]) => isLatitude(a!) && isLongitude(b!))).toBe(true);
    expect(answer.constraints.requiredDepth).toBeGreaterThanOrEqual(vessel.draft);
    expect(answer.constraints.requiredClearance).toBeGreaterThanOrEqual(vessel.airDraft);
  });

  it('centre the map on the chart', () => {
    const [center = ''] = /(?<=center: \[).*(?=\])/.exec(blocksOf(README, 'js').join()) ?? [];
    return expectChart(readPlace(center)!);
  });
});

/** Sends requests and keeps them with their responses. */
const recorded: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { pathname: path, searchParams: query } = new URL(String(input));
  exchanges.push({ path, query, body: init?.body?.toString(), response: response.clone() });
  return response;
};

/** Runs all samples of a page as one program. @param names what the program can use */
async function runSamples(page: string, names: Record<string, unknown>, returned = '') {
  const sample = blocksOf(page, 'ts')
    .join('\n')
    .replace(/^import .*$/gm, '');
  const { code } = await transform(sample, { loader: 'ts' });
  const run = `return (async () => { ${code}\nreturn { ${returned} }; })();`;
  return new Function(...Object.keys(names), run)(...Object.values(names));
}

describe('the samples of the guides', () => {
  const withCurl = GUIDES.filter((guide) => blocksOf(guideText(guide), 'sh').length > 0);
  const withClient = GUIDES.filter((guide) => blocksOf(guideText(guide), 'ts').length > 0);

  it.each(withCurl)('send requests that succeed: %s', async (guide) => {
    exchanges.length = 0;
    for (const text of blocksOf(guideText(guide), 'sh')) await sendCurls(text);
    const commands = blocksOf(guideText(guide), 'sh').flatMap(commandsOf);
    const asExpected = exchanges.map(({ query, response }) =>
      // The demo has no crowdsourced depths.
      query.get('crowd') === 'true' ? response.status === 404 : response.ok,
    );
    expect(asExpected).toEqual(commands.map(() => true));
    for (const { response } of exchanges) {
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10);
    }
  });

  it.each(withClient)('run with the client: %s', async (guide) => {
    exchanges.length = 0;
    const place = { address: service.address, token };
    const printed: unknown[] = [];
    const create = (options: Parameters<typeof createClient>[0]) =>
      createClient({ ...options, fetch: recorded });
    await runSamples(filledIn(guideText(guide), place), {
      ...client,
      ...{ openRegion, applyDelta, fetch: recorded, createClient: create },
      console: { log: (...values: unknown[]) => printed.push(...values) },
    });
    expect(exchanges.length).toBeGreaterThan(0);
    expect(printed.filter((value) => value === undefined)).toEqual([]);
  });
});

describe('the samples of the client package', () => {
  let made: Record<'region' | 'plan' | 'question', Record<string, unknown>>;

  /** Runs all samples as one program, with a client of the service. */
  beforeAll(async () => {
    exchanges.length = 0;
    const stored = new Map<string, string>();
    const atEvents: (() => Promise<unknown>)[] = [];
    const names = {
      createClient: () => createClient({ address: service.address, token, fetch: recorded }),
      openOutbox,
      openRegion,
      applyDelta,
      soundings: [{ ...PLACE, depth: 7, time: 1_780_000_000_000 }],
      localStorage: {
        getItem: (key: string) => stored.get(key),
        setItem: (key: string, value: string) => void stored.set(key, value),
        removeItem: (key: string) => void stored.delete(key),
      },
      addEventListener: (_: string, listener: () => Promise<unknown>) => atEvents.push(listener),
    };
    made = await runSamples(CLIENT, names, 'region, plan, question');
    for (const listener of atEvents) await listener();
  });

  it('find features within the radius of a position', () =>
    expectFeaturesNear(sent('/api/v1/enc_query')));

  it('find names near a position on the chart', async () => {
    const { query, ...exchange } = sent('/api/v1/names');
    const near = readPlace(query.get('near')!)!;
    await expectChart(near);
    const { names } = await jsonOf<NamesAnswer>({ query, ...exchange });
    expect(names.length).toBeGreaterThan(0);
  });

  it('create a report at the position of the sample', async () => {
    const { body, ...exchange } = sent('/api/v1/user-reports');
    const { position } = JSON.parse(body!) as { position: Place };
    expect(await jsonOf<Report>({ body, ...exchange })).toMatchObject(position);
    await expectChart(position);
  });

  it('download the region of a box with charts', async () => {
    const { plan, region, question } = made;
    const box = plan['bounds'] as number[];
    expect(
      box.map((edge, i) => (i % 2 === 0 ? isLongitude(edge) : isLatitude(edge))),
    ).not.toContain(false);
    expect(plan['charted']).toBe(true);
    expect(question['bbox']).toEqual(box);
    expect(region['note']).toMatchObject({ bounds: box, charted: true });
  });

  it('show the chart element on the chart', () => {
    const [, center = ''] = /center="([^"]*)"/.exec(blocksOf(CLIENT, 'html').join()) ?? [];
    return expectChart(readPlace(center)!);
  });

  it.each([
    ['center', (text: string) => readPlace(text)],
    [
      'route',
      (text: string) =>
        readWaypoints(`${text} ${text}`)?.map(([latitude, longitude]) => ({
          longitude,
          latitude,
        }))[0],
    ],
  ])('name the order of the attribute %s', (name, read) => {
    const row = CLIENT.split('\n').find((line) => line.startsWith(`| \`${name}\`, `))!;
    const [, ...words] = /`(longitude|latitude),(longitude|latitude)`/.exec(row)!;
    expect(read(words.map((word) => PLACE[word as keyof Place]).join())).toEqual(PLACE);
  });
});
