// Explains errors of files and connections to users, without error codes and names of system calls.

/** The properties of Node's system errors that a text needs. */
interface SystemError {
  readonly code?: string;
  readonly path?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

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
  const { code = '', path, hostname, address, port } = (error ?? {}) as SystemError;
  const ofFile = fileTexts[code];
  if (ofFile !== undefined) return `${path || 'The path'} ${ofFile}`;
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
