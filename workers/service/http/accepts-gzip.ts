// Whether a client unpacks gzip (RFC 9110, section 12.5.3).

/** One that says nothing gets the plain bytes: it may not know how to unpack. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  let any = false;
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((word) => word.trim());
    const isRefused = parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
    if (coding === 'gzip' || coding === 'x-gzip') return !isRefused;
    if (coding === '*') any = !isRefused;
  }
  return any;
}
