import { StoreError, type StoreErrorCode } from '../errors.ts'
import { fromNetwork } from '../remote/network-errors.ts'

/** What the call was about, for the message. */
export interface Subject {
  readonly bucket: string
  readonly key?: string | undefined
}

const VENDOR_CODES: Readonly<Record<string, StoreErrorCode>> = {
  ContainerNotFound: 'no_such_bucket',
  ContainerBeingDeleted: 'no_such_bucket',
  ContainerAlreadyExists: 'bucket_taken',
  BlobNotFound: 'no_such_key',
  BlobAlreadyExists: 'precondition_failed',
  ConditionNotMet: 'precondition_failed',
  TargetConditionNotMet: 'precondition_failed',
  InvalidRange: 'range_not_satisfiable',
  InvalidBlockList: 'invalid_part',
  InvalidBlockId: 'invalid_part',
  ResourceNotFound: 'unknown_access_key',
  AuthenticationFailed: 'wrong_secret',
  InvalidAuthenticationInfo: 'wrong_secret',
  AccountIsDisabled: 'access_denied',
  AuthorizationFailure: 'access_denied',
  AuthorizationPermissionMismatch: 'access_denied',
  AuthorizationProtocolMismatch: 'access_denied',
  BlobImmutableDueToPolicy: 'access_denied',
  ContainerDisabled: 'access_denied',
  InsufficientAccountPermissions: 'access_denied',
  KeyBasedAuthenticationNotPermitted: 'access_denied',
  LeaseIdMissing: 'access_denied',
  AccountLimitExceeded: 'store_full',
  SourceConditionNotMet: 'store_failed',
  ServerBusy: 'throttled',
  OperationTimedOut: 'timed_out'
}

/** For answers that name no code, or one that is not above. */
const STATUSES: Readonly<Record<number, StoreErrorCode>> = {
  401: 'wrong_secret',
  403: 'access_denied',
  412: 'precondition_failed',
  416: 'range_not_satisfiable',
  429: 'throttled',
  503: 'throttled',
  504: 'timed_out',
  507: 'store_full'
}

/** The service refuses requests dated more than 15 minutes from its own time. */
const MAX_CLOCK_DIFFERENCE_MS = 14 * 60_000

interface VendorHeaders {
  get(name: string): string | undefined
}

interface VendorError {
  readonly code?: unknown
  readonly statusCode?: unknown
  readonly response?: { readonly headers: VendorHeaders }
}

/** Nothing of the vendor's error is kept: it carries the whole request with its signature. */
export function toStoreError(error: unknown, { bucket, key }: Subject): StoreError {
  const ofNetwork = fromNetwork(error)
  if (ofNetwork !== undefined) return ofNetwork
  const { code: given, statusCode, response } = error as VendorError
  const name = vendorCode(error)
  const status = Number(statusCode)
  if (!(status >= 300)) return new StoreError('store_failed', unreadable(given))
  const code = codeOf(name, status, response?.headers)
  const message = VENDOR_MESSAGES[name] ?? MESSAGES[code]?.(bucket, key)
  return new StoreError(code, message ?? `Azure refuses it with ${name || `status ${status}`}`)
}

/** The service's own name for what went wrong; a HEAD has it in a header only. */
export function vendorCode(error: unknown): string {
  const { code, response } = error as VendorError
  return response?.headers.get('x-ms-error-code') ?? (typeof code === 'string' ? code : '')
}

function codeOf(name: string, status: number, headers: VendorHeaders | undefined): StoreErrorCode {
  const code = VENDOR_CODES[name] ?? STATUSES[status] ?? 'store_failed'
  // Azurite uses this code for a wrong signature; the service for its network rules.
  const ofSignature = name === 'AuthorizationFailure' && headers?.get('server')?.startsWith('Azurite') === true
  if (code !== 'wrong_secret' && !ofSignature) return code
  const difference = Math.abs(Date.now() - Date.parse(headers?.get('date') ?? ''))
  return difference > MAX_CLOCK_DIFFERENCE_MS ? 'clock_off' : 'wrong_secret'
}

const MESSAGES: Partial<Record<StoreErrorCode, (bucket: string, key: string | undefined) => string>> = {
  no_such_bucket: (bucket) => `The account has no container ${bucket}, or it is being removed`,
  no_such_key: (bucket, key) => `${bucket} holds no object ${key}`,
  bucket_taken: (bucket) => `There is a container ${bucket} already`,
  precondition_failed: (_, key) => `${key} is not as the condition wants it`,
  range_not_satisfiable: (_, key) => `The range lies behind the end of ${key}`,
  invalid_part: (_, key) => `Not every part that was named has been stored for ${key}; send the parts again`,
  unknown_access_key: () => 'There is no such storage account here; the access key is the name of the account',
  wrong_secret: () => 'The secret key is not a key of this storage account; copy one from its access keys',
  clock_off: () => "The clocks of this server and of the store are more than 15 minutes apart; set this server's clock",
  access_denied: () => 'The account forbids it; look at its network rules, key access, leases and retention policies',
  store_full: () => 'The account has reached its capacity; remove data or have the limit raised',
  throttled: () => 'The store is busy or the account has reached its limits; try again later',
  timed_out: () => 'The store did not finish in time; try again'
}

const VENDOR_MESSAGES: Readonly<Record<string, string>> = {
  InvalidResourceName: 'Containers of Azure have names of small letters, digits and single hyphens; use another name',
  InvalidBlobOrBlock: 'Another program has left blocks at this key that do not go with ours; write to another key',
  SourceConditionNotMet: 'The object was replaced while it was copied; try again',
  KeyBasedAuthenticationNotPermitted: 'The account does not permit access with its keys; permit it in its configuration'
}

function unreadable(given: unknown): string {
  return given === 'PARSE_ERROR'
    ? 'What answers at this address does not speak the Azure Blob protocol; check endpoint and port'
    : 'The answer of the store could not be understood; check endpoint and port'
}
