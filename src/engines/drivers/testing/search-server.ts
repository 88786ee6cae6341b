import { type Asked, type Reply, ToldServer } from './http-server.ts'

/** A document with its fields as an index keeps them. */
export interface Told {
  readonly _id: string
  readonly fields: Readonly<Record<string, readonly unknown[]>>
  readonly _source?: Readonly<Record<string, unknown>>
}

interface Index {
  readonly mappings: unknown
  readonly documents: readonly Told[]
}

interface Search {
  readonly query: { readonly bool?: { readonly filter: readonly [Filter] } }
  readonly sort: readonly Readonly<Record<string, unknown>>[]
  readonly size: number
  readonly pit?: { readonly id: string }
  readonly search_after?: readonly unknown[]
}

interface Filter {
  readonly exists?: { readonly field: string }
  readonly range?: Readonly<Record<string, { readonly gt: string }>>
}

/** No real server: what Elasticsearch and OpenSearch document of the few calls that the driver makes. */
export function searchServer(indices: Readonly<Record<string, Index>>, authorization: string): ToldServer {
  const scrolls = new Map<string, { found: Told[]; size: number; sort: string }>()

  function answer({ method, path, query, headers, body }: Asked): Reply {
    if (headers.authorization !== authorization) return { status: 401, body: { error: { reason: 'who is there' } } }
    if (path === '/') return { body: { version: { number: '8.17.0' } } }
    if (path === '/_resolve/index/*')
      return { body: { indices: Object.keys(indices).map((name) => ({ name, attributes: ['open'] })) } }
    if (path === '/_search') return search(body as Search)
    if (path === '/_search/scroll' && method === 'POST') return scrollOn((body as { scroll_id: string }).scroll_id)
    if (method === 'DELETE') return { body: {} }
    const [, names = '', what] = path.split('/')
    const missing = names.split(',').find((name) => indices[name] === undefined)
    if (missing !== undefined)
      return { status: 404, body: { error: { type: 'index_not_found_exception', reason: 'no such index' } } }
    if (what === '_pit') return { body: { id: names } }
    if (what === '_mapping') {
      return { body: Object.fromEntries(names.split(',').map((name) => [name, { mappings: indices[name]?.mappings }])) }
    }
    if (what === '_search' && query.has('scroll')) return scroll(names, body as Search)
    return { status: 400, body: { error: { reason: `not told: ${method} ${path}` } } }
  }

  function search({ pit, size, sort, search_after: after, query }: Search): Reply {
    const by = Object.keys(sort[0] ?? {})[0] ?? ''
    const all = ordered(indices[pit?.id ?? '']?.documents ?? [], query, by)
    const start = after === undefined ? 0 : all.findIndex((one) => String(one.at) === String(after.at(-1))) + 1
    const hits = all
      .slice(start, start + size)
      .map(({ told, at }) => ({ ...told, sort: by === '_shard_doc' ? [at] : [told.fields[by]?.[0], at] }))
    return { body: { pit_id: pit?.id, hits: { hits } } }
  }

  function scroll(index: string, { query, size, sort }: Search): Reply {
    const by = Object.keys(sort[0] ?? {})[0] ?? ''
    const id = `scroll-${scrolls.size}`
    scrolls.set(id, {
      found: ordered(indices[index]?.documents ?? [], query, by).map(({ told }) => told),
      size,
      sort: by
    })
    return scrollOn(id)
  }

  function scrollOn(id: string): Reply {
    const open = scrolls.get(id)
    if (open === undefined) return { status: 404, body: { error: { reason: 'No search context found' } } }
    const hits = open.found.splice(0, open.size).map((told) => ({ ...told, sort: [told.fields[open.sort]?.[0] ?? 0] }))
    return { body: { _scroll_id: id, hits: { hits } } }
  }

  return new ToldServer(answer)
}

/** What a query finds, in the order of a field, with the place of each in its index. */
function ordered(documents: readonly Told[], { bool }: Search['query'], by: string): { told: Told; at: number }[] {
  const [field, bound] = Object.entries(bool?.filter[0].range ?? {})[0] ?? []
  const exists = bool?.filter[0].exists?.field ?? field
  return documents
    .map((told, at) => ({ told, at }))
    .filter(({ told }) => exists === undefined || told.fields[exists] !== undefined)
    .filter(({ told }) => field === undefined || compare(told.fields[field]?.[0], bound?.gt) > 0)
    .sort((a, b) => compare(a.told.fields[by]?.[0], b.told.fields[by]?.[0]) || a.at - b.at)
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number') return a - Number(b)
  if (/^\d{4}-.*Z$/.test(String(a))) return Date.parse(String(a)) - Date.parse(String(b))
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}
