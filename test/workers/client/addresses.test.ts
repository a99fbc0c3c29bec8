// URLs for map libraries, and the URLs of requests.

import { expect, it } from 'vitest';
import { createClient } from '../../../workers/web/client/index.ts';
import { clientWithAnswers, json } from '../../support/fetch-double.ts';

const { charts } = createClient({ address: 'https://charts.example/leadline/', token: 'a+b/c' });

it('tile URLs keep their placeholders and contain the token', () => {
  expect(charts.tileUrlTemplate('enc-v2')).toBe(
    'https://charts.example/leadline/api/v2/tiles/enc-v2/{z}/{x}/{y}.mvt?token=a%2Bb%2Fc',
  );
  expect(charts.tileUrlTemplate('raster-v1', { withToken: false })).toBe(
    'https://charts.example/leadline/api/v2/tiles/raster-v1/{z}/{x}/{y}.png',
  );
  expect(charts.tileUrl('data-shoreline-v1', { z: 3, x: 1, y: 2 }, { withToken: false })).toBe(
    'https://charts.example/leadline/api/v2/tiles/data-shoreline-v1/3/1/2.json',
  );
});

it('style URLs contain each kind of parameter in the format of the service', () => {
  const address = new URL(
    charts.styleUrl({
      theme: 'dusk',
      depthLimit: 0,
      showPlaceNames: false,
      hideLayers: ['WRECKS-icon', 'SOUNDG-label'],
      satelliteTileUrl: 'https://images.example/{z}/{x}/{y}.jpg?key=1&size=2',
      styleName: '',
      font: undefined,
    }),
  );
  expect(Object.fromEntries(address.searchParams)).toEqual({
    theme: 'dusk',
    depthLimit: '0',
    showPlaceNames: 'false',
    hideLayers: 'WRECKS-icon,SOUNDG-label',
    satelliteTileUrl: 'https://images.example/{z}/{x}/{y}.jpg?key=1&size=2',
    token: 'a+b/c',
  });
});

it('style URLs contain a value for no text groups, because an empty value means all groups', () => {
  const groupsIn = (textGroups: readonly 'names'[]) =>
    new URL(charts.styleUrl({ textGroups })).searchParams.get('textGroups');
  expect(groupsIn([])).toBe('none');
  expect(groupsIn(['names'])).toBe('names');
});

it('transformRequest adds no token for other hosts, nor for hosts with the same prefix', () => {
  const own = 'https://charts.example/leadline/api/v2/tiles/enc-v2/1/0/0.mvt';
  expect(charts.transformRequest(own).headers).toEqual({ authorization: 'Bearer a+b/c' });
  for (const url of [
    'https://images.example/1/0/0.jpg',
    'https://charts.example.evil.example/leadline/x',
    'https://charts.example/leadline-other/x',
  ]) {
    expect(charts.transformRequest(url)).toEqual({ url });
  }
});

it('an invalid service URL is refused immediately', () => {
  expect(() => createClient({ address: 'charts.example', token: 'x' })).toThrow(TypeError);
});

it('requests send the token in the query if the contract requires it', async () => {
  const { client, requests } = clientWithAnswers([json({ success: true })]);
  await client.charts.route({
    waypoints: [
      [1, 2],
      [3, 4],
    ],
  });
  expect(requests[0]!.query.get('token')).toBe('the-token');
  expect(requests[0]!.headers.get('authorization')).toBeNull();
});

it('requests contain the user token', async () => {
  const { client, requests } = clientWithAnswers([json({ reports: [], nextCursor: null })]);
  await client.withUser('the-user').reports.list({ bbox: [179, -1, -179, 1], kind: ['weather'] });
  expect(requests[0]!.headers.get('leadline-user')).toBe('the-user');
  expect(requests[0]!.query.toString()).toBe('bbox=179%2C-1%2C-179%2C1&kind=weather');
});

it('a list is fetched page by page to the end', async () => {
  const page = (ids: string[], nextCursor: string | null) =>
    json({ reports: ids.map((id) => ({ id })), nextCursor });
  const { client, requests } = clientWithAnswers([
    page(['a', 'b'], 'b.'),
    page([], 'c.'),
    page(['d'], null),
  ]);
  const ids: string[] = [];
  for await (const { id } of client.reports.all({ limit: 2 })) ids.push(id);
  expect(ids).toEqual(['a', 'b', 'd']);
  expect(requests.map(({ query }) => query.get('cursor'))).toEqual([null, 'b.', 'c.']);
});

it('a raw tile without charts gives an empty result, and other missing tiles give an error', async () => {
  const missing = (code: string) =>
    new Response(JSON.stringify({ code }), {
      status: 404,
      headers: { 'content-type': 'application/json' },
    });
  const { client } = clientWithAnswers([missing('no_chart_data'), missing('not_found')]);
  expect(await client.charts.featuresOfTile({ z: 12, x: 0, y: 0 })).toBeUndefined();
  await expect(client.charts.featuresOfTile({ z: 12, x: 0, y: 0 })).rejects.toThrow();
});

it('names are searched by text, position and limit', async () => {
  const answer = {
    names: [
      {
        name: 'Wick Bay',
        nationalName: 'Κόλπος Φανάρι',
        objectClass: 'SEAARE',
        objectClassName: 'Sea area / named water area',
        cell: 'ZZ5WICK1',
        position: { longitude: -19.99, latitude: -30.01 },
        bounds: [-20.03, -30.05, -19.95, -29.98],
        zoom: 13,
      },
    ],
    isComplete: true,
  };
  const { client, requests } = clientWithAnswers([json(answer), json(answer), json(answer)]);
  const near = { longitude: -179.5, latitude: 0 };
  expect(await client.charts.findNames({ text: 'Φανάρι & co', near, limit: 5 })).toEqual(answer);
  await client.charts.findNames({ text: ' wick' });
  await client.charts.findNames({ text: 'a', near: undefined, limit: undefined });
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(3).fill('GET /api/v1/names'),
  );
  expect(requests.map(({ query }) => Object.fromEntries(query))).toEqual([
    { q: 'Φανάρι & co', near: '-179.5,0', limit: '5' },
    { q: ' wick' },
    { q: 'a' },
  ]);
  expect(requests[0]!.headers.get('authorization')).toBe('Bearer the-token');
});

it('a search for names stops when the app aborts it', async () => {
  const { client } = clientWithAnswers([
    () => {
      ending.abort(new Error('The user typed again.'));
      throw new TypeError('fetch failed');
    },
  ]);
  const ending = new AbortController();
  await expect(
    client.charts.findNames({ text: 'wick' }, { signal: ending.signal }),
  ).rejects.toThrow('The user typed again.');
});
