// Whether a client unpacks gzip (RFC 9110, section 12.5.3).

import { acceptedCodings } from './accepted-codings.ts';

/** One that says nothing gets the plain bytes: it may not know how to unpack. */
export const acceptsGzip = (header: string | undefined): boolean =>
  acceptedCodings(header, ['gzip']).length > 0;
