import { acceptedCodings } from './accepted-codings.ts';

/**
 * Whether a client accepts gzip (RFC 9110, section 12.5.3); false without an Accept-Encoding
 * header.
 */
export const acceptsGzip = (header: string | undefined): boolean =>
  acceptedCodings(header, ['gzip']).length > 0;
