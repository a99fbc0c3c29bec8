// Counters of one process, and their text for Prometheus (exposition format 0.0.4).

import type { Answered, Observer, QueryOutcome } from '../runtime/observer.ts';

/** Upper bounds of latencies in seconds: a cached tile, a raster tile, a route, too slow. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

type Labels = Readonly<Record<string, string | number>>;

interface Spread {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** A value at the time of the request for metrics. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number;
  readonly labels?: Labels;
}

export class Meters implements Observer {
  readonly #requests = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #sources = new Map<string, number>();
  readonly #questions = new Map<string, number>();
  readonly #latencies = new Map<string, Spread>();
  readonly #questionLatency: Spread = newSpread();
  #bucketReads = 0;

  onResponse({ endpoint, method, status, ms, from, bucketReads, refusal }: Answered): void {
    add(this.#requests, labelled({ endpoint, method: knownMethod(method), status }));
    if (refusal !== undefined) add(this.#refusals, labelled({ code: refusal }));
    if (from !== '') add(this.#sources, labelled({ endpoint, from }));
    this.#bucketReads += bucketReads;
    const key = labelled({ endpoint });
    let spread = this.#latencies.get(key);
    if (spread === undefined) {
      spread = newSpread();
      this.#latencies.set(key, spread);
    }
    observe(spread, ms / 1000);
  }

  onQuery(outcome: QueryOutcome, ms: number): void {
    add(this.#questions, labelled({ outcome }));
    if (outcome !== 'resting') observe(this.#questionLatency, ms / 1000);
  }

  /** @param gauges values that are read instead of counted */
  text(gauges: readonly Gauge[]): string {
    return [
      ...counter(
        'leadline_requests_total',
        'Answers sent, by endpoint and status.',
        this.#requests,
      ),
      ...histogram('leadline_request_seconds', 'Time to a response.', this.#latencies),
      ...counter('leadline_refusals_total', 'Refusals, by their stable code.', this.#refusals),
      ...counter(
        'leadline_answers_from_total',
        'Sources of responses: memory, edge (the cache), bucket (read or created), client (304).',
        this.#sources,
      ),
      ...counter(
        'leadline_bucket_reads_total',
        'Reads of the bucket of charts.',
        new Map([['', this.#bucketReads]]),
      ),
      ...counter(
        'leadline_database_questions_total',
        'Database queries by outcome. Outcome resting: not sent, because the database was unavailable.',
        this.#questions,
      ),
      ...histogram(
        'leadline_database_seconds',
        'Time of database queries.',
        new Map([['', this.#questionLatency]]),
      ),
      ...gaugeLines(gauges),
      '',
    ].join('\n');
  }
}

const newSpread = (): Spread => ({ counts: BOUNDS.map(() => 0), sum: 0, count: 0 });

function observe(spread: Spread, seconds: number): void {
  spread.sum += seconds;
  spread.count++;
  const at = BOUNDS.findIndex((bound) => seconds <= bound);
  if (at >= 0) spread.counts[at] = (spread.counts[at] ?? 0) + 1;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
/** Clients can send any method. */
const knownMethod = (method: string): string => (METHODS.has(method) ? method : 'other');

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Labels in the exposition format, without braces. */
const labelled = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(',');

const escaped = (text: string): string =>
  text.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));

const head = (name: string, help: string, type: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

function counter(name: string, help: string, counts: ReadonlyMap<string, number>): string[] {
  const lines = [...counts].map(([labels, count]) => `${name}${braced(labels)} ${count}`);
  return [...head(name, help, 'counter'), ...lines];
}

function histogram(name: string, help: string, spreads: ReadonlyMap<string, Spread>): string[] {
  const lines = [...spreads].flatMap(([labels, { counts, sum, count }]) => {
    const beside = labels === '' ? '' : `${labels},`;
    let below = 0;
    const buckets = BOUNDS.map((bound, at) => {
      below += counts[at] ?? 0;
      return `${name}_bucket{${beside}le="${bound}"} ${below}`;
    });
    return [
      ...buckets,
      `${name}_bucket{${beside}le="+Inf"} ${count}`,
      `${name}_sum${braced(labels)} ${sum}`,
      `${name}_count${braced(labels)} ${count}`,
    ];
  });
  return [...head(name, help, 'histogram'), ...lines];
}

function gaugeLines(gauges: readonly Gauge[]): string[] {
  const names = new Set<string>();
  return gauges.flatMap(({ name, help, value, labels }) => {
    const first = names.has(name) ? [] : head(name, help, 'gauge');
    names.add(name);
    return [...first, `${name}${braced(labelled(labels ?? {}))} ${value}`];
  });
}
