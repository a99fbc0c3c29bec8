// How commands end: named exit codes, and the one error that carries one.

export const EXIT = {
  ok: 0,
  /** A fault of ours, or of the machine. */
  failed: 1,
  /** The command line was not understood. */
  usage: 2,
  /** No cell could be built into charts. */
  noCharts: 3,
  /** A build or archive is damaged. */
  damaged: 4,
  /**
   * The bucket holds what must not be replaced, or took what it was not given; with `--strict`, the chart
   * lacks cells or updates.
   */
  refused: 5,
  /** Something asked for is not there: a file, a tile, a download, an older build. */
  missing: 6,
  /**
   * A bucket or a producer could not be reached, or refused, or another run has the folder: it may
   * work another time.
   */
  unavailable: 7,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a message for its user and a code for its caller. */
export class CommandEnd extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Where commands write: results to `out`, everything else to `note`. One line a call. */
export interface CommandOutput {
  readonly out: (line: string) => void;
  readonly note: (line: string) => void;
  /** Whether progress may be drawn over itself. */
  readonly isTerminal: boolean;
}
