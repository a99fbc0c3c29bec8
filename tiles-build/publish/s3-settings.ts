// Reads address, region and keys of an S3-compatible bucket from command options and the standard
// AWS environment variables.

/** A setting of the bucket is missing or invalid. */
export class BucketSettingsMissing extends Error {}

export interface S3Settings {
  readonly bucket: string;
  /** Undefined for Amazon S3, whose address is derived from region and bucket. */
  readonly endpoint?: string;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Settings of an S3 bucket. The address is `endpoint`, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL or
 * Amazon's, in this order.
 *
 * @throws BucketSettingsMissing naming the setting, without its value
 */
export function s3Settings(
  bucket: string,
  endpoint: string | undefined,
  environment: Environment,
): S3Settings {
  const address =
    endpoint ??
    variable(environment, 'AWS_ENDPOINT_URL_S3') ??
    variable(environment, 'AWS_ENDPOINT_URL');
  if (address !== undefined && !/^https?:\/\/[^/]/.test(address)) {
    throw new BucketSettingsMissing(
      `Invalid S3 endpoint "${address}". Expected a URL, for example https://s3.example.`,
    );
  }
  const region = variable(environment, 'AWS_REGION') ?? variable(environment, 'AWS_DEFAULT_REGION');
  return {
    bucket: checkedName(bucket),
    ...(address === undefined ? {} : { endpoint: address }),
    region: region ?? (address === undefined ? 'us-east-1' : 'auto'),
    credentials: credentialsOf(environment),
  };
}

/**
 * Settings of an R2 bucket with the S3 API. The endpoint follows from the account; the keys are
 * those of an R2 API token, in the same variables as for S3.
 *
 * @throws BucketSettingsMissing naming the setting
 */
export function r2Settings(
  bucket: string,
  endpoint: string | undefined,
  environment: Environment,
): S3Settings {
  const account = variable(environment, 'CLOUDFLARE_ACCOUNT_ID');
  if (endpoint !== undefined) return s3Settings(bucket, endpoint, environment);
  if (account === undefined || !/^[0-9a-f]{32}$/.test(account)) {
    throw new BucketSettingsMissing(
      'Set CLOUDFLARE_ACCOUNT_ID to the account that owns the bucket (32 hexadecimal digits).',
    );
  }
  const ofAccount = `https://${account}.r2.cloudflarestorage.com`;
  return { ...s3Settings(bucket, ofAccount, environment), region: 'auto' };
}

function credentialsOf(environment: Environment): S3Settings['credentials'] {
  const accessKeyId = variable(environment, 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = variable(environment, 'AWS_SECRET_ACCESS_KEY');
  const sessionToken = variable(environment, 'AWS_SESSION_TOKEN');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new BucketSettingsMissing(
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the access keys of the bucket.',
    );
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/** Validate a bucket name: 3 to 63 lower-case letters, digits, dots and hyphens. */
function checkedName(bucket: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return bucket;
  throw new BucketSettingsMissing(
    `Invalid bucket name "${bucket}". Expected 3 to 63 lowercase letters, digits, dots or dashes.`,
  );
}

function variable(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}
