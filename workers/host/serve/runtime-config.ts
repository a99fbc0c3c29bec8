// The configurations of the runtime (workerd): one process serves, another does heavy work. Both run the
// same bundle. A process has one JavaScript thread, so a route in the first would delay tiles.
// Settings may be secret, so they are passed in the environment and never written to the file.

import { COMPATIBILITY_DATE } from '../admin/local-store.ts';

export interface RuntimeLayout {
  /** Modules of the Worker, in the folder of the configuration; the entry module comes first. */
  readonly modules: readonly { readonly name: string; readonly kind: ModuleKind }[];
  /** Folder of the published charts. */
  readonly chartsDir: string;
  /** Folder of uploaded charts; writable. */
  readonly uploadsDir: string;
  /** Folder of pages, symbols and fonts. */
  readonly assetsDir: string;
  /** Folder of the compressed assets. */
  readonly packedDir: string;
  /** Folder of the key-value store; writable. */
  readonly edgeDir: string;
  /** Sockets of the serving process, used by the HTTP front. */
  readonly service: RuntimeSockets;
  /** Sockets of the process for heavy work, used by the serving process. */
  readonly heavyWork: RuntimeSockets;
  /** Host and port of the database proxy; `undefined` for a Neon database. */
  readonly databaseProxy: string | undefined;
  /** Names of the settings that the process reads from its environment. */
  readonly settings: readonly string[];
}

/** Paths of a process's sockets. */
export interface RuntimeSockets {
  /** Socket for client requests. */
  readonly requests: string;
  /** Socket for the supervisor. */
  readonly supervisor: string;
}

export type ModuleKind = 'esModule' | 'wasm' | 'data';

/** A Cap'n Proto text literal. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;

/** The configuration of the serving process. Paths must be absolute. */
export function serviceConfig(layout: RuntimeLayout): string {
  const { chartsDir, assetsDir, packedDir, edgeDir, service, heavyWork } = layout;
  return configText(layout, service, {
    entrypoint: undefined,
    supervisor: 'supervisor',
    services: [
      `(name = "charts", disk = (path = ${quoted(chartsDir)}))`,
      `(name = "uploads", disk = (path = ${quoted(layout.uploadsDir)}, writable = true))`,
      `(name = "assets", disk = (path = ${quoted(assetsDir)}))`,
      `(name = "packed", disk = (path = ${quoted(packedDir)}))`,
      `(name = "edge", disk = (path = ${quoted(edgeDir)}, writable = true))`,
      `(name = "heavy-work", external = (address = ${quoted(`unix:${heavyWork.requests}`)}, http = ()))`,
    ],
    bindings: [
      ...['CHARTS', 'UPLOADS', 'ASSETS', 'PACKED', 'EDGE'].map(bound),
      '(name = "HEAVY_WORK", service = "heavy-work")',
      ...layout.settings.map(fromEnvironment),
    ],
  });
}

/** The configuration of the process for heavy work. Paths must be absolute. */
export function heavyWorkConfig(layout: RuntimeLayout): string {
  return configText(layout, layout.heavyWork, {
    entrypoint: 'HeavyWork',
    supervisor: 'heavySupervisor',
    services: [`(name = "charts", disk = (path = ${quoted(layout.chartsDir)}))`],
    bindings: [bound('CHARTS'), ...layout.settings.map(fromEnvironment)],
  });
}

interface Parts {
  /** Export of the bundle that answers requests; `undefined` for the default export. */
  readonly entrypoint: string | undefined;
  /** Export of the bundle that answers the supervisor. */
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
  // The Worker may connect to its database only.
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

/** The environment variable of a setting. The prefix avoids clashes with variables such as `HOST`. */
export const variableOf = (setting: string): string => `LEADLINE_SETTING_${setting}`;
