// Where an S3-compatible bucket is and with which keys, from the options of a command and from the
// environment, under the names that S3's own tools read.

/** What is missing or cannot be meant among the settings of a bucket. */
export class BucketSettingsMissing extends Error {}

export interface S3Settings {
  readonly bucket: string;
  /** Undefined for Amazon's own S3, whose address follows from region and bucket. */
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
 * A bucket that speaks S3: at `endpoint`, or AWS_ENDPOINT_URL_S3, or AWS_ENDPOINT_URL, or at Amazon.
 *
 * @throws BucketSettingsMissing naming what is to be set; never a value of it
 */
export function s3Settings(
  bucket: string,
  endpoint: string | undefined,
  environment: Environment,
): S3Settings {
  const address =
    endpoint ?? said(environment, 'AWS_ENDPOINT_URL_S3') ?? said(environment, 'AWS_ENDPOINT_URL');
  if (address !== undefined && !/^https?:\/\/[^/]/.test(address)) {
    throw new BucketSettingsMissing(`"${address}" is no address of a bucket service (https://…).`);
  }
  const region = said(environment, 'AWS_REGION') ?? said(environment, 'AWS_DEFAULT_REGION');
  return {
    bucket: checkedName(bucket),
    ...(address === undefined ? {} : { endpoint: address }),
    region: region ?? (address === undefined ? 'us-east-1' : 'auto'),
    credentials: credentialsOf(environment),
  };
}

/**
 * A bucket of R2 through its S3 API: the endpoint is the account's, the keys are those of an R2 API
 * token, under the same names as for any other S3.
 *
 * @throws BucketSettingsMissing naming what is to be set
 */
export function r2Settings(
  bucket: string,
  endpoint: string | undefined,
  environment: Environment,
): S3Settings {
  const account = said(environment, 'CLOUDFLARE_ACCOUNT_ID');
  if (endpoint !== undefined) return s3Settings(bucket, endpoint, environment);
  if (account === undefined || !/^[0-9a-f]{32}$/.test(account)) {
    throw new BucketSettingsMissing(
      'Set CLOUDFLARE_ACCOUNT_ID to the account of the bucket: 32 hexadecimal digits.',
    );
  }
  const ofAccount = `https://${account}.r2.cloudflarestorage.com`;
  return { ...s3Settings(bucket, ofAccount, environment), region: 'auto' };
}

function credentialsOf(environment: Environment): S3Settings['credentials'] {
  const accessKeyId = said(environment, 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = said(environment, 'AWS_SECRET_ACCESS_KEY');
  const sessionToken = said(environment, 'AWS_SESSION_TOKEN');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new BucketSettingsMissing(
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the keys of the bucket.',
    );
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/** Names as S3 allows them (3 to 63 lower-case letters, digits, dots and hyphens). */
function checkedName(bucket: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return bucket;
  throw new BucketSettingsMissing(`"${bucket}" is no name of a bucket.`);
}

function said(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}
