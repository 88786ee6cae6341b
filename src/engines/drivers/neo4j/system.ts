import type { Outbound } from '../../outbound/index.ts'
import { type Answer, HttpApi } from '../common/http-api.ts'
import type { Page, System } from '../common/system.ts'
import { SourceError } from '../errors.ts'
import type { ColumnType, Discovered, Stream, StreamRead } from '../index.ts'
import type { Neo4jSettings } from './config.ts'
import { LABELS, pageOf, type Statement, sampleOf } from './statements.ts'
import { cellOf, comparable, joined, type Typed, typeOf } from './values.ts'

/** Nodes that are looked at to find the properties of a label. */
const SAMPLED = 200
const FIRST_SIZE = 1000
const MAX_SIZE = 20_000
const PAGE_BYTES = 8 << 20
const CURSOR_TYPES: ReadonlySet<ColumnType> = new Set(['bigint', 'date', 'timestamp', 'timestamptz'])
const TYPED_JSON = 'application/vnd.neo4j.query'

interface Found {
  readonly data?: { readonly values?: readonly (readonly Typed[])[] }
}

type Properties = Readonly<Record<string, Typed>>

/** Neo4j by its Query API: the nodes of a label are a stream. */
export class Neo4jSystem implements System {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #settings: Neo4jSettings
  readonly #api: HttpApi

  constructor(settings: Neo4jSettings, outbound: Outbound) {
    const { host, port, tls, ca, user, password } = settings
    this.host = host
    this.port = port
    this.tls = tls
    this.#settings = settings
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const headers = () => ({ authorization, accept: TYPED_JSON, 'content-type': TYPED_JSON })
    this.#api = new HttpApi({ outbound, host, port, tls, ca, headers, secretPointer: '/password', refusalOf })
  }

  async enter(signal: AbortSignal): Promise<string> {
    await this.#run({ statement: 'RETURN 1', parameters: {} }, signal)
    return `${this.#settings.user} may enter ${this.#settings.database}`
  }

  async list({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const { rows } = await this.#run({ statement: `${LABELS} LIMIT ${limit + 1}`, parameters: {} }, signal)
    const labels = rows.slice(0, limit).map(([label]) => String(label?._value))
    const streams: Stream[] = []
    for (const label of labels) streams.push(streamOf(label, await this.#types(label, signal)))
    return { streams, isWhole: rows.length <= limit }
  }

  async *pages({ stream, cursor, limit = MAX_SIZE, signal }: StreamRead): AsyncGenerator<Page> {
    const types = await this.#types(stream, signal)
    if (types.size === 1) await this.#requireLabel(stream, signal)
    const columns = [...types].map(([name, type]) => ({ name, type }))
    const after = cursor && startOf(types, cursor)
    const cursorAt = columns.findIndex(({ name }) => name === cursor?.column)
    let size = Math.min(FIRST_SIZE, limit)
    let last: { id: Typed; value: Typed } | undefined
    for (;;) {
      const { rows, bytes } = await this.#run(
        pageOf({ label: stream, column: cursor?.column, after, last, size }),
        signal
      )
      const cells = rows.map(([id, properties]) =>
        columns.map(({ name, type }) =>
          name === '_id' ? String(id?._value) : cellOf(type, propertiesIn(properties)[name])
        )
      )
      yield { columns, rows: cursor === undefined ? cells : cells.filter((row) => row[cursorAt] !== null) }
      const [id, properties] = rows.at(-1) ?? []
      if (id === undefined || rows.length < size) return
      last = { id, value: propertiesIn(properties)[cursor?.column ?? ''] ?? id }
      size = Math.floor(Math.max(1, Math.min(MAX_SIZE, (PAGE_BYTES * rows.length) / (bytes + 1))))
    }
  }

  grants(): string[] {
    return [`GRANT ROLE reader TO \`${this.#settings.user.replaceAll('`', '``')}\`;`]
  }

  async close(): Promise<void> {
    this.#api.close()
  }

  /** The properties of a label by what some of its nodes have, after the id of the node. */
  async #types(label: string, signal: AbortSignal): Promise<Map<string, ColumnType>> {
    const types = new Map<string, ColumnType>([['_id', 'text']])
    const { rows } = await this.#run({ statement: sampleOf(label, SAMPLED), parameters: {} }, signal)
    for (const [properties] of rows) {
      for (const [name, value] of Object.entries(propertiesIn(properties))) {
        const type = typeOf(value)
        if (type === undefined || name === '_id') continue
        types.set(name, joined(types.get(name) ?? type, type))
      }
    }
    return types
  }

  /** A label that no node has is read as one that has none, so it is looked for by name. */
  async #requireLabel(label: string, signal: AbortSignal): Promise<void> {
    const parameters = { label: { $type: 'String', _value: label } }
    const statement = 'CALL db.labels() YIELD label WHERE label = $label RETURN label'
    const { rows } = await this.#run({ statement, parameters }, signal)
    if (rows.length === 0) throw new SourceError('not_found', `There is no label ${JSON.stringify(label)}`)
  }

  async #run(statement: Statement, signal: AbortSignal) {
    const path = `/db/${encodeURIComponent(this.#settings.database)}/query/v2`
    const body = JSON.stringify({ ...statement, accessMode: 'READ' })
    const answer = await this.#api.call({ method: 'POST', path, body, signal })
    const rows = (answer.body as Found | undefined)?.data?.values
    if (rows === undefined) {
      throw new SourceError(
        'bad_request',
        'What answers there is no Query API of Neo4j (5.19 or later); check the port',
        '/port'
      )
    }
    return { rows, bytes: answer.bytes }
  }
}

const propertiesIn = (value: Typed | undefined): Properties => (value?._value ?? {}) as Properties

function streamOf(name: string, types: ReadonlyMap<string, ColumnType>): Stream {
  const columns = [...types].map(([column, type]) => ({ name: column, type, nullable: column !== '_id' }))
  const cursors = columns.filter(({ type }) => CURSOR_TYPES.has(type)).map((column) => column.name)
  return { name, kind: 'table', isReadable: true, columns, keys: ['_id'], cursors }
}

function startOf(
  types: ReadonlyMap<string, ColumnType>,
  { column, after }: NonNullable<StreamRead['cursor']>
): Typed | undefined {
  const type = types.get(column)
  if (type === undefined || column === '_id')
    throw new SourceError('not_found', `There is no property ${JSON.stringify(column)}`)
  const start = comparable(type, after ?? '')
  if (start === undefined) throw new SourceError('bad_request', `${JSON.stringify(column)} has no order to go on in`)
  return after === null ? undefined : start
}

/** What is refused has a code, which tells more than the status. */
function refusalOf({ status, body }: Answer): SourceError | undefined {
  const [error] = (body as { errors?: readonly { code?: string; message?: string }[] } | undefined)?.errors ?? []
  const { code = '', message = '' } = error ?? {}
  const said = `Neo4j refused (${code}): ${message.slice(0, 300)}`
  if (/Security\.Forbidden|Security\.CredentialsExpired/.test(code)) return new SourceError('missing_permission', said)
  if (/Security\.(Unauthorized|AuthenticationRateLimit)/.test(code) || status === 401) return undefined
  if (/Database\.DatabaseNotFound/.test(code)) return new SourceError('not_found', said, '/database')
  if (code.startsWith('Neo.TransientError')) return new SourceError('unavailable', said)
  return code.startsWith('Neo.ClientError') && status < 500 ? new SourceError('bad_request', said) : undefined
}
