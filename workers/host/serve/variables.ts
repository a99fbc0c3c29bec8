// The variables of the self-hosted service, in addition to the settings of setting-table.ts. Help texts and
// README.md contain this table.

/** Names and meaning, in Markdown. */
export const SERVE_VARIABLES: Readonly<Record<string, string>> = {
  HOST: 'address to listen on; default 127.0.0.1. `npm start` ignores it and always listens there',
  PORT: 'port to listen on, 0 for any free port; default 8787',
  PUBLIC_URL: 'public address without a path, such as `https://charts.example`',
  TRUSTED_PROXIES:
    'proxies whose `X-Forwarded-*` and `X-Request-Id` are trusted: addresses, networks, `loopback`, `private`, separated by commas; default none',
  METRICS_FROM: 'clients that may read `/metrics`, in the same format; default `loopback`',
  LEADLINE_DATA: 'data folder; default `.data`',
  LEADLINE_CHARTS:
    'chart build to publish at the first start with this build. A later start with the same build does not replace newer charts',
  'LEADLINE_PROVISIONING, PROVISIONING_ACCOUNT':
    'folder of provisioned styles (default `provisioning` in the working directory), and their account (default `development`, which tokens have without `--account`)',
  LEADLINE_CELLS:
    'files, folders and zips of the cells that the public charts were built from, separated by colons. Charts of accounts include these cells. With the demo charts, their cells are used',
  LEADLINE_BACKGROUND: 'folder of the background of the public charts',
  LEADLINE_SYNC:
    'producers that administrators can refresh the public charts from: the arguments of `charts sync` with `--cells`, without `--out`; several are separated by semicolons',
  LEADLINE_S63_LICENSED:
    '`on` to accept encrypted (S-63) charts of accounts; default `off`. The other settings are in `tiles-build/s63/README.md`',
  'LEADLINE_SMTP, LEADLINE_MAIL_FROM':
    'mail server (`smtps://user:password@host`, or `smtp://` with STARTTLS) and sender of the emails of the portal: invitations and links to set a password. They need `PUBLIC_URL` and the worker of `CHART_WORKER`. Without them no email is sent',
  CHART_WORKER:
    '`off` to start no worker for uploads, for example if another machine runs it; default `on`. The container has no build tools, so no worker starts there',
  DATABASE_OWNER_URL:
    "owner's login on your PostgreSQL (16 or newer), instead of a server in the data folder; the service applies migrations and creates its own login",
  DATABASE_URL:
    "the service's login, if you create it yourself (`npm run migrate -- --login NAME`)",
  PROVISIONING_DEFAULT_TOKEN:
    'an opaque token to create at the first start: 32 hexadecimal digits in lower case (`openssl rand -hex 16`). It is public and can read tiles, styles and features, for the account `default`, without expiry. Later starts do not change it, even if you revoked it. An external database needs `DATABASE_OWNER_URL`',
  'INITIAL_ADMIN_EMAIL, INITIAL_ADMIN_PASSWORD':
    'address and password (10 to 128 characters) of the administrator to create while the portal (`/portal`) has no users. An external database needs `DATABASE_OWNER_URL`. Without them, the first start creates an administrator without a password and logs a one-time sign-in link; `npm run tokens -- user reset` makes another',
  CACHE_MEGABYTES: 'memory for the cache of tiles, 1 to 99999; default 128',
};

/** The table for a terminal. */
export const variablesHelp = (): string =>
  Object.entries(SERVE_VARIABLES)
    .map(([names, meaning]) => `  ${names}\n      ${meaning.replaceAll('`', '')}`)
    .join('\n');
