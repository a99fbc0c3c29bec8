/** Ends the process quietly, as SIGPIPE would, if the program that reads its output, such as `head`, ends first. */
export function endIfOutputCloses(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(128 + 13);
  });
}
