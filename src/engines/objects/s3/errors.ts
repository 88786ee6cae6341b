import { StoreError, type StoreErrorCode } from '../errors.ts'
import { fromNetwork } from '../remote/network-errors.ts'

/** What a call was about, for the message. */
export interface Subject {
  readonly bucket: string
  readonly key?: string | undefined
  /** The permission that the call needs, as Amazon names it. */
  readonly needs: string
}

const VENDOR_CODES: Readonly<Record<string, StoreErrorCode>> = {
  NoSuchBucket: 'no_such_bucket',
  NoSuchKey: 'no_such_key',
  BucketAlreadyExists: 'bucket_taken',
  BucketNotEmpty: 'bucket_not_empty',
  PreconditionFailed: 'precondition_failed',
  ConditionalRequestConflict: 'precondition_failed',
  InvalidRange: 'range_not_satisfiable',
  NoSuchUpload: 'no_such_upload',
  InvalidPart: 'invalid_part',
  InvalidPartOrder: 'invalid_part',
  EntityTooSmall: 'invalid_part',
  InvalidAccessKeyId: 'unknown_access_key',
  SignatureDoesNotMatch: 'wrong_secret',
  RequestTimeTooSkewed: 'clock_off',
  RequestExpired: 'clock_off',
  AccessDenied: 'access_denied',
  AccountProblem: 'access_denied',
  AllAccessDisabled: 'access_denied',
  InvalidObjectState: 'access_denied',
  QuotaExceeded: 'store_full',
  TooManyBuckets: 'store_full',
  XMinioStorageFull: 'store_full',
  BandwidthLimitExceeded: 'throttled',
  ServiceUnavailable: 'throttled',
  SlowDown: 'throttled',
  TooManyRequests: 'throttled',
  RequestTimeout: 'timed_out'
}

/** For answers that name no code, as those to a HEAD, or one that is not above. */
const STATUSES: Readonly<Record<number, StoreErrorCode>> = {
  401: 'access_denied',
  403: 'access_denied',
  404: 'no_such_key',
  412: 'precondition_failed',
  416: 'range_not_satisfiable',
  429: 'throttled',
  503: 'throttled',
  504: 'timed_out',
  507: 'store_full'
}

const WRONG_REGION = new Set([
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'InvalidLocationConstraint',
  'PermanentRedirect',
  'TemporaryRedirect'
])

interface VendorError {
  readonly name?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $response?: { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> }
}

/** Nothing of the vendor's error is kept: it carries the whole answer and what was signed. */
export function toStoreError(error: unknown, subject: Subject): StoreError {
  const ofNetwork = fromNetwork(error)
  if (ofNetwork !== undefined) return ofNetwork
  const { name: given, $metadata, $response } = error as VendorError
  const name = String(given)
  const status = $metadata?.httpStatusCode ?? $response?.statusCode ?? 0
  if (WRONG_REGION.has(name) || status === 301) {
    return new StoreError('store_failed', wrongRegion($response?.headers?.['x-amz-bucket-region']))
  }
  const code = VENDOR_CODES[name] ?? STATUSES[status]
  if (code !== undefined) return new StoreError(code, MESSAGES[code]?.(subject) ?? `The store answers ${name}`)
  return (status === 0 || status >= 400) && /^[A-Z]\w+$/.test(name) ? refusal(name, status) : notS3()
}

export function notS3(): StoreError {
  return new StoreError(
    'store_failed',
    'What answers at this address does not speak the S3 protocol; check endpoint, port and TLS'
  )
}

export function changed(key: string): StoreError {
  return new StoreError('precondition_failed', `${key} is not as the condition wants it`)
}

function refusal(name: string, status: number): StoreError {
  const advice = status >= 500 ? 'try again, and look into its log if it stays so' : 'check the settings of the store'
  return new StoreError(
    'store_failed',
    `The store answers ${name}${status === 0 ? '' : ` (status ${status})`}; ${advice}`
  )
}

function wrongRegion(region: string | undefined): string {
  const right = region === undefined ? 'the right one' : region
  return `The region is not the one of this store or bucket; set it to ${right}`
}

const MESSAGES: Partial<Record<StoreErrorCode, (subject: Subject) => string>> = {
  no_such_bucket: ({ bucket }) => `The store has no bucket ${bucket}`,
  no_such_key: ({ bucket, key }) => `${bucket} holds no object ${key}`,
  bucket_taken: ({ bucket }) => `Somebody else has a bucket ${bucket} already; choose another name`,
  bucket_not_empty: ({ bucket }) => `${bucket} still holds objects; delete them first`,
  precondition_failed: ({ key }) => `${key} is not as the condition wants it`,
  range_not_satisfiable: ({ key }) => `The range lies behind the end of ${key}`,
  no_such_upload: ({ key }) => `The upload of ${key} was completed or given up, or never begun; start another one`,
  invalid_part: ({ key }) => `A part of ${key} is missing, changed, out of order or too small; send the parts again`,
  unknown_access_key: () => 'The store does not know this access key; check it for its spelling, and that it is active',
  wrong_secret: () => 'The secret key does not belong to this access key; enter it again',
  clock_off: () => "The clocks of this server and of the store are more than 15 minutes apart; set this server's clock",
  access_denied: ({ bucket, needs }) => `The access key may not do this in ${bucket}; grant it ${needs}`,
  store_full: () => 'A quota of the store is used up; remove data or have the limit raised',
  throttled: () => 'The store is busy or limits the rate of requests; try again later',
  timed_out: () => 'The store did not finish in time; try again'
}
