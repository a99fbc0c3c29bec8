// The option `--accept-bad-checksums` of all commands that read cells.

export const ACCEPT_BAD_CHECKSUMS_HELP =
  'use files whose CRC-32 differs from CATALOG.031, with a warning';
