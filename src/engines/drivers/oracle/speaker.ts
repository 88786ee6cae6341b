import type { Outbound } from '../../outbound/index.ts'
import { sqlName } from '../common/dialect.ts'
import type { Speaker } from '../common/tables.ts'
import { SourceError } from '../errors.ts'
import type { OracleSettings } from './config.ts'
import { fromOracle } from './errors.ts'
import type { OracleConnection, OraclePackage } from './package.ts'
import { openRelay, type Relay } from './relay.ts'

const PAGE = 1000

/** Oracle in the thin mode of its package, with a connection for each statement, over a relay of ours. */
export class OracleSpeaker implements Speaker {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #settings: OracleSettings
  readonly #outbound: Outbound
  readonly #load: () => Promise<OraclePackage>
  readonly #open = new Set<Relay>()

  constructor(settings: OracleSettings, outbound: Outbound, load: () => Promise<OraclePackage>) {
    this.host = settings.host
    this.port = settings.port
    this.tls = settings.tls
    this.#settings = settings
    this.#outbound = outbound
    this.#load = load
  }

  async enter(signal: AbortSignal): Promise<string> {
    for await (const _ of this.rows('SELECT 1 FROM dual', signal)) break
    return `${this.#settings.user} may enter ${this.#settings.service}`
  }

  async *rows(statement: string, signal: AbortSignal): AsyncGenerator<unknown[][]> {
    signal.throwIfAborted()
    const oracle = await this.#load()
    const relay = await openRelay(this.#settings, this.#outbound, signal).catch((error) => {
      throw fromOracle(error)
    })
    this.#open.add(relay)
    // Cutting the connection ends whatever waits for it.
    const end = () => relay.close()
    signal.addEventListener('abort', end, { once: true })
    let connection: OracleConnection | undefined
    try {
      connection = await oracle.getConnection(this.#connecting(relay.port))
      const { resultSet } = await connection.execute(statement, [], optionsOf(oracle))
      for (;;) {
        const rows = (await resultSet?.getRows(PAGE)) ?? []
        if (rows.length === 0) return
        yield rows
      }
    } catch (error) {
      signal.throwIfAborted()
      throw relay.fault ?? fromOracle(error)
    } finally {
      signal.removeEventListener('abort', end)
      this.#open.delete(relay)
      await connection?.close({ drop: true }).catch(() => {})
      relay.close()
    }
  }

  grants(): string[] {
    const user = sqlName(this.#settings.user.toUpperCase())
    return [`GRANT CREATE SESSION TO ${user};`, `GRANT READ ANY TABLE ON SCHEMA "…" TO ${user};`]
  }

  async close(): Promise<void> {
    for (const relay of this.#open) relay.close()
  }

  #connecting(port: number) {
    const { user, password, service } = this.#settings
    if (!/^[\w.$#-]+$/.test(service)) throw new SourceError('not_found', 'No service has such a name', '/service')
    const address = `(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=${port}))`
    const connectString = `(DESCRIPTION=(CONNECT_TIMEOUT=10)(RETRY_COUNT=0)${address}(CONNECT_DATA=(SERVICE_NAME=${service})))`
    return { user, password, connectString }
  }
}

/** Large texts and bytes come as values; left alone they would be handles. */
function optionsOf(oracle: OraclePackage): object {
  const texts = new Set([oracle.DB_TYPE_CLOB, oracle.DB_TYPE_NCLOB, oracle.DB_TYPE_LONG])
  const fetchTypeHandler = ({ dbType }: { readonly dbType: unknown }) => {
    if (texts.has(dbType)) return { type: oracle.STRING }
    return dbType === oracle.DB_TYPE_BLOB ? { type: oracle.BUFFER } : undefined
  }
  return {
    resultSet: true,
    outFormat: oracle.OUT_FORMAT_ARRAY,
    fetchArraySize: PAGE,
    prefetchRows: PAGE,
    fetchTypeHandler
  }
}
