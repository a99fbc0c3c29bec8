// Local web server of a producer: a catalogue in NOAA's format, zips with ranges and entity tags,
// and typical server faults.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../../support/listen.ts';

export interface ListedCell {
  readonly name: string;
  readonly edition?: number | string;
  readonly update?: number | string;
  readonly status?: string;
  readonly states?: readonly string[];
  readonly regions?: readonly number[];
  readonly time?: string;
  readonly location?: string;
  /** Longitude and latitude pairs. */
  readonly outline?: readonly (readonly [number, number])[];
}

export type ProducerFault =
  | 'none'
  /** The connection breaks after half of the response. */
  | 'cut'
  /** The length is right, but the second half is garbled. */
  | 'garble'
  | 'busy'
  | 'hang'
  | 'gone';

export interface Producer {
  readonly base: string;
  readonly zips: Map<string, Buffer>;
  list: readonly ListedCell[];
  /** Replaces the catalogue generated from `list`. */
  catalogueText: string | undefined;
  /** How responses identify versions: by entity tags, by dates only, or not at all. */
  naming: 'tags' | 'dates' | 'none';
  /** Whether range requests are supported. */
  ranges: boolean;
  decide: (name: string) => ProducerFault;
  /** Awaited before a connection is cut. */
  beforeCut: () => Promise<unknown>;
  /** Received requests, for example `GET US5AA01M.zip bytes=100-`. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function openProducer(): Promise<Producer> {
  const server = createServer((request, response) => {
    const name = request.url!.split('/').at(-1)!;
    producer.asked.push(['GET', name, request.headers.range].filter(Boolean).join(' '));
    const fault = producer.decide(name);
    if (fault === 'hang') return;
    if (fault === 'busy') {
      response.writeHead(name.startsWith('US5') ? 503 : 429, { 'retry-after': '7' }).end('busy');
      return;
    }
    const body = name.endsWith('.xml')
      ? Buffer.from(producer.catalogueText ?? catalogueXml(producer.list, producer.base))
      : name === ''
        ? Buffer.from(indexPage([...producer.zips.keys()]))
        : producer.zips.get(name);
    if (body === undefined || fault === 'gone') response.writeHead(404).end('<h1>Not Found</h1>');
    else sendFile(request, response, body, fault);
  });

  function sendFile(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    fault: ProducerFault,
  ): void {
    const md5 = createHash('md5').update(body).digest();
    const etag = `"${md5.toString('hex')}"`;
    const date = new Date(1_500_000_000_000 + md5.readUInt16LE(0) * 1e6).toUTCString();
    const named = {
      tags: { etag, 'last-modified': date },
      dates: { 'last-modified': date },
      none: {},
    }[producer.naming];
    const { headers } = request;
    const isSame =
      headers['if-none-match'] === undefined
        ? headers['if-modified-since'] === date
        : headers['if-none-match'] === etag;
    if (isSame && producer.naming !== 'none') {
      response.writeHead(304, named).end();
      return;
    }
    const ifRange = headers['if-range'];
    const mayContinue = ifRange === undefined || ifRange === etag || ifRange === date;
    const asked = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const from = producer.ranges && mayContinue ? asked : 0;
    if (from > 0 && from >= body.length) {
      response.writeHead(416).end();
      return;
    }
    const rest = Buffer.from(body.subarray(from));
    if (fault === 'garble') rest.fill(0x55, rest.length >> 1);
    response.writeHead(from === 0 ? 200 : 206, {
      ...named,
      'content-length': rest.length,
      ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` }),
    });
    if (fault === 'cut') {
      response.write(rest.subarray(0, rest.length >> 1), () => {
        producer.beforeCut().then(() => response.destroy());
      });
    } else response.end(rest);
  }

  const producer: Producer = {
    base: `http://127.0.0.1:${await listen(server)}/ENCs`,
    zips: new Map(),
    list: [],
    catalogueText: undefined,
    naming: 'tags',
    ranges: true,
    decide: () => 'none',
    beforeCut: async () => undefined,
    asked: [],
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return producer;
}

/** A catalogue in the format of NOAA's technical specification. */
export function catalogueXml(cells: readonly ListedCell[], base: string): string {
  const listed = (name: string, one: string, values: readonly (string | number)[]) =>
    `<${name}>${values.map((value) => `<${one}>${value}</${one}>`).join('')}</${name}>`;
  const rows = cells.map((cell) => {
    const vertices = (cell.outline ?? []).map(
      ([long, lat]) => `<vertex><lat>${lat}</lat><long>${long}</long></vertex>`,
    );
    return `<cell><name>${cell.name}</name><lname>Waters of ${cell.name} &amp; more</lname>
<cscale>10000</cscale><status>${cell.status ?? 'Active'}</status>
${listed('coast_guard_districts', 'coast_guard_district', [13])}
${listed('states', 'state', cell.states ?? ['WA'])}${listed('regions', 'region', cell.regions ?? [15])}
<zipfile_location>${cell.location ?? `${base}/${cell.name}.zip`}</zipfile_location>
<zipfile_datetime_iso8601>${cell.time ?? '2026-01-01T00:00:00Z'}</zipfile_datetime_iso8601>
<zipfile_size>1000</zipfile_size><edtn>${cell.edition ?? 1}</edtn><updn>${cell.update ?? 0}</updn>
<cov><panel><panel_no>1</panel_no><type>E</type>${vertices.join('')}</panel></cov></cell>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<EncProductCatalog xmlns="http://charts.example/enc"><Header><title>Charts of a test</title>
<s62AgencyCode>550</s62AgencyCode></Header>${rows.join('\n')}</EncProductCatalog>`;
}

function indexPage(names: readonly string[]): string {
  const links = names.map((name) => `<tr><td><a href="${name}">${name}</a></td></tr>`);
  return `<!DOCTYPE html><html><a href="../">Parent</a>
<a href="../elsewhere/US5OTHER.zip">no</a><a href='https://other.example/US5FAR01.zip'>no</a>
<a href="notes.txt">notes</a><table>${links.join('')}</table></html>`;
}
