// Explains errors of files and connections to users, without error codes and names of system calls.

/** The properties of Node's system errors that a text needs. */
interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  /** Target of a copy. */
  readonly dest?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

/** Errors of the target of a copy. */
const OF_TARGET = new Set(['EROFS', 'ENOSPC']);

const fileTexts: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. Check its spelling.',
  ENOTDIR: 'cannot be opened: a part of the path is a file. Name a folder there.',
  EEXIST: 'already exists and is not a folder. Name another path.',
  EISDIR: 'is a folder. Name a file.',
  EACCES: 'cannot be accessed: permission denied. Change its permissions, or run as another user.',
  EPERM: 'cannot be changed: permission denied. Change its permissions, or run as another user.',
  EROFS: 'cannot be written: the disk is read-only. Name a path on another disk.',
  ENOSPC: 'cannot be written: the disk is full. Free space, then run the command again.',
  ENAMETOOLONG: 'cannot be opened: the name is too long. Name a shorter path.',
};

/** The cause and the remedy, in two sentences; `undefined` if it is not a known system error. */
export function systemErrorText(error: unknown): string | undefined {
  const { code = '', syscall, hostname, address, port, ...paths } = (error ?? {}) as SystemError;
  const path = (OF_TARGET.has(code) && paths.dest) || paths.path || 'The path';
  // Node reports a read-only disk as ENOENT if it also creates the folders above.
  if (code === 'ENOENT' && syscall === 'mkdir')
    return `${path} cannot be created: the disk is read-only, or a folder above it does not exist. Name another path.`;
  const ofFile = fileTexts[code];
  if (ofFile !== undefined) return `${path} ${ofFile}`;
  const server = address === undefined ? 'the address' : `${address}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `No server answers at ${server}. Start the server, or correct its address.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${hostname ?? 'name'} cannot be found. Correct its name, or check the network.`;
    case 'ETIMEDOUT':
    case 'ECONNRESET':
      return `The server at ${server} does not answer. Check the network, then try again.`;
    case 'EADDRINUSE':
      return `Port ${port} is in use. Choose another port.`;
    case 'EADDRNOTAVAIL':
      return `This machine does not have the address ${address}. Choose one of its addresses.`;
    default:
      return undefined;
  }
}
