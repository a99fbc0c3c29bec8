// Exit codes, and the error that ends a command with one.

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  noCharts: 3,
  damaged: 4,
  refused: 5,
  missing: 6,
  unavailable: 7,
} as const;

/** Meanings of the codes, in their order. */
export const EXIT_MEANINGS = [
  'success',
  'an error of the program or of the machine, such as a full disk',
  'the command line is invalid',
  'no cell could be used',
  'a build or archive is damaged',
  `refused: published data would be replaced or charts lost, or an upload was altered;
     with --strict, the chart lacks cells or updates`,
  'a file, tile, download or older build does not exist',
  'a bucket, database or producer is unavailable, or another run uses the folder; try again later',
] as const;

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
