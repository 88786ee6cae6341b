import { HttpApi } from '../common/http-api.ts'
import type { Page, System } from '../common/system.ts'
import { timeText } from '../common/values.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, DriverNeeds, Stream, StreamColumn, StreamRead } from '../index.ts'
import { columnsOf, cursorsOf, fieldValue, type Mapping } from './columns.ts'
import { headersOf, type SearchSettings } from './config.ts'
import { type Hit, type Walk, walkPointInTime, walkScroll } from './walks.ts'

/** Names in one address: servers take no more than 4096 characters of it. */
const MAX_NAMES_LENGTH = 3000

interface Resolved {
  readonly indices?: readonly {
    readonly name: string
    readonly attributes?: readonly string[]
    readonly data_stream?: string
  }[]
  readonly aliases?: readonly { readonly name: string; readonly indices: string | readonly string[] }[]
  readonly data_streams?: readonly { readonly name: string; readonly backing_indices: string | readonly string[] }[]
}

/** What a stream is made of: an index of that name, or several. */
interface Named {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly indices: readonly string[]
}

/** Elasticsearch and OpenSearch: an index, a data stream and an alias are a stream each. */
export class SearchSystem implements System {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #settings: SearchSettings
  readonly #api: HttpApi
  readonly #walk: (walk: Walk) => AsyncGenerator<readonly Hit[]>

  constructor(settings: SearchSettings, { outbound }: DriverNeeds, hasPointsInTime: boolean) {
    const { host, port, tls, ca, apiKey } = settings
    this.host = host
    this.port = port
    this.tls = tls
    this.#settings = settings
    this.#walk = hasPointsInTime ? walkPointInTime : walkScroll
    const secretPointer = apiKey === '' ? '/password' : '/apiKey'
    const headers = () => headersOf(settings)
    this.#api = new HttpApi({ outbound, host, port, tls, ca, headers, secretPointer, messageOf })
  }

  async enter(signal: AbortSignal): Promise<string> {
    try {
      const { body } = await this.#api.call({ path: '/', signal })
      const { version } = (body ?? {}) as { version?: { number?: string } }
      if (typeof version?.number !== 'string') {
        throw new SourceError(
          'bad_request',
          'What answers there is no Elasticsearch or OpenSearch; check the port',
          '/port'
        )
      }
    } catch (error) {
      // Its version is not for all who may read: whoever is told that a right is missing was let in.
      if (!(error instanceof SourceError) || error.code !== 'missing_permission') throw error
    }
    return `${this.#settings.user || 'The key'} may enter`
  }

  async list({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const { body } = await this.#api.call({ path: '/_resolve/index/*?expand_wildcards=open', signal })
    const named = namedIn(body as Resolved)
    const wanted = named.slice(0, limit)
    const mappings = await this.#mappings(wanted, signal)
    return { streams: wanted.map((one) => toStream(one, mappings)), isWhole: named.length <= limit }
  }

  async *pages(request: StreamRead): AsyncGenerator<Page> {
    const { stream, signal, cursor } = request
    const index = encodeURIComponent(checkedName(stream))
    const { body } = await this.#api.call({ path: `/${index}/_mapping`, signal })
    const mappings = Object.values(body as Record<string, { mappings: Mapping }>).map((one) => one.mappings)
    const columns = columnsOf(mappings)
    for await (const hits of this.#walk({ api: this.#api, index, columns, request })) {
      const rows = hits.map((hit) => columns.map((column) => cellOf(column, hit)))
      yield { columns, rows, ...(cursor && { positions: hits.map(positionOf) }) }
    }
  }

  grants(): string[] {
    const { user } = this.#settings
    const role = { indices: [{ names: ['*'], privileges: ['read', 'view_index_metadata'] }] }
    return [
      `PUT /_security/role/millrace_reader ${JSON.stringify(role)}`,
      ...(user === '' ? [] : [`give the user ${JSON.stringify(user)} the role millrace_reader, besides those it has`])
    ]
  }

  async close(): Promise<void> {
    this.#api.close()
  }

  /** By index; asked for many at a time. */
  async #mappings(named: readonly Named[], signal: AbortSignal): Promise<Map<string, Mapping>> {
    const found = new Map<string, Mapping>()
    for (const names of batchesOf([...new Set(named.flatMap(({ indices }) => indices))])) {
      const { body } = await this.#api.call({ path: `/${names}/_mapping?ignore_unavailable=true`, signal })
      for (const [name, { mappings }] of Object.entries(body as Record<string, { mappings: Mapping }>))
        found.set(name, mappings)
    }
    return found
  }
}

function namedIn({ indices = [], aliases = [], data_streams = [] }: Resolved): Named[] {
  const own = indices.filter(
    ({ attributes = [], data_stream }) => data_stream === undefined && !attributes.includes('hidden')
  )
  const named: Named[] = [
    ...own.map(({ name }) => ({ name, kind: 'table' as const, indices: [name] })),
    ...data_streams.map(({ name, backing_indices: held }) => ({
      name,
      kind: 'table' as const,
      indices: [held].flat()
    })),
    ...aliases.map(({ name, indices: held }) => ({ name, kind: 'view' as const, indices: [held].flat() }))
  ]
  return named.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function toStream({ name, kind, indices }: Named, mappings: ReadonlyMap<string, Mapping>): Stream {
  const known = indices.flatMap((index) => mappings.get(index) ?? [])
  const columns = columnsOf(known)
  // Where its mapping is kept from us, so are its documents.
  return { name, kind, isReadable: known.length > 0, columns, keys: ['_id'], cursors: cursorsOf(columns) }
}

function cellOf({ name, type }: StreamColumn, { _id, _source, fields }: Hit) {
  if (name === '_id') return _id
  return fieldValue(type, type === 'json' ? [_source?.[name]] : fields?.[name])
}

/** The value that the hit was put in order by: of a field with several, the least. */
function positionOf({ sort }: Hit): string {
  const [value] = sort ?? []
  return (typeof value === 'string' ? timeText(value) : null) ?? String(value)
}

/** A stream is one name: an expression for several would be read past the labels of each. */
function checkedName(name: string): string {
  if (!/[*?,<>|"\\/\s#]/.test(name) && !name.startsWith('-') && name !== '_all') return name
  throw new SourceError('not_found', `There is no index with the name ${JSON.stringify(name)}`)
}

function* batchesOf(names: readonly string[]): Generator<string> {
  let batch = ''
  for (const name of names.map(encodeURIComponent)) {
    if (batch !== '' && batch.length + name.length > MAX_NAMES_LENGTH) {
      yield batch
      batch = ''
    }
    batch += batch === '' ? name : `,${name}`
  }
  if (batch !== '') yield batch
}

function messageOf(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: { type?: unknown; reason?: unknown } }
  return typeof error?.reason === 'string' ? error.reason : undefined
}
