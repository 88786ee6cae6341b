import type { Document, MongoOptions, MongoPackage } from '../package.ts'

export const LONG_MAX = '9223372036854775807'

/** A value as the package wraps it. */
export const wrapped = (_bsontype: string, value: unknown) => ({ _bsontype, value, toString: () => String(value) })

export interface PlayedMongo extends MongoPackage {
  options: MongoOptions | undefined
  connections: number
  openCursors: number
  /** After so many documents the connection is cut, once. */
  diesAfter: number
  deaths: number
  failsWith: Error | undefined
}

type Filter = Readonly<Record<string, { readonly $gt?: unknown }>>

/** No real MongoDB: what is used of its package, over lists of documents that are in the order of every field. */
export function playedMongo(data: Readonly<Record<string, readonly Document[]>>): PlayedMongo {
  const played: PlayedMongo = {
    options: undefined,
    connections: 0,
    openCursors: 0,
    diesAfter: Number.POSITIVE_INFINITY,
    deaths: 0,
    failsWith: undefined,
    ObjectId: { createFromHexString: (text) => wrapped('ObjectId', text) },
    Long: { fromString: (text) => wrapped('Long', text) },
    Decimal128: { fromString: (text) => wrapped('Decimal128', text) },
    MongoClient: class {
      constructor(_: string, options: MongoOptions) {
        played.options = options
      }
      async connect() {
        played.connections += 1
      }
      async close() {}
      db() {
        return {
          command: async () => ({ ok: 1 }),
          listCollections: ({ name }: { name?: string }) => {
            if (played.failsWith !== undefined) throw played.failsWith
            return infos(Object.keys(data).filter((one) => name === undefined || one === name))
          },
          collection: (name: string) => ({
            find: (filter: object, options: object) => find(data[name] ?? [], filter as Filter, options)
          })
        }
      }
    }
  }

  function find(documents: readonly Document[], filter: Filter, options: { limit?: number; sort?: object }) {
    const [[field, bound] = []] = Object.entries(filter)
    const found = documents.filter(
      (document) => field === undefined || bound?.$gt === undefined || isGreater(document[field], bound.$gt)
    )
    const isBackwards = Object.values(options.sort ?? {})[0] === -1
    played.openCursors += options.limit === undefined ? 1 : 0
    const wanted = (isBackwards ? found.toReversed() : found).slice(0, options.limit)
    async function* documentsOf() {
      for (const [at, document] of wanted.entries()) {
        if (at >= played.diesAfter) {
          played.diesAfter = Number.POSITIVE_INFINITY
          played.deaths += 1
          throw Object.assign(new Error('cut'), { name: 'MongoNetworkError', cause: { code: 'ECONNRESET' } })
        }
        yield document
      }
    }
    const iterator = documentsOf()
    return {
      [Symbol.asyncIterator]: () => iterator,
      close: async () => {
        played.openCursors -= 1
      }
    }
  }
  return played
}

function infos(names: readonly string[]) {
  async function* all() {
    for (const name of names) yield { name, type: 'collection' }
  }
  return Object.assign(all(), { close: async () => {} })
}

function isGreater(value: unknown, bound: unknown): boolean {
  const [a, b] = [String(value), String(bound)]
  return a.length === b.length ? a > b : a.length > b.length
}
