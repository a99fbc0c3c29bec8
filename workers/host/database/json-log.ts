// Writes log lines as JSON to standard output, in the format of the Worker.

export type LogLine = Readonly<Record<string, unknown>> & { readonly kind: string };
export type Log = (line: LogLine) => void;

/** Continue if the output cannot be written, as to a closed pipe: for services and deployments. */
export function continueWithoutOutput(): void {
  process.stdout.removeAllListeners('error').on('error', () => undefined);
}

export const logLine: Log = (line) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
};

/** Message of an error, with the cause of a TypeError, because `fetch failed` alone does not explain. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An AggregateError of several addresses has a code but no message.
  const message = error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
  return error instanceof TypeError && error.cause !== undefined
    ? `${message}: ${reasonOf(error.cause)}`
    : message;
}

/** Forward the lines of a stream. JSON lines are unchanged; others are wrapped in a log line. */
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
