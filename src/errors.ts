/**
 * The catalogue of everything the API refuses or fails at. `title` names it, `detail` tells the caller what to do and
 * stands in the answer unless the place that refuses can say it better, `about` explains it on the code's own page.
 */
const COMMON = {
  malformed_request: {
    status: 400,
    title: 'The request can’t be read',
    detail: 'Send a well-formed HTTP request with a valid, percent-encoded address.',
    about: 'The address, a header or the framing of the request is not valid HTTP, or a value holds a NUL character.'
  },
  header_not_supported: {
    status: 400,
    title: 'A header asks for something that is not done here',
    detail: 'Leave the header out, or send the request in a way that does not need it.',
    about:
      'A header would change what the request or its body means, and the operation does not understand it: `Content-Range` on a write, another method in `X-HTTP-Method-Override`, a condition such as `If-Unmodified-Since` where none can be kept, a digest that can’t be checked. It is refused rather than ignored; `header` names it.'
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    detail: 'Send one JSON value in UTF-8, nested at most 64 levels deep.',
    about:
      'The body could not be parsed: it is cut off, is not UTF-8, holds a NUL character or a lone surrogate, names a field `__proto__`, or is nested too deeply.'
  },
  malformed_yaml: {
    status: 400,
    title: 'The body is not valid YAML',
    detail: 'Send one YAML document in UTF-8 that could as well be JSON.',
    about:
      'The body could not be parsed as YAML, or holds what JSON can’t say: a cycle, a tag of its own, too many aliases, or nesting beyond 64 levels.'
  },
  invalid_request: {
    status: 400,
    title: 'Some fields are not valid',
    detail: 'Correct the fields listed in errors and send the request again.',
    about:
      'The request was understood but does not fit its schema. Each entry of `errors` has a JSON pointer to the field (`/name`, or `/query/limit` for a query parameter) and says what is expected. Fields and query parameters that the operation does not know are refused by name.'
  },
  body_incomplete: {
    status: 400,
    title: 'The body broke off',
    detail: 'Send the whole body again; what was there before is unchanged.',
    about:
      'The connection ended, or the body did, before everything that was announced had arrived. Nothing of it was kept.'
  },
  invalid_schema: {
    status: 400,
    title: 'The schema is not valid',
    detail: 'Correct the schema where the answer points to and send it again.',
    about:
      'The text is not a schema of the type it is said to be. `line` and `column`, or `pointer`, say where in the schema, and `dependency` in which of those it refers to, if not in itself.'
  },
  malformed_points: {
    status: 400,
    title: 'The points can’t be read',
    detail: 'Send line protocol, JSON or NDJSON, and with Content-Encoding: gzip only what is packed so.',
    about: 'The body as a whole is not what its headers say it is: it can’t be unpacked. Nothing of it was written.'
  },
  checksum_mismatch: {
    status: 400,
    title: 'The content is not what was announced',
    detail: 'Send the content again; it was altered on the way or the checksum belongs to something else.',
    about:
      'The content that arrived has another digest than `Content-MD5`, `Repr-Digest`, `Content-Digest` or `Digest` (`sha-256`, `md5`) says. Nothing of it was kept.'
  },
  secret_bound: {
    status: 400,
    title: 'A secret stays where it was given for',
    detail: 'Send the secrets listed in errors themselves, or leave where they go as it was.',
    about:
      'A secret that is sent back as `********` stays as it is, but only for the place that it was given for: the same server, port, encryption, kind and account. Each entry of `errors` points to a secret and names the fields that would send it elsewhere. Whoever may change those and not see the secret could have it sent to themselves else.'
  },
  authentication_required: {
    status: 401,
    title: 'Authentication is required',
    detail: 'Send the header "Authorization: Bearer <token>" with an access token or an API key.',
    about: 'The operation needs a caller, and the request carries no token.'
  },
  invalid_token: {
    status: 401,
    title: 'The token is not accepted',
    detail: 'Get a new access token, or use another API key.',
    about:
      'A check on the token failed; the answer and its `WWW-Authenticate` header say which: format, algorithm, key, signature, issuer, audience, expiry. An administrator can see every check with `POST /api/users/explain-token`. API keys are refused when they are unknown, revoked or expired.'
  },
  permission_denied: {
    status: 403,
    title: 'The caller may not do this',
    detail: 'Ask an administrator for a role or an API key with the permission named in permission.',
    about:
      'The token is good, but neither the caller’s roles nor the scopes of its API key include the permission that the operation needs. The answer names it in `permission`.'
  },
  above_clearance: {
    status: 403,
    title: 'The data are classified above what the caller may see',
    detail:
      'Ask an administrator for a role whose clearance includes the level, or for a copy without what is classified.',
    about:
      'The data, something that contains them, or a part of them has a level above the clearance of the caller’s role, and can’t be masked: bytes as they are, points, what a pipeline, schedule or rule would read for the caller, or data of a level that says `refuse`. `resource` names what is classified, `level` its level, `clearance` the strictest level that the caller may see (null: none), and `columns` the columns, where it is about some. `GET /api/classification/clearances` lists the clearance of every role.'
  },
  not_found: {
    status: 404,
    title: 'There is no such resource',
    detail: 'Check the identifier; the resource may have been deleted, or you may not be allowed to see it.',
    about: 'The resource does not exist, or the caller may not know that it does.'
  },
  route_not_found: {
    status: 404,
    title: 'There is no such operation',
    detail: 'Check the path against /api/docs.',
    about: 'No operation has this path.'
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    detail: 'Use one of the methods in the Allow header.',
    about: 'The path exists, but not with this method.'
  },
  not_acceptable: {
    status: 406,
    title: 'No representation fits the Accept header',
    detail: 'Ask for one of the media types listed in supported.',
    about: 'The operation can’t answer in any of the media types that the caller accepts.'
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    detail: 'Send the whole request without pausing.',
    about: 'The headers or the body did not arrive in time, and the connection was closed.'
  },
  name_taken: {
    status: 409,
    title: 'The name is in use',
    detail: 'Choose another name.',
    about: 'Another resource of the same kind has this name.'
  },
  in_use: {
    status: 409,
    title: 'The resource is in use',
    detail: 'Remove what uses it first.',
    about:
      'The resource can’t be removed or changed this way while others depend on it. `usedBy` has the first twenty of them, each with `type`, `id` and `name`, and `more` says whether there are more. Operations that take `force=true` do it all the same; what depended on it fails when it needs it.'
  },
  illegal_transition: {
    status: 409,
    title: 'The resource is in another state',
    detail: 'Wait until it is in one of the states named in allowedFrom, or bring it there.',
    about:
      'The operation is only possible in some states. The answer names the present one in `currentStatus`, those it is possible in in `allowedFrom`, and the `operation`.'
  },
  bucket_not_empty: {
    status: 409,
    title: 'The bucket is not empty',
    detail: 'Delete its objects first, or send force=true to delete them with it.',
    about: 'A bucket is only removed with what is in it when that is asked for.'
  },
  busy: {
    status: 409,
    title: 'The same work is already going on',
    detail: 'Wait until it has ended, then try again.',
    about: 'The operation runs at most once at a time, and is running.'
  },
  idempotency_key_running: {
    status: 409,
    title: 'A request with this Idempotency-Key is still running',
    detail: 'Wait a moment and send the same request again to get its answer.',
    about: 'The first request with this key has not been answered yet.'
  },
  precondition_failed: {
    status: 412,
    title: 'The object is not in the state that was asked for',
    detail: 'Read the object again and decide anew.',
    about: 'With `If-None-Match: *` there must be no object yet; with `If-Match` the object must have that entity tag.'
  },
  stale_version: {
    status: 412,
    title: 'The resource has changed',
    detail: 'Read the resource again, and send its new ETag in If-Match.',
    about: 'The version in `If-Match` is not the current one: somebody else changed the resource in between.'
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    detail: 'Send less at a time.',
    about: 'The body exceeds the limit for this operation; for JSON bodies that is `MAX_BODY_BYTES`.'
  },
  uri_too_long: {
    status: 414,
    title: 'The address or a header is too long',
    detail: 'Shorten the address and the headers to 16 KiB in all.',
    about: 'The request line and headers together may have 16 KiB.'
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has the wrong media type',
    detail: 'Send the body with the header "Content-Type: application/json".',
    about: 'The operation can’t read bodies of this media type, or a body came without one.'
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies behind the end',
    detail: 'Ask for bytes that the object has; its size is in Content-Range.',
    about: 'The `Range` header asks for bytes beyond the end of the object.'
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation can’t be met',
    detail: 'Send no Expect header, or 100-continue in it.',
    about: 'The `Expect` header asks for something other than `100-continue`.'
  },
  schema_too_complex: {
    status: 422,
    title: 'The schema is too complex',
    detail: 'Divide the schema, nest it less, or simplify its patterns.',
    about:
      'To look at the schema takes more time or memory than a schema may take, or it is nested more than 200 levels deep.'
  },
  unprocessable: {
    status: 422,
    title: 'The request is well-formed but makes no sense',
    detail: 'Correct the fields listed in errors.',
    about: 'Each field is valid by itself, but the whole can’t be carried out. The answer says why.'
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    detail: 'Use a new key for each different request.',
    about: 'Within 24 hours a key belongs to the first request that carried it; this one has another body or address.'
  },
  too_many_points: {
    status: 422,
    title: 'The answer would have too many points',
    detail: 'Ask for fewer tags, a shorter time or wider buckets.',
    about:
      'A query answers at most `MAX_QUERY_POINTS` points, counted after filling and before `maxPoints` thins them out. Where the answer has begun before this is known, the connection is broken off.'
  },
  function_not_applicable: {
    status: 422,
    title: 'The function has no meaning for a tag',
    detail: 'Ask for count, first or last, or leave the tag out.',
    about: 'Tags of texts can be counted, and have a first and a last value; they have no average and no sum.'
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    detail: 'Wait as long as Retry-After says.',
    about:
      'The caller has used up its requests for this minute (`RATE_LIMIT`, or `WRITE_RATE_LIMIT` for writes of points). Who shows no token is counted by address.'
  },
  too_many_at_once: {
    status: 429,
    title: 'Too much at the same time',
    detail: 'Wait for the answers of the requests that are under way, and take them, before sending more.',
    about:
      'Nobody gets more of what is there for all at once (requests under way, connections, streams that are followed) than is still free: a caller alone gets half of it. Close what is no longer needed, take answers as they come, and send fewer requests side by side; `Retry-After` says when to try again.'
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on the server',
    detail: 'Try again; if it happens again, report it with the requestId.',
    about: 'A fault in the server. The log has the whole story under the `requestId`; nothing was changed.'
  },
  store_failed: {
    status: 502,
    title: 'The storage provider failed',
    detail: 'Try again; if it lasts, test the provider.',
    about:
      'The provider that keeps the bucket can’t be reached or refuses the server’s credentials. `cause` says why, as a stable code; `POST /api/storage/providers/{id}/test` finds out what to change.'
  },
  query_timeout: {
    status: 504,
    title: 'The query took too long',
    detail: 'Ask for fewer tags or a shorter time.',
    about: 'The query was stopped because it did not end in time.'
  },
  series_failed: {
    status: 502,
    title: 'The time-series database failed',
    detail: 'Try again; if it lasts, look at the log of the server.',
    about: 'The database that keeps the points refused what it was asked to do.'
  },
  series_unavailable: {
    status: 503,
    title: 'The time-series database does not answer',
    detail: 'Try again in a moment; if it lasts, look at /api/health.',
    about: 'The database that keeps the points can’t be reached. Sending a write again is safe.'
  },
  series_busy: {
    status: 503,
    title: 'Points come faster than they can be kept',
    detail: 'Send the same again after as long as Retry-After says.',
    about:
      'The server has as much under way as it may hold in memory, or whoever sends it has their share of that. Nothing of this was kept, or of a large body its beginning; repeating it is safe.'
  },
  series_url_missing: {
    status: 503,
    title: 'Replicas share the database but not the points: SERIES_URL is not set',
    detail: 'Set SERIES_URL to a ClickHouse on every replica, or run one replica only.',
    about:
      'Without `SERIES_URL` points are on the disk of the replica that took them, where the others can’t find them. While another replica uses the same database, nobody can write or read them. What was written is kept, and can be used again as soon as there is one replica: the one on whose disk it is. Another one that is left alone goes on refusing, until that one is back or an operator gives its disk up with `millrace disk forget`.'
  },
  objects_url_missing: {
    status: 503,
    title: 'Replicas share the database but not the objects: OBJECTS_URL is not set',
    detail: 'Set OBJECTS_URL to an S3 store on every replica, or run one replica only.',
    about:
      'The bucket is on the disk of one replica, where the others can’t find it: it is in the built-in provider, and `OBJECTS_URL` is not set, or in a provider of type `store-local` without an endpoint. While another replica uses the same database, nobody can write or read its objects. What was written is kept, and can be used again as soon as there is one replica: the one on whose disk it is. Another one that is left alone goes on refusing, until that one is back or an operator gives its disk up with `millrace disk forget`.'
  },
  store_full: {
    status: 507,
    title: 'The storage provider is full',
    detail: 'Delete objects, or give the provider more room.',
    about: 'The disk or the quota behind the bucket is used up. Nothing was changed.'
  },
  disk_full: {
    status: 507,
    title: 'The disk of the server is full',
    detail: 'Delete objects or points that are not needed, or give the server a larger disk; then send the same again.',
    about:
      'There is no room for what has to be written down about the request. Nothing else was changed, except that an upload may have arrived. Deletions still work: some room is kept for them.'
  },
  disk_unwritable: {
    status: 503,
    title: 'The disk of the server can’t be written',
    detail: 'Make it writable again for the user of the server; then send the same again.',
    about:
      'The disk is mounted read-only, as systems do with one that fails, or files in `DATA_DIR` belong to another user. What is there can be read. `GET /api/health` and `millrace doctor` on the server say which folder it is.'
  },
  overloaded: {
    status: 503,
    title: 'The server is overloaded',
    detail: 'Wait as long as Retry-After says, then try again.',
    about: 'The server turns new requests away early rather than fail the ones it has begun.'
  },
  shutting_down: {
    status: 503,
    title: 'The server is shutting down',
    detail: 'Send the request again: another replica, or this one after its restart, will take it.',
    about: 'The server finishes what it has begun and takes nothing new.'
  },
  dependency_unavailable: {
    status: 503,
    title: 'The server can’t reach a service it needs',
    detail: 'Try again in a moment; if it lasts, look at /api/health.',
    about: 'The database or the identity provider does not answer. Nothing was changed.'
  }
} as const satisfies Record<string, ErrorFacts>

type Common = typeof COMMON

/** Every code: those that any area may use, and those that areas add of their own by declaration merging. */
export interface Errors extends Common {}

export const ERRORS: Readonly<Record<ErrorCode, ErrorFacts>> = { ...COMMON } as Record<ErrorCode, ErrorFacts>

/** Adds the codes of an area, from its `errors.ts`: whatever throws one of them takes `Problem` from there. */
export function declareErrors<E extends Readonly<Record<string, ErrorFacts>>>(errors: E): E {
  for (const code of Object.keys(errors)) {
    if (Object.hasOwn(ERRORS, code)) throw new Error(`The error code ${code} is declared twice`)
  }
  Object.assign(ERRORS, errors)
  return errors
}

export interface ErrorFacts {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly about: string
}

export type ErrorCode = keyof Errors

export interface FieldError {
  /** JSON pointer into the body, or below `/query` or `/path`. */
  readonly pointer: string
  readonly message: string
}

/** Whose token it is, although it is not accepted. */
export interface Bearer {
  readonly user: { readonly id: string; readonly name: string }
  readonly apiKey: { readonly id: string; readonly name: string } | null
}

interface ProblemMore {
  detail?: string
  errors?: readonly FieldError[]
  /** Further members of the answer, such as `permission`. */
  members?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
  /** Not to be audited: the same refusal was recorded a moment ago. */
  repeated?: boolean
  /** Whom the audit trail names; the answer never does. */
  bearer?: Bearer | undefined
  /** What the audit trail says of the refusal beside its code. */
  audited?: Readonly<Record<string, unknown>> | undefined
  /** A page in HTML that tells it, for operations that browsers open. */
  page?: string
  cause?: unknown
}

/** An answer other than success. Thrown anywhere below a route; the route helper turns it into problem+json. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: string
  readonly errors: readonly FieldError[] | undefined
  readonly members: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly repeated: boolean
  readonly bearer: Bearer | undefined
  readonly audited: Readonly<Record<string, unknown>> | undefined
  readonly page: string | undefined

  constructor(code: ErrorCode, more: ProblemMore = {}) {
    super(more.detail ?? ERRORS[code].detail, { cause: more.cause })
    this.code = code
    this.status = ERRORS[code].status
    this.detail = this.message
    this.errors = more.errors
    this.members = more.members
    this.headers = more.headers
    this.repeated = more.repeated ?? false
    this.bearer = more.bearer
    this.audited = more.audited
    this.page = more.page
  }
}

/** For the commonest refusal: one field that is wrong for a reason no schema can tell. */
export function invalidField(pointer: string, message: string): Problem {
  return new Problem('invalid_request', { errors: [{ pointer, message }] })
}
