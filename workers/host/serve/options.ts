// Options of `leadline serve`, from the command line and the environment.

import { delimiter, resolve } from 'node:path';
import { readMailSettings } from '../../../shared/contract/mail-settings.ts';
import { isOpaqueToken } from '../../../shared/contract/opaque-token.ts';
import { PASSWORD_LENGTH } from '../../../shared/contract/portal.ts';
import { readSettings } from '../../service/runtime/env.ts';
import { SETTING_NAMES, settingNamed } from '../../service/runtime/setting-table.ts';
import { expectedValue } from '../../service/runtime/setting-texts.ts';
import { proxyRules, readRanges } from '../../service/standalone/forwarded.ts';
import { DEVELOPMENT } from '../admin/keys.ts';
import { isPostgresUrl } from '../database/operator-variables.ts';

/** Variables that the self-hosted Worker reads in addition to the service's settings. */
export const OWN_SETTINGS = [
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'METRICS_FROM',
  'CACHE_MEGABYTES',
] as const;

const ADMIN_EMAIL = 'INITIAL_ADMIN_EMAIL';
const ADMIN_PASSWORD = 'INITIAL_ADMIN_PASSWORD';
const CHART_WORKER = 'CHART_WORKER';
const S63_LICENSED = 'LEADLINE_S63_LICENSED';
const DEFAULT_TOKEN = 'PROVISIONING_DEFAULT_TOKEN';

export interface ServeOptions {
  /** Folder of a chart build to publish at the start; `undefined` to serve the published charts. */
  readonly charts: string | undefined;
  /** Folder of the service's state. */
  readonly data: string;
  /** Folder of styles to save at the start; it need not exist. */
  readonly provisioning: string;
  /** Account of these styles. */
  readonly provisioningAccount: string;
  readonly host: string;
  readonly port: number;
  /** Connection URL of the service's login on an external database. */
  readonly databaseUrl: string | undefined;
  /** Connection URL of the owner's login, used for migrations at the start. */
  readonly databaseOwnerUrl: string | undefined;
  /** Text of an opaque token to create at the first start. */
  readonly defaultToken: string | undefined;
  /** The administrator to create at the first start, before there are users. */
  readonly administrator: { readonly email: string; readonly password: string } | undefined;
  /** Settings of the Worker, by name; a missing setting has its default. */
  readonly settings: Readonly<Record<string, string>>;
  /** Files and folders of the cells of the public charts, for the worker that processes uploads. */
  readonly cells: readonly string[];
  /** Background of the public charts. */
  readonly background: string | undefined;
  /** Whether the service starts a worker that processes uploads. */
  readonly hasChartWorker: boolean;
  /** Do not print a line for successful requests. */
  readonly printsFailures?: boolean;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Whether the length is permitted, or there is no password. */
const isPassword = (text: string | undefined): boolean =>
  text === undefined ||
  (text.length >= PASSWORD_LENGTH.least && text.length <= PASSWORD_LENGTH.most);

/**
 * @throws Error that lists the accepted values of every invalid setting of the host, and of every
 *   invalid secret
 */
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
  // A restarted supervisor reuses its port.
  const port = Number(text('LEADLINE_KEPT_PORT') ?? given.port ?? text('PORT') ?? 8787);
  const host = given.host ?? text('HOST') ?? '127.0.0.1';
  const settings = Object.fromEntries(
    [...SETTING_NAMES, ...OWN_SETTINGS].flatMap((name) => {
      const value = text(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const invalid = [
    ...(Number.isInteger(port) && port >= 0 && port <= 65_535 ? [] : ['PORT']),
    ...(/^[A-Za-z0-9.:-]+$/.test(host) ? [] : ['HOST']),
    // The Worker uses the default of any other setting.
    ...readSettings(settings).faults.filter((name) => settingNamed(name)?.isSecret),
    ...proxyRules(settings['PUBLIC_URL'], settings['TRUSTED_PROXIES']).faults,
    ...(/^([1-9]\d{0,4})?$/.test(settings['CACHE_MEGABYTES'] ?? '') ? [] : ['CACHE_MEGABYTES']),
    ...(readRanges(settings['METRICS_FROM'] ?? '') === undefined ? ['METRICS_FROM'] : []),
    ...readMailSettings(variables).faults,
    ...[CHART_WORKER, S63_LICENSED].filter(
      (name) => !['on', 'off', undefined].includes(text(name)),
    ),
    ...(isOpaqueToken(text(DEFAULT_TOKEN) ?? '0'.repeat(32)) ? [] : [DEFAULT_TOKEN]),
    // Both or neither.
    ...((text(ADMIN_EMAIL) === undefined) === (text(ADMIN_PASSWORD) === undefined)
      ? []
      : [text(ADMIN_EMAIL) === undefined ? ADMIN_EMAIL : ADMIN_PASSWORD]),
    ...(isPassword(text(ADMIN_PASSWORD)) ? [] : [ADMIN_PASSWORD]),
    ...['DATABASE_URL', 'DATABASE_OWNER_URL'].filter(
      (name) => !isPostgresUrl(text(name) ?? 'postgres:'),
    ),
  ];
  if (invalid.length > 0) {
    const option: Record<string, string | undefined> = {
      PORT: given.port && '--port',
      HOST: given.host && '--host',
    };
    const sentences = [...new Set(invalid)].map((name) => expectedValue(name, option[name]));
    throw new Error(['Invalid settings.', ...sentences].join('\n'));
  }
  const [email, password] = [text(ADMIN_EMAIL), text(ADMIN_PASSWORD)];
  const charts = given.charts ?? text('LEADLINE_CHARTS');
  const background = text('LEADLINE_BACKGROUND');
  return {
    cells: (text('LEADLINE_CELLS') ?? '')
      .split(delimiter)
      .filter(Boolean)
      .map((one) => resolve(one)),
    background: background === undefined ? undefined : resolve(background),
    hasChartWorker: text(CHART_WORKER) !== 'off',
    charts: charts === undefined ? undefined : resolve(charts),
    data: resolve(given.data ?? text('LEADLINE_DATA') ?? '.data'),
    provisioning: resolve(text('LEADLINE_PROVISIONING') ?? 'provisioning'),
    provisioningAccount: text('PROVISIONING_ACCOUNT') ?? DEVELOPMENT.account,
    host,
    port,
    databaseUrl: text('DATABASE_URL'),
    databaseOwnerUrl: text('DATABASE_OWNER_URL'),
    defaultToken: text(DEFAULT_TOKEN),
    administrator: email === undefined || password === undefined ? undefined : { email, password },
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
