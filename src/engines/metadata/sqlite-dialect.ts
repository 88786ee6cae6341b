import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from 'kysely'
import { BoundedMap } from '../bounded-map.ts'
import type { Db, Tables } from './index.ts'
import { Turn } from './turn.ts'
import { writtenTable } from './written-table.ts'

const MAX_STATEMENTS = 500
/** One for all connections: they share the thread. */
const TURN = new Turn()

/** Callbacks for the results of statements. */
interface Hearers {
  writes(table: string): void
  failed(error: unknown): void
}

/** A query builder over one open connection. It never begins or ends a transaction: the owner of the connection does. */
export function sqliteBuilder(database: DatabaseSync, hear: Pick<Hearers, 'failed'>): Db {
  return new Kysely<Tables>({ dialect: dialectOn(new SqliteConnection(database, hear)) })
}

/**
 * Gives each `work` a builder of its own that ends with it. With a shared one, a late statement of a failed
 * transaction would be committed with the next transaction.
 */
export function sqliteTransactions(
  database: DatabaseSync,
  hear: Hearers
): <T>(work: (tx: Db) => Promise<T>) => Promise<T> {
  const connection = new SqliteConnection(database, hear)
  const dialect = dialectOn(connection)
  const config = { dialect }
  const driver = dialect.createDriver()
  const executor = new Kysely<Tables>(config).getExecutor()

  return async (work) => {
    let ended = false
    const provider: ConnectionProvider = {
      async provideConnection(consumer) {
        // Before it is asked whether the transaction has ended, which it may do meanwhile.
        if (TURN.isLong) await TURN.next()
        // SQLite rolls back by itself when the disk is full; later statements would then be committed one by one.
        if (ended || !database.isTransaction)
          throw new Error('This transaction has ended: await each of its statements')
        return consumer(connection)
      }
    }
    try {
      return await work(
        new Kysely<Tables>({ config, dialect, driver, executor: executor.withConnectionProvider(provider) })
      )
    } finally {
      ended = true
    }
  }
}

function dialectOn(connection: DatabaseConnection): Dialect {
  const driver: Driver = {
    init: async () => {},
    async acquireConnection() {
      if (TURN.isLong) await TURN.next()
      return connection
    },
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    releaseConnection: async () => {},
    destroy: async () => {}
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new OneWriterCompiler()
  }
}

async function refuseTransaction(): Promise<never> {
  throw new Error('Use metadata.transaction(): it is the only way to a transaction')
}

/** Leaves out `for update`: there is one writer, and it holds the whole database. */
class OneWriterCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate') super.visitSelectModifier(node)
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #statements = new BoundedMap<string, Prepared>(MAX_STATEMENTS)
  readonly #hear: Partial<Hearers>

  constructor(database: DatabaseSync, hear: Partial<Hearers>) {
    this.#database = database
    this.#hear = hear
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return this.#execute(query)
    } catch (error) {
      this.#hear.failed?.(error)
      throw error
    }
  }

  #execute<R>(query: CompiledQuery): QueryResult<R> {
    const prepared = this.#prepare(query)
    const { statement, names, writes } = prepared
    const parameters = query.parameters as SQLInputValue[]
    if (writes !== undefined) this.#hear.writes?.(writes)
    if (names.length > 0) return { rows: rowsOf(prepared, statement.all(...parameters)) as R[] }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // Not a cached statement: another reader could start it again before this one has ended.
    const statement = this.#database.prepare(query.sql)
    for (const row of statement.iterate(...(query.parameters as SQLInputValue[]))) yield { rows: [row as R] }
  }

  #prepare(query: CompiledQuery): Prepared {
    const known = this.#statements.get(query.sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(query.sql)
    statement.setReturnArrays(true)
    const names = namesOf(statement)
    const prepared: Prepared = { statement, names, writes: writtenTable(query.query) }
    this.#statements.set(query.sql, prepared)
    return prepared
  }
}

/** A statement, with facts about it that are too costly to ask for each time. */
interface Prepared {
  readonly statement: StatementSync
  /** Of the columns that it answers; none where it answers no rows. */
  names: readonly string[]
  readonly writes: string | undefined
}

const namesOf = (statement: StatementSync): string[] => statement.columns().map(({ name }) => name)

/**
 * Objects of the runtime itself are made as if each had other columns than the one before: to make them, and above all to
 * copy them, takes longer.
 */
function rowsOf(prepared: Prepared, answers: readonly unknown[]): object[] {
  const found = answers as readonly (readonly unknown[])[]
  // A table that got a column since has more of them for `select *`.
  if (found.length > 0 && found[0]?.length !== prepared.names.length) prepared.names = namesOf(prepared.statement)
  const { names } = prepared
  return found.map((cells) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) row[names[at] as string] = cells[at]
    return row
  })
}
