// `--accept-bad-checksums`, which the commands that read cells have.

/** Help of the option. */
export const ACCEPT_BAD_CHECKSUMS_HELP =
  'use files whose CRC-32 is not that of CATALOG.031, with a warning';
