import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KnownTables, StatementLineage } from '../engines/sql-lineage/index.ts'
import type { QueryOutcome } from './activity.ts'
import { DataAnswer } from './answer.ts'
import { Budget, reasonOf } from './budget.ts'
import { DataSession, type Taken } from './data-session.ts'
import { DataError } from './errors.ts'
import { Gate } from './gate.ts'
import { DEFAULT_LIMITS, lesser, type PlaneLimits, type QueryLimits } from './limits.ts'
import type { Mask } from './mask.ts'
import type { RelationResolver, ResolvePlace } from './relation.ts'
import { parseRelations, type Resolvers, resolveRelations } from './relations.ts'
import type { DataColumn, Question, Reduction, Reply, RunRequest, SqlParameters } from './sql-process/messages.ts'
import { SqlProcessPool } from './sql-process/pool.ts'
import type { OnStep } from './step.ts'
import { EVERYTHING, type Wish } from './wish.ts'

export interface DataPlaneOptions {
  readonly resolvers: readonly RelationResolver[]
  /** A folder for this plane alone. The first query empties it. */
  readonly folder: string
  readonly limits?: Partial<PlaneLimits>
  /** Called when a query begins. The function it returns is called with the outcome, once everything is given back. */
  readonly asked?: () => (outcome: QueryOutcome) => void
}

export interface DataQuery {
  /** One statement that reads the relations by their names. */
  readonly sql: string
  /** Data references by the names that the SQL uses for them. */
  readonly relations: Readonly<Record<string, string>>
  /** What may not be seen of relations, by their names. The SQL gets masks in place of values, whatever it does with them. */
  readonly masks?: ReadonlyMap<string, Mask> | undefined
  readonly parameters?: SqlParameters | undefined
  /** Parameters are there for any statement, which need not name them: else one that it does not name is an error in it. */
  readonly isOffer?: boolean | undefined
  readonly limits?: Partial<QueryLimits> | undefined
  /** Leaves out what a picture of the answer can't show. */
  readonly reduction?: Reduction | undefined
  readonly signal?: AbortSignal | undefined
  /** Only whether the statement is right is wanted: what lies elsewhere has its columns and no rows. */
  readonly isTrial?: boolean | undefined
  readonly onStep?: OnStep | undefined
}

export interface LineageQuestion {
  /** A statement of DuckDB's SQL, which may also write. It is read and never run. */
  readonly sql: string
  readonly known: KnownTables
  readonly signal?: AbortSignal | undefined
}

type Wishes = Readonly<Record<string, Wish>>

/** A statement that people wrote is read in milliseconds. */
const READING_LIMITS: Partial<QueryLimits> = { timeoutMs: 10_000 }

/**
 * SQL over whatever data references name. Each query runs in a process of its own that can read the data it was given
 * and nothing else, within limits of time, memory and rows. It throws `DataError`s; only errors of functions that the
 * resolvers were given are passed on as they are. The caller has to check the rights first.
 */
export class DataPlane {
  readonly #resolvers: Resolvers
  readonly #folder: string
  readonly #limits: PlaneLimits
  readonly #gate: Gate
  readonly #pool: SqlProcessPool
  readonly #asked: NonNullable<DataPlaneOptions['asked']>
  readonly #closing = new AbortController()
  readonly #held = new Set<Promise<void>>()
  #prepared: Promise<void> | undefined

  constructor({ resolvers, folder, limits, asked = () => () => {} }: DataPlaneOptions) {
    this.#asked = asked
    this.#resolvers = new Map(resolvers.map((resolver) => [resolver.scheme, resolver]))
    this.#folder = folder
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.#gate = new Gate(this.#limits.maxRunning, this.#limits.maxWaiting)
    this.#pool = new SqlProcessPool(folder)
  }

  /**
   * Throws refusals and errors in the SQL at once; errors that only show in the rows are thrown while the answer is
   * read.
   */
  query(query: DataQuery): Promise<DataAnswer> {
    return this.#begin(
      query,
      (request) => ({ kind: 'run', request }),
      (reply, parts) => {
        const answer = new DataAnswer(reply.kind === 'columns' ? reply.columns : [], parts)
        // An abort ends the query also where nobody reads the answer.
        parts.budget.signal.addEventListener('abort', () => answer.close().catch(() => {}), { once: true })
        return answer
      }
    )
  }

  /** What a statement would read and write, and which columns come from which. */
  async lineage({ sql, known, signal }: LineageQuestion): Promise<StatementLineage> {
    const { reply, release } = await this.#begin(
      { sql, relations: {}, limits: READING_LIMITS, signal },
      (request) => ({ kind: 'lineage', request, known }),
      (reply, { release }) => ({ reply, release })
    )
    await release()
    if (reply.kind !== 'lineage') throw new DataError('process_died', 'The process did not read the statement.')
    return reply.lineage
  }

  /** Several queries of the same data, one after the other; see `DataSession`. */
  async session(data: Omit<DataQuery, 'sql' | 'parameters' | 'limits'>): Promise<DataSession> {
    return new DataSession({
      // What comes after the first query may need other things.
      take: (query) => this.#take({ ...data, ...query }, {}),
      taken: () => this.#pool.refill(),
      budgetOf: (given) => {
        const { timeoutMs, maxRows } = lesser(this.#limits, given)
        return { budget: this.#budgetOf(timeoutMs, data.signal), maxRows }
      }
    })
  }

  /** Takes a process and asks it; whoever gets the reply has to give everything back. */
  async #begin<T>(
    query: DataQuery,
    questionFor: (request: RunRequest) => Question,
    take: (reply: Reply, taken: Taken) => T
  ): Promise<T> {
    const taken = await this.#take(query)
    const { process, request, budget, release, onFailure } = taken
    try {
      const reply = await process.ask(questionFor(request), budget.signal).finally(() => this.#pool.refill())
      return take(reply, taken)
    } catch (error) {
      onFailure()
      await release()
      throw budget.signal.aborted ? reasonOf(budget.signal) : error
    }
  }

  /** Takes a process for a query, which has not been asked anything yet. */
  async #take(query: DataQuery, known?: Wishes): Promise<Taken> {
    const wishes = known ?? (await this.#wishesOf(query))
    const limits = lesser(this.#limits, query.limits ?? {})
    const budget = this.#budgetOf(limits.timeoutMs, query.signal)
    const held = new AsyncDisposableStack()
    const release = this.#hold(held)
    const end = this.#asked()
    held.defer(() => end('answered'))
    held.defer(() => budget.end())
    try {
      const request = await this.#prepare(query, wishes, limits, budget.signal, held)
      const process = await this.#pool.take(budget.signal)
      held.defer(() => process.end())
      query.onStep?.({ doing: 'reading', percent: null })
      process.onProgress = (percent) => query.onStep?.({ doing: 'reading', percent })
      return { process, request, budget, release, onFailure: () => end('failed') }
    } catch (error) {
      end('failed')
      await release()
      throw budget.signal.aborted ? reasonOf(budget.signal) : error
    }
  }

  /** What a statement needs of relations that lie elsewhere. */
  async #wishesOf({ sql, relations, masks, parameters, signal, isTrial }: DataQuery): Promise<Wishes> {
    const wanted = parseRelations(relations, this.#resolvers).filter(({ resolver }) => resolver.takesWishes)
    const aliases = wanted.map(({ alias }) => alias)
    if (aliases.length === 0) return {}
    if (isTrial) return Object.fromEntries(aliases.map((alias) => [alias, { ...EVERYTHING, limit: 0 }]))
    const { reply, release } = await this.#begin(
      { sql, relations: {}, parameters, limits: READING_LIMITS, signal },
      (request) => ({ kind: 'wishes', request, aliases }),
      (reply, { release }) => ({ reply, release })
    )
    await release()
    if (reply.kind !== 'wishes') return {}
    return Object.fromEntries(
      aliases.map((alias) => {
        const wish = reply.wishes[alias] ?? EVERYTHING
        return [alias, masks?.has(alias) ? beforeMasks(wish) : wish]
      })
    )
  }

  #budgetOf(timeoutMs: number, signal: AbortSignal | undefined): Budget {
    return new Budget(timeoutMs, [this.#closing.signal, ...(signal ? [signal] : [])])
  }

  /** The columns that can be selected from a reference. */
  async describe(reference: string, signal?: AbortSignal, onStep?: OnStep): Promise<readonly DataColumn[]> {
    const relations = { described: reference }
    const answer = await this.query({ sql: 'FROM described LIMIT 0', relations, signal, onStep })
    await answer.close()
    return answer.columns
  }

  /** Ends all running queries. */
  async close(): Promise<void> {
    this.#closing.abort(new DataError('closed', 'The server is shutting down.'))
    await Promise.all(this.#held)
    await this.#pool.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Fetches everything that the query needs before it takes a process. */
  async #prepare(
    { sql, relations, masks, parameters = [], isOffer, reduction, onStep }: DataQuery,
    wishes: Wishes,
    limits: QueryLimits,
    signal: AbortSignal,
    held: AsyncDisposableStack
  ): Promise<RunRequest> {
    const wanted = parseRelations(relations, this.#resolvers)
    onStep?.({ doing: 'waiting', percent: null })
    await this.#gate.enter(signal)
    held.defer(() => this.#gate.leave())
    onStep?.({ doing: 'fetching', percent: null })
    this.#prepared ??= emptyFolder(this.#folder)
    await this.#prepared
    const folder = await mkdtemp(join(this.#folder, 'query-'))
    held.defer(() => rm(folder, { recursive: true, force: true }))
    const { scratchBytes, threads } = this.#limits
    const place: ResolvePlace = { folder, signal, claimBytes: claimUpTo(scratchBytes) }
    const resolved = await resolveRelations(wanted, place, wishes, held)
    const masked = resolved.map((relation) => ({ ...relation, mask: masks?.get(relation.alias) }))
    return {
      ...{ sql, parameters, isOffer, relations: masked, folder, limits },
      ...{ spillBytes: scratchBytes, threads, reduction, tellsProgress: onStep !== undefined }
    }
  }

  /** Answers a function that gives everything back, at most once; `close` waits for it. */
  #hold(held: AsyncDisposableStack): () => Promise<void> {
    const released = Promise.withResolvers<void>()
    this.#held.add(released.promise)
    let releasing: Promise<void> | undefined
    const giveBack = async () => {
      try {
        await held.disposeAsync()
      } finally {
        this.#held.delete(released.promise)
        released.resolve()
      }
    }
    return () => {
      releasing ??= giveBack()
      return releasing
    }
  }
}

/** Conditions are for what the statement sees, which are masks: where the data are, they would tell the values behind these. */
const beforeMasks = ({ names, where, limit }: Wish): Wish => ({
  names,
  where: [],
  limit: where.length === 0 ? limit : null
})

/** Removes what a killed server has left. */
async function emptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
}

function claimUpTo(maxBytes: number): (sizeBytes: number) => void {
  let claimedBytes = 0
  return (sizeBytes) => {
    claimedBytes += sizeBytes
    if (claimedBytes <= maxBytes) return
    throw new DataError('too_large', `The query would read ${claimedBytes} bytes; ${maxBytes} are allowed.`)
  }
}
