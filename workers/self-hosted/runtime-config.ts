// The configuration of the runtime (workerd) that serves: the service and the Worker for heavy work, both
// of one bundle, three folders, two sockets.
// Values that may be secret go by the process's environment, never into the file.

import { COMPATIBILITY_DATE } from '../admin/local-store.ts';

export interface RuntimeLayout {
  /** Modules of the bundled Worker, in the folder of the configuration; the first one is its entry. */
  readonly modules: readonly { readonly name: string; readonly kind: ModuleKind }[];
  /** Folder of the published charts. */
  readonly chartsDir: string;
  /** Folder of pages and artwork. */
  readonly assetsDir: string;
  /** Folder of the key-value store; written to. */
  readonly edgeDir: string;
  /** Path of the socket at which requests come from what is before the runtime, and from nowhere else. */
  readonly serviceSocket: string;
  /** Path of the supervisor's own socket. */
  readonly supervisorSocket: string;
  /** Host and port of the proxy before the database; undefined where the database is Neon's. */
  readonly databaseProxy: string | undefined;
  /** Names of the settings that the service reads, each from the variable of that name. */
  readonly settings: readonly string[];
}

export type ModuleKind = 'esModule' | 'wasm' | 'data';

/** A text literal of Cap'n Proto. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;

/** The text of the configuration. Paths must be absolute. */
export function runtimeConfig(layout: RuntimeLayout): string {
  const modules = layout.modules.map(
    ({ name, kind }) => `(name = ${quoted(name)}, ${kind} = embed ${quoted(name)})`,
  );
  const folders = ['CHARTS', 'ASSETS', 'EDGE'];
  const settings = layout.settings.map(fromEnvironment);
  const heavySettings = layout.settings
    .filter((name) => HEAVY_SETTINGS.includes(name))
    .map(fromEnvironment);
  // What the Worker may reach: its database, and nothing else.
  const outside =
    layout.databaseProxy === undefined
      ? '(name = "outside", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true)))'
      : `(name = "outside", external = (address = ${quoted(layout.databaseProxy)}, http = ()))`;
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "leadline", worker = .leadline),
    (name = "heavy-work", worker = .heavyWork),
    (name = "charts", disk = (path = ${quoted(layout.chartsDir)})),
    (name = "assets", disk = (path = ${quoted(layout.assetsDir)})),
    (name = "edge", disk = (path = ${quoted(layout.edgeDir)}, writable = true)),
    ${outside},
  ],
  sockets = [
    (name = "public", address = ${quoted(`unix:${layout.serviceSocket}`)}, http = (), service = "leadline"),
    (name = "supervisor", address = ${quoted(`unix:${layout.supervisorSocket}`)}, http = (),
     service = (name = "leadline", entrypoint = "supervisor")),
  ],
);

${workerText('leadline', modules, [...folders.map(bound), HEAVY_WORK, ...settings])}
${workerText('heavyWork', modules, [bound('CHARTS'), ...heavySettings])}`;
}

/** Of the settings, what the Worker for heavy work is not told with each order. */
const HEAVY_SETTINGS = ['DATABASE_URL', 'DATABASE_PROXY'];
const HEAVY_WORK =
  '(name = "HEAVY_WORK", service = (name = "heavy-work", entrypoint = "HeavyWork"))';

const bound = (name: string) => `(name = "${name}", service = "${name.toLowerCase()}")`;
const fromEnvironment = (name: string) =>
  `(name = ${quoted(name)}, fromEnvironment = ${quoted(variableOf(name))})`;

const workerText = (name: string, modules: readonly string[], bindings: readonly string[]) =>
  `const ${name} :Workerd.Worker = (
  modules = [
    ${modules.join(',\n    ')},
  ],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = ["nodejs_compat"],
  globalOutbound = "outside",
  bindings = [
    ${bindings.join(',\n    ')},
  ],
);
`;

/** A prefix of our own: a setting must not be read by accident from, say, `HOST`. */
export const variableOf = (setting: string): string => `LEADLINE_SETTING_${setting}`;
