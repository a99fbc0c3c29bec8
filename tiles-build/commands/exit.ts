// Exit codes, and the error that ends a command with one.

export const EXIT = {
  ok: 0,
  /** A program error, or an error of the machine. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** No cell could be used. */
  noCharts: 3,
  /** A build or archive is damaged. */
  damaged: 4,
  /**
   * Publishing would replace different data or lose charts, an upload was altered, or a deletion could lose
   * charts of accounts; with `--strict`, the chart lacks cells or updates.
   */
  refused: 5,
  /** A file, tile, download or older build does not exist. */
  missing: 6,
  /** A bucket or producer is unavailable, or another run uses the folder. A retry may succeed. */
  unavailable: 7,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a message and an exit code. */
export class CommandEnd extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The output of a command: results to `out`, everything else to `note`. One line per call. */
export interface CommandOutput {
  readonly out: (line: string) => void;
  readonly note: (line: string) => void;
  /** Whether a progress bar can be drawn. */
  readonly isTerminal: boolean;
}
