import type { Outbound } from '../../outbound/index.ts'
import { parseTableName, type SqlDatabase, type SqlReaders, type SqlTable, type SqlType } from '../../sql/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { withFirstLook } from '../common/first-look.ts'
import { SourceError } from '../errors.ts'
import type {
  Discovered,
  OpenSource,
  Step,
  Stream,
  StreamChanges,
  StreamChangesRead,
  StreamChunk,
  StreamCondition,
  StreamRead
} from '../index.ts'
import { reachSteps } from '../reach.ts'
import { changesOf } from './changes.ts'
import type { OpenedSettings } from './config.ts'
import { fromSql, fromSqlIn } from './errors.ts'
import { grantsFor } from './grants.ts'
import { narrowing } from './narrowing.ts'

/** Types whose values only grow in most tables: numbers that are given one after the other, and times. */
const CURSOR_TYPES: ReadonlySet<SqlType> = new Set(['integer', 'bigint', 'decimal', 'date', 'timestamp', 'timestamptz'])
/** Tables that a test looks at, to find one that it may read. */
const LOOKED_AT = 1000
/** Tables that it tries to read one after the other, and how long each may take. */
const TRIED = 5
const TRY_MS = 4000
/** Schemas that statements are written for. */
const MAX_SCHEMAS = 5

export class SqlSource implements OpenSource {
  readonly #database: SqlDatabase
  readonly #settings: OpenedSettings
  readonly #outbound: Outbound

  readonly changes?: (request: StreamChangesRead) => StreamChanges
  readonly readers?: SqlReaders

  constructor(database: SqlDatabase, settings: OpenedSettings, source: SourceFacts, outbound: Outbound) {
    this.#database = database
    this.#settings = settings
    this.#outbound = outbound
    if (!source.hasChanges) return
    this.changes = (request) => changesOf(database, request)
    const { readers } = database
    if (readers === undefined) return
    this.readers = {
      list: (prefix) => fromSqlIn(() => readers.list(prefix)),
      forget: (reader) => fromSqlIn(() => readers.forget(reader))
    }
  }

  get steps(): readonly Step[] {
    const { kind } = this.#database
    const steps = [...reachSteps(this.#settings, this.#outbound), ...this.#own()]
    return withFirstLook(steps, this.#settings, this.#outbound, { greeting: kind === 'clickhouse' ? 'none' : kind })
  }

  async discover({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const { tables, isWhole } = await fromSqlIn(() => this.#database.tables({ limit, signal }))
    return { streams: tables.map(toStream), isWhole }
  }

  async *read({ stream, ...request }: StreamRead): AsyncGenerator<StreamChunk> {
    try {
      yield* this.#database.read({ table: stream, ...request })
    } catch (error) {
      throw fromSql(error)
    }
  }

  narrows(condition: StreamCondition, type: SqlType) {
    return narrowing(this.#database.kind, condition, type)
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** Encryption and signing in are one call to the database, which tells which of them it failed at. */
  #own(): Step[] {
    const { tls, user, database } = this.#settings
    let entered: Promise<undefined | Error> | undefined
    let tables: readonly SqlTable[] = []
    const enter = () => {
      entered ??= fromSqlIn(() => this.#database.check()).then(
        () => undefined,
        (error) => error
      )
      return entered
    }
    return [
      {
        name: 'tls',
        async run() {
          const error = await enter()
          if (error instanceof SourceError && error.code === 'tls_failed') throw error
          return tls
            ? 'The connection is encrypted, and the certificate is for the host'
            : 'Not encrypted, as configured'
        }
      },
      {
        name: 'authenticate',
        run: async () => {
          const error = await enter()
          const isDenied = error instanceof SourceError && error.code === 'missing_permission'
          if (isDenied) throw this.#notReadable([], `${error.message}; check the name of the database`)
          if (error !== undefined) throw error
          return `${user} may enter ${database}`
        }
      },
      {
        name: 'list',
        run: async (signal) => {
          tables = (await fromSqlIn(() => this.#database.tables({ limit: LOOKED_AT, signal }))).tables
          return tables.length === 0 ? 'There are no tables yet' : `${countOf(tables.length)} can be listed`
        }
      },
      { name: 'read', run: (signal) => this.#tryReading(tables, signal) }
    ]
  }

  /** A record of one of the tables is enough: one that is broken or locked must not make all of it look so. */
  async #tryReading(tables: readonly SqlTable[], signal: AbortSignal): Promise<string> {
    const { user } = this.#settings
    if (tables.length === 0) return `there is nothing to read that ${user} may see`
    const readable = tables.filter(({ isReadable }) => isReadable).sort((a, b) => Number(a.isView) - Number(b.isView))
    if (readable.length === 0) throw this.#notReadable(tables, `None of the tables may be read by ${user}`)
    let first: SourceError | undefined
    for (const table of readable.slice(0, TRIED)) {
      const error = await this.#readOne(table, signal)
      const others = tables.length - readable.length
      if (error === undefined && others === 0) return `${table.name} can be read`
      if (error === undefined) return `${table.name} can be read; ${countOf(others)} can't, for want of rights`
      first ??= error.code === 'missing_permission' ? this.#notReadable([table], error.message) : error
    }
    throw first
  }

  async #readOne({ name }: SqlTable, signal: AbortSignal): Promise<SourceError | undefined> {
    const limit = AbortSignal.timeout(TRY_MS)
    try {
      const request = { table: name, limit: 1, signal: AbortSignal.any([signal, limit]) }
      for await (const _ of this.#database.read(request)) break
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted) return new SourceError('timeout', `${name} gave no record within ${TRY_MS / 1000} s`)
      const known = fromSql(error)
      if (!(known instanceof SourceError)) throw known
      // What a database says of a value that it stumbles over has the value in it, which is for nobody's eyes here.
      return known.code === 'bad_request'
        ? new SourceError('bad_request', `${name} is there, and reading it fails`)
        : known
    }
  }

  #notReadable(tables: readonly SqlTable[], message: string): SourceError {
    const schemas = [...new Set(tables.flatMap(({ name }) => parseTableName(name).slice(0, -1)))].slice(0, MAX_SCHEMAS)
    const grants = grantsFor(this.#database.kind, { ...this.#settings, schemas })
    return new SourceError(
      'missing_permission',
      `${message}; an administrator can run: ${grants.join(' ')}`,
      '/user',
      grants
    )
  }
}

const countOf = (tables: number) => `${tables}${tables === LOOKED_AT ? ' or more' : ''} table${tables === 1 ? '' : 's'}`

function toStream({ name, isView, isReadable, columns, keys }: SqlTable): Stream {
  return {
    name,
    kind: isView ? 'view' : 'table',
    isReadable,
    columns: columns.map((column) => ({ ...column, nullable: column.nullable !== false })),
    keys,
    cursors: columns.filter(({ type }) => CURSOR_TYPES.has(type)).map((column) => column.name)
  }
}
