// Options of `leadline serve`, from the command line and the environment.

import { resolve } from 'node:path';
import { readSettings } from '../../service/runtime/env.ts';
import { SETTING_NAMES } from '../../service/runtime/setting-table.ts';
import { proxyRules, readRanges } from '../../service/standalone/forwarded.ts';

/** Variables that the self-hosted Worker reads in addition to the service's settings. */
export const OWN_SETTINGS = [
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'METRICS_FROM',
  'CACHE_MEGABYTES',
] as const;

export interface ServeOptions {
  /** Folder of a chart build to publish at the start; `undefined` to serve the published charts. */
  readonly charts: string | undefined;
  /** Folder of the service's state. */
  readonly data: string;
  readonly host: string;
  readonly port: number;
  /** Connection URL of the service's login on an external database. */
  readonly databaseUrl: string | undefined;
  /** Connection URL of the owner's login, used for migrations at the start. */
  readonly databaseOwnerUrl: string | undefined;
  /** Settings of the Worker, by name; a missing setting has its default. */
  readonly settings: Readonly<Record<string, string>>;
  /** Do not print a line for successful requests. */
  readonly printsFailures?: boolean;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** @throws Error that names every invalid variable */
export function serveOptions(
  given: {
    readonly charts?: string;
    readonly data?: string;
    readonly host?: string;
    readonly port?: string;
  },
  variables: Variables,
): ServeOptions {
  const text = (name: string) => {
    const value = variables[name]?.trim();
    return value === '' ? undefined : value;
  };
  let faults: readonly string[] = [];
  // A restarted supervisor reuses its port.
  const port = Number(text('LEADLINE_KEPT_PORT') ?? given.port ?? text('PORT') ?? 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) faults = [...faults, 'PORT'];
  const host = given.host ?? text('HOST') ?? '127.0.0.1';
  if (!/^[A-Za-z0-9.:-]+$/.test(host)) faults = [...faults, 'HOST'];
  const settings = Object.fromEntries(
    [...SETTING_NAMES, ...OWN_SETTINGS].flatMap((name) => {
      const value = text(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  faults = [...faults, ...readSettings(settings).faults];
  faults = [...faults, ...proxyRules(settings['PUBLIC_URL'], settings['TRUSTED_PROXIES']).faults];
  if (!/^([1-9]\d{0,4})?$/.test(settings['CACHE_MEGABYTES'] ?? ''))
    faults = [...faults, 'CACHE_MEGABYTES'];
  if (readRanges(settings['METRICS_FROM'] ?? '') === undefined)
    faults = [...faults, 'METRICS_FROM'];
  const urls = ['DATABASE_URL', 'DATABASE_OWNER_URL'].filter((name) => {
    const url = text(name);
    return url !== undefined && !(URL.canParse(url) && /^postgres(ql)?:/.test(url));
  });
  faults = [...faults, ...urls];
  if (faults.length > 0) {
    throw new Error(
      `Invalid settings: ${[...new Set(faults)].join(', ')}. For accepted values, see leadline serve --help and workers/service/runtime/SETTINGS.md.`,
    );
  }
  const charts = given.charts ?? text('LEADLINE_CHARTS');
  return {
    charts: charts === undefined ? undefined : resolve(charts),
    data: resolve(given.data ?? text('LEADLINE_DATA') ?? '.data'),
    host,
    port,
    databaseUrl: text('DATABASE_URL'),
    databaseOwnerUrl: text('DATABASE_OWNER_URL'),
    settings,
  };
}

const TIDY_OWN_MS = 55_000;
const TIDY_FOREIGN_MS = 6 * 3_600_000;

/**
 * Interval of the cleanup of expired data, in milliseconds. The interval is long for an external
 * database, which may suspend itself when idle. Queries ignore expired data before the cleanup.
 */
export const tidyEveryMs = ({
  databaseUrl,
  databaseOwnerUrl,
}: Pick<ServeOptions, 'databaseUrl' | 'databaseOwnerUrl'>): number =>
  databaseUrl === undefined && databaseOwnerUrl === undefined ? TIDY_OWN_MS : TIDY_FOREIGN_MS;
