// The configurations of the runtime (workerd): one process serves, another one does heavy work. Both are of
// one bundle; a process has one thread for JavaScript, so a route would keep tiles waiting beside it.
// Values that may be secret go by the process's environment, never into the file.

import { COMPATIBILITY_DATE } from '../admin/local-store.ts';

export interface RuntimeLayout {
  /** Modules of the bundled Worker, in the folder of the configuration; the first one is its entry. */
  readonly modules: readonly { readonly name: string; readonly kind: ModuleKind }[];
  /** Folder of the published charts. */
  readonly chartsDir: string;
  /** Folder of pages and artwork. */
  readonly assetsDir: string;
  /** Folder of their compressed copies. */
  readonly packedDir: string;
  /** Folder of the key-value store; written to. */
  readonly edgeDir: string;
  /** Where the process that serves is asked by what is before it, and by no other. */
  readonly service: RuntimeSockets;
  /** Where the process for heavy work is asked by the one that serves, and by no other. */
  readonly heavyWork: RuntimeSockets;
  /** Host and port of the proxy before the database; undefined where the database is Neon's. */
  readonly databaseProxy: string | undefined;
  /** Names of the settings that the process reads, each from the variable of that name. */
  readonly settings: readonly string[];
}

/** Paths of a process's sockets. */
export interface RuntimeSockets {
  /** For requests. */
  readonly requests: string;
  /** For the supervisor alone. */
  readonly supervisor: string;
}

export type ModuleKind = 'esModule' | 'wasm' | 'data';

/** A text literal of Cap'n Proto. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;

/** Text of the configuration of the process that serves. Paths must be absolute. */
export function serviceConfig(layout: RuntimeLayout): string {
  const { chartsDir, assetsDir, packedDir, edgeDir, service, heavyWork } = layout;
  return configText(layout, service, {
    entrypoint: undefined,
    supervisor: 'supervisor',
    services: [
      `(name = "charts", disk = (path = ${quoted(chartsDir)}))`,
      `(name = "assets", disk = (path = ${quoted(assetsDir)}))`,
      `(name = "packed", disk = (path = ${quoted(packedDir)}))`,
      `(name = "edge", disk = (path = ${quoted(edgeDir)}, writable = true))`,
      `(name = "heavy-work", external = (address = ${quoted(`unix:${heavyWork.requests}`)}, http = ()))`,
    ],
    bindings: [
      ...['CHARTS', 'ASSETS', 'PACKED', 'EDGE'].map(bound),
      '(name = "HEAVY_WORK", service = "heavy-work")',
      ...layout.settings.map(fromEnvironment),
    ],
  });
}

/** Text of the configuration of the process for heavy work. Paths must be absolute. */
export function heavyWorkConfig(layout: RuntimeLayout): string {
  return configText(layout, layout.heavyWork, {
    entrypoint: 'HeavyWork',
    supervisor: 'heavySupervisor',
    services: [`(name = "charts", disk = (path = ${quoted(layout.chartsDir)}))`],
    bindings: [bound('CHARTS'), ...layout.settings.map(fromEnvironment)],
  });
}

interface Parts {
  /** Of the bundle, who answers requests; undefined for its default. */
  readonly entrypoint: string | undefined;
  /** And who answers the supervisor. */
  readonly supervisor: string;
  readonly services: readonly string[];
  readonly bindings: readonly string[];
}

function configText(
  { modules, databaseProxy }: RuntimeLayout,
  sockets: RuntimeSockets,
  { entrypoint, supervisor, services, bindings }: Parts,
): string {
  const embedded = modules.map(
    ({ name, kind }) => `(name = ${quoted(name)}, ${kind} = embed ${quoted(name)})`,
  );
  // What the Worker may reach: its database, and nothing else.
  const outside =
    databaseProxy === undefined
      ? '(name = "outside", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true)))'
      : `(name = "outside", external = (address = ${quoted(databaseProxy)}, http = ()))`;
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    ${[...services, outside].join(',\n    ')},
  ],
  sockets = [
    ${socketText('requests', sockets.requests, entrypoint)},
    ${socketText('supervisor', sockets.supervisor, supervisor)},
  ],
);

const worker :Workerd.Worker = (
  modules = [
    ${embedded.join(',\n    ')},
  ],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = ["nodejs_compat"],
  globalOutbound = "outside",
  bindings = [
    ${bindings.join(',\n    ')},
  ],
);
`;
}

function socketText(name: string, path: string, entrypoint: string | undefined): string {
  const service =
    entrypoint === undefined ? '"worker"' : `(name = "worker", entrypoint = ${quoted(entrypoint)})`;
  return `(name = "${name}", address = ${quoted(`unix:${path}`)}, http = (), service = ${service})`;
}

const bound = (name: string) => `(name = "${name}", service = "${name.toLowerCase()}")`;
const fromEnvironment = (name: string) =>
  `(name = ${quoted(name)}, fromEnvironment = ${quoted(variableOf(name))})`;

/** A prefix of our own: a setting must not be read by accident from, say, `HOST`. */
export const variableOf = (setting: string): string => `LEADLINE_SETTING_${setting}`;
