// Lines of JSON on the standard output, as the Worker writes them: one way for every part.

export type LogLine = Readonly<Record<string, unknown>> & { readonly kind: string };
export type Log = (line: LogLine) => void;

// Who reads the lines may go before we do; that must not be the end of the service.
process.stdout.on('error', () => undefined);

export const logLine: Log = (line) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
};

/** What an error says, and what its cause does where it is of the platform (`fetch failed` says nothing). */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses of one host: each has failed, and the whole says only how.
  const own = error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
  return error instanceof TypeError && error.cause !== undefined
    ? `${own}: ${reasonOf(error.cause)}`
    : own;
}

/** Lines out of chunks; what is JSON already goes through, the rest is put into a line of a part. */
export function passLines(part: string, stream: NodeJS.ReadableStream): void {
  let rest = '';
  const pass = (text: string) => {
    if (text.startsWith('{')) process.stdout.write(`${text}\n`);
    else if (text.trim() !== '') logLine({ kind: 'said', part, message: text.slice(0, 2000) });
  };
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) pass(line);
  });
  stream.on('end', () => pass(rest));
}
