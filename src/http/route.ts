import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Db, Tables } from '../engines/metadata/index.ts'
import type { DownloadBody } from '../engines/objects/index.ts'
import type { ErrorCode, Problem } from '../errors.ts'
import type { Change, Created, Deleted, Updated } from './changes.ts'
import type { ForeignManners } from './foreign-manners.ts'
import type { Resource, TellsResource } from './params.ts'
import type { Actor, Permission } from './permissions.ts'
import type { Static, TSchema } from './type.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface RouteFacts<P extends TSchema, Q extends TSchema, B extends TSchema, A extends TSchema> {
  /** Below `/api` unless `foreign` says otherwise, parameters as `:name`. */
  readonly path: string
  /** The name of the operation in generated clients. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  /** `public` is for the few operations that need no caller. */
  readonly permission: Permission | 'public'
  /** The parameters also tell which resource the operation is about. */
  readonly params?: P & TellsResource
  readonly query?: Q
  /** Any query is accepted and ignored. */
  readonly anyQuery?: true
  readonly body?: B
  /** The operation reads the body itself, as it arrives; this is what the reference says of the body. */
  readonly stream?: StreamFacts
  /** The conditions in headers that the operation heeds itself; all others are refused, but for `If-Match` of a `change`. */
  readonly conditions?: readonly ('if-match' | 'if-none-match')[]
  /** What success answers with. */
  readonly answer: A
  /** The answer is written as it stands, by no compiled schema: for what is answered when nothing can be loaded any more. */
  readonly isPlain?: true
  /** Statuses other than the usual one that come with the same answer. */
  readonly otherStatuses?: readonly number[]
  /** The media type of the answer where it is not JSON. */
  readonly produces?: string
  /** Media types beside JSON that the answer can have. */
  readonly alsoProduces?: readonly string[]
  /** What can go wrong beyond what every operation shares. */
  readonly errors?: readonly ErrorCode[]
  /** One code for whatever is wrong with a request, its method and parameters included, so that probing tells nothing. */
  readonly refusal?: ErrorCode
  /**
   * For operations that report an outage: an API key that was accepted lately is accepted even while the database
   * does not answer.
   */
  readonly withoutDatabase?: true
  /** What to call a body that is larger than bodies may be, where the operation has a name of its own for it. */
  readonly tooLarge?: ErrorCode
  /** The sites whose pages may call it from a browser, such as `https://intranet.example`; without it, no pages of others. */
  sites?(params: TypeOf<P>): Promise<readonly string[]>
  /** For operations that clients of another product call, in the form that they know. */
  readonly foreign?: ForeignManners
}

export interface StreamFacts {
  readonly mediaType: string
  readonly schema: object
  /** Values of `Content-Encoding` that the operation unpacks. */
  readonly encodings?: readonly string[]
}

export interface Context<P, Q, B> {
  readonly actor: Actor
  /**
   * Who the caller is now, for answers that last: rights may be taken away meanwhile. Throws where the token speaks for nobody
   * any more, or the caller may no longer make this request.
   */
  callerNow(): Promise<Actor>
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly headers: IncomingHttpHeaders
  /** `GET` operations also answer `HEAD`. */
  readonly method: string
  /** The request itself, for operations that read their body as it arrives. */
  readonly raw: IncomingMessage
  /** What the request is called in the log. */
  readonly id: string
  readonly ip: string
}

export interface ChangeContext<P, Q, B, G = undefined> extends Context<P, Q, B> {
  /** The transaction that holds the change, its audit row and its remembered answer. */
  readonly tx: Db
  readonly gathered: G
}

/** A route with its types forgotten, as the server sees it. */
export interface Route extends RouteFacts<TSchema, TSchema, TSchema, TSchema> {
  readonly method: Method
  readonly status: number
  readonly change?: {
    readonly audit: string
    gather?: (context: Context<never, never, never>) => Promise<unknown>
    run(context: ChangeContext<never, never, never, never>): Promise<Outcome<unknown>>
  }
  /** Like `change`, for work that a transaction can't hold. */
  readonly work?: {
    readonly audit: string
    run(context: Context<never, never, never>): Promise<Performed<unknown>>
    isSame?: (context: Context<never, never, never>, answered: unknown) => Promise<boolean>
  }
  readonly read?: (context: Context<never, never, never>) => unknown
  /** A `read` that takes data in: counted against a limit of its own. */
  readonly ingests?: true
  /** The answer follows from the caller, the address and these tables alone, and may be kept while they stand still. */
  readonly madeFrom?: readonly (keyof Tables)[]
}

type Empty = ReturnType<typeof Object.create>

/** An operation that changes nothing. `POST` is for questions too long for an address. */
export function read<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  A extends TSchema = TSchema
>(
  facts: RouteFacts<P, Q, B, A> & { method?: 'GET' | 'POST'; status?: 204; madeFrom?: readonly (keyof Tables)[] },
  handler: (context: Context<TypeOf<P>, TypeOf<Q>, TypeOf<B>>) => ReadAnswer<Static<A>> | Promise<ReadAnswer<Static<A>>>
): Route {
  return { method: 'GET', status: 200, ...facts, read: handler as Route['read'] } as Route
}

/**
 * An operation that appends data, which comes in so many small pieces that an audit row for each would drown all others.
 * Data has no history to keep, and appending the same again changes nothing, so it takes no `Idempotency-Key` either.
 */
export function ingest<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  A extends TSchema = TSchema
>(
  facts: RouteFacts<P, Q, B, A> & { status?: 200 | 204 },
  handler: (context: Context<TypeOf<P>, TypeOf<Q>, TypeOf<B>>) => Promise<ReadAnswer<Static<A>>>
): Route {
  return { status: 200, ...facts, method: 'POST', read: handler, ingests: true } as unknown as Route
}

/**
 * An operation that changes something. It must name its audit action and report what it changed; the change, the audit
 * row and the answer kept for its `Idempotency-Key` are committed together, or not at all. What it has to know from
 * outside the database it gathers first, for the transaction waits for nothing else.
 */
export function change<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  A extends TSchema = TSchema,
  G = undefined
>(
  facts: RouteFacts<P, Q, B, A> & {
    method: Exclude<Method, 'GET'>
    audit: `${string}.${string}`
    status?: 200 | 201 | 202 | 204
    gather?: (context: Context<TypeOf<P>, TypeOf<Q>, TypeOf<B>>) => Promise<G>
  },
  handler: (context: ChangeContext<TypeOf<P>, TypeOf<Q>, TypeOf<B>, G>) => Promise<Outcome<Static<A>>>
): Route {
  const { audit, gather, ...rest } = facts
  const status = facts.status ?? (facts.method === 'DELETE' ? 204 : 200)
  return { ...rest, status, change: { audit, run: handler, ...(gather && { gather }) } } as unknown as Route
}

/**
 * An operation whose work lies outside the database: an upload, a connection test. It is done first, outside any
 * transaction; what it reports is then committed with the audit row and the kept answer. `isSame` tells whether the
 * streamed body of a repeated request is the one that was answered before.
 */
export function perform<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  A extends TSchema = TSchema
>(
  facts: RouteFacts<P, Q, B, A> & {
    method: Method
    audit: `${string}.${string}`
    status?: 200 | 201 | 202 | 204
    isSame?: (context: Context<TypeOf<P>, TypeOf<Q>, TypeOf<B>>, answered: Static<A>) => Promise<boolean>
  },
  handler: (context: Context<TypeOf<P>, TypeOf<Q>, TypeOf<B>>) => Promise<Performed<Static<A>>>
): Route {
  const { audit, isSame, ...rest } = facts
  const status = facts.status ?? (facts.method === 'DELETE' ? 204 : 200)
  return { ...rest, status, work: { audit, run: handler, ...(isSame && { isSame }) } } as unknown as Route
}

/** Where the operation is found on the server. */
export function addressOf({ path, foreign }: Pick<Route, 'path' | 'foreign'>): string {
  return foreign?.atRoot ? path : `/api${path}`
}

/** The audit action of an operation that changes something. */
export function auditOf({ change, work }: Route): string | undefined {
  return change?.audit ?? work?.audit
}

/** The one resource that an operation is about; undefined for lists, for making one, and for what concerns everything. */
export function resourceOf({ params }: Pick<Route, 'params'>): Resource | undefined {
  return params?.resource ?? undefined
}

type ReadAnswer<T> = T | StatusAnswer<T> | StreamAnswer | BytesAnswer

type TypeOf<S extends TSchema> = TSchema extends S ? Empty : Static<S>

export interface Outcome<T> {
  readonly answer: T
  readonly changes: readonly [Change, ...Change[]]
  /** Where this is another status than the route's own: 200 for a `POST` that found the thing already there. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface Performed<T> extends Outcome<T> {
  /** What belongs into the database, in the same transaction as the audit row. */
  commit?(tx: Db): Promise<void>
}

interface Identified {
  readonly id: string
}

/** Reports a new resource; `answer` differs from it only where something is shown once, such as a key. */
export function created<T extends Identified, A = T>(type: Created, after: T, answer?: A): Outcome<A> {
  return { answer: answer ?? (after as unknown as A), changes: [{ type, id: after.id, after } as Change] }
}

export function updated<T extends Identified>(type: Updated, before: T, after: T): Outcome<T> {
  return { answer: after, changes: [{ type, id: after.id, before, after } as Change] }
}

export function deleted<T extends Identified>(type: Deleted, before: T): Outcome<null> {
  return { answer: null, changes: [{ type, id: before.id, before } as Change] }
}

/** The answer of a read with one of the route's other statuses, or with headers of its own. */
export class StatusAnswer<T> {
  readonly status: number
  readonly answer: T
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, answer: T, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.answer = answer
    this.headers = headers
  }
}

/** An answer that is not text of ours but somebody's content; without a body for `HEAD` and 304. */
export class BytesAnswer {
  readonly status: 200 | 206 | 303 | 304
  readonly headers: Readonly<Record<string, string>>
  readonly body: DownloadBody | undefined

  constructor(
    status: 200 | 206 | 303 | 304,
    headers: Readonly<Record<string, string>>,
    body: DownloadBody | undefined
  ) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** An answer in one of the route's other media types, sent as it is made. */
export class StreamAnswer {
  readonly contentType: string
  readonly chunks: AsyncIterable<string | Buffer>
  readonly headers: Readonly<Record<string, string>>
  /** Ends it with a last word that says why; without one, the connection is closed. */
  readonly refuse: ((why: Problem) => void) | undefined

  constructor(
    contentType: string,
    chunks: AsyncIterable<string | Buffer>,
    headers: Readonly<Record<string, string>> = {},
    refuse?: (why: Problem) => void
  ) {
    this.contentType = contentType
    this.chunks = chunks
    this.headers = headers
    this.refuse = refuse
  }
}
