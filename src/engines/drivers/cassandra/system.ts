import { tlsNames } from '../../brokers/guarded-socket.ts'
import type { Outbound } from '../../outbound/index.ts'
import { sqlName } from '../common/dialect.ts'
import type { Page, System } from '../common/system.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, Stream, StreamRead } from '../index.ts'
import type { CassandraSettings } from './config.ts'
import { fromCassandra } from './errors.ts'
import type { CassandraClient, CassandraPackage, CassandraResult } from './package.ts'
import { cellOf, typeOf } from './values.ts'

const PAGE = 1000
const LIMIT_MS = 10_000
const READ_LIMIT_MS = 60_000

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  /** `partition_key`, `clustering`, or another word for what is no key. */
  readonly kind: string
  readonly position: number
}

/** One member of a cluster of Cassandra: tables and materialized views of a keyspace are streams. */
export class CassandraSystem implements System {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #settings: CassandraSettings
  readonly #outbound: Outbound
  readonly #load: () => Promise<CassandraPackage>
  #opening: Promise<CassandraClient> | undefined

  constructor(settings: CassandraSettings, outbound: Outbound, load: () => Promise<CassandraPackage>) {
    this.host = settings.host
    this.port = settings.port
    this.tls = settings.tls
    this.#settings = settings
    this.#outbound = outbound
    this.#load = load
  }

  async enter(signal: AbortSignal): Promise<string> {
    const { keyspace, user } = this.#settings
    const statement = 'SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?'
    const found = await Array.fromAsync(this.#rows(statement, [keyspace], signal))
    if (found.flat().length === 0) throw new SourceError('not_found', `There is no keyspace ${keyspace}`, '/keyspace')
    return `${user || 'Anybody'} may enter ${keyspace}`
  }

  async list({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const statement = 'SELECT view_name FROM system_schema.views WHERE keyspace_name = ?'
    const views = await Array.fromAsync(this.#rows(statement, [this.#settings.keyspace], signal))
    const viewNames = new Set(views.flat().map(([name]) => String(name)))
    const tables = Map.groupBy(await this.#columns(undefined, signal), ({ table }) => table)
    const names = [...tables.keys()].sort()
    const streams = names.slice(0, limit).map((name) => streamOf(name, viewNames.has(name), tables.get(name) ?? []))
    return { streams, isWhole: names.length <= limit }
  }

  async *pages({ stream, cursor, limit, signal }: StreamRead): AsyncGenerator<Page> {
    if (cursor !== undefined) {
      throw new SourceError(
        'bad_request',
        'Tables of Cassandra have no order over all of their rows; read without a cursor'
      )
    }
    const found = await this.#columns(stream, signal)
    if (found.length === 0) throw new SourceError('not_found', `There is no table ${JSON.stringify(stream)}`)
    const columns = found.map(({ name, type }) => ({ name, type: typeOf(type) }))
    const from = `${sqlName(this.#settings.keyspace)}.${sqlName(stream)}`
    const statement = `SELECT ${columns.map(({ name }) => sqlName(name)).join(', ')} FROM ${from}`
    const end = limit === undefined ? '' : ` LIMIT ${limit}`
    for await (const rows of this.#rows(statement + end, [], signal)) {
      yield { columns, rows: rows.map((row) => columns.map(({ type }, at) => cellOf(type, row[at]))) }
    }
  }

  grants(): string[] {
    const { keyspace, user } = this.#settings
    return [`GRANT SELECT ON KEYSPACE ${sqlName(keyspace)} TO ${sqlName(user)};`]
  }

  async close(): Promise<void> {
    const client = await this.#opening?.catch(() => undefined)
    await client?.shutdown().catch(() => {})
  }

  /** The columns of one table or of all, keys first and in their order. */
  async #columns(table: string | undefined, signal: AbortSignal): Promise<Column[]> {
    const only = table === undefined ? '' : ' AND table_name = ?'
    const statement = `SELECT table_name, column_name, type, kind, position FROM system_schema.columns WHERE keyspace_name = ?${only}`
    const parameters = [this.#settings.keyspace, ...(table === undefined ? [] : [table])]
    const rows = (await Array.fromAsync(this.#rows(statement, parameters, signal))).flat()
    return rows
      .map(([name, column, type, kind, position]) => ({
        ...{ table: String(name), name: String(column), type: String(type) },
        ...{ kind: String(kind), position: Number(position) }
      }))
      .sort((a, b) => rankOf(a) - rankOf(b) || a.position - b.position || (a.name < b.name ? -1 : 1))
  }

  async *#rows(
    statement: string,
    parameters: readonly string[],
    signal: AbortSignal
  ): AsyncGenerator<(readonly unknown[])[]> {
    let pageState: string | null = null
    do {
      signal.throwIfAborted()
      const at: string | null = pageState
      const result: CassandraResult = await this.#until(signal, async () => {
        const client = await this.#open()
        return client.execute(statement, parameters, {
          prepare: true,
          fetchSize: PAGE,
          ...(at !== null && { pageState: at })
        })
      })
      yield result.rows.map((row) => row.values())
      pageState = result.pageState
    } while (pageState !== null)
  }

  /** The package knows no signal: what it still does is not waited for. */
  async #until<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    const end = () => reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
    try {
      return await Promise.race([work(), promise])
    } catch (error) {
      signal.throwIfAborted()
      throw fromCassandra(error)
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  #open(): Promise<CassandraClient> {
    this.#opening ??= this.#connect().catch((error) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** To one member, at the address that was checked: others of the cluster are told of, and never called. */
  async #connect(): Promise<CassandraClient> {
    const { host, port, user, password, tls, ca } = this.#settings
    const { Client, policies } = await this.#load()
    const { address, family } = await this.#outbound.resolve(host, port)
    const { AllowListPolicy, RoundRobinPolicy } = policies.loadBalancing
    const member = family === 6 ? `[${address}]:${port}` : `${address}:${port}`
    const client = new Client({
      contactPoints: [member],
      policies: { loadBalancing: new AllowListPolicy(new RoundRobinPolicy(), [member, `${address}:${port}`]) },
      ...(user !== '' && { credentials: { username: user, password } }),
      ...(tls && { sslOptions: { ...tlsNames(host), ...(ca !== '' && { ca }) } }),
      socketOptions: { connectTimeout: LIMIT_MS, readTimeout: READ_LIMIT_MS },
      encoding: { useBigIntAsLong: true, useBigIntAsVarint: true },
      isMetadataSyncEnabled: false,
      applicationName: 'millrace'
    })
    try {
      await Promise.race([client.connect(), silence()])
      return client
    } catch (error) {
      await client.shutdown().catch(() => {})
      throw error
    }
  }
}

/** The package waits for a first word as long as for rows, which is too long where something else listens. */
function silence(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const hint = 'Nothing there answers as Cassandra does; check host, port and encryption'
  const limit = AbortSignal.timeout(LIMIT_MS)
  limit.addEventListener('abort', () => reject(new SourceError('unreachable', hint, '/port')), { once: true })
  promise.catch(() => {})
  return promise
}

const rankOf = ({ kind }: Column) => (kind === 'partition_key' ? 0 : kind === 'clustering' ? 1 : 2)

function streamOf(name: string, isView: boolean, columns: readonly Column[]): Stream {
  return {
    name,
    kind: isView ? 'view' : 'table',
    isReadable: true,
    columns: columns.map((column) => ({
      name: column.name,
      type: typeOf(column.type),
      nullable: rankOf(column) === 2
    })),
    keys: columns.filter((column) => rankOf(column) < 2).map((column) => column.name),
    cursors: []
  }
}
