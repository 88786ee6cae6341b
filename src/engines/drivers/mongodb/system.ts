import type { LookupFunction } from 'node:net'
import type { Outbound } from '../../outbound/index.ts'
import type { Page, System } from '../common/system.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, Stream, StreamRead } from '../index.ts'
import { filterOf, kindsIn, streamOf } from './columns.ts'
import type { MongoSettings } from './config.ts'
import { fromMongo, fromMongoIn } from './errors.ts'
import type { CollectionInfo, Document, MongoClient, MongoDatabase, MongoPackage } from './package.ts'
import { cellOf, columnType } from './values.ts'

const PAGE = 1000
/** Documents that are looked at to find the fields of a collection: so many of the oldest, and as many of the newest. */
const SAMPLED = 100
const AT_ONCE = 8
/** Numbers come as they are kept, so that whole ones of 64 bits and doubles are told apart. */
const READING = { promoteValues: false, batchSize: PAGE } as const
const SELECTION_LIMIT_MS = 8000

interface Opened {
  readonly mongo: MongoPackage
  readonly client: MongoClient
  readonly database: MongoDatabase
}

/** One server of MongoDB: collections and views are streams. */
export class MongoSystem implements System {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #settings: MongoSettings
  readonly #outbound: Outbound
  readonly #load: () => Promise<MongoPackage>
  #opening: Promise<Opened> | undefined

  constructor(settings: MongoSettings, outbound: Outbound, load: () => Promise<MongoPackage>) {
    this.host = settings.host
    this.port = settings.port
    this.tls = settings.tls
    this.#settings = settings
    this.#outbound = outbound
    this.#load = load
  }

  async enter(): Promise<string> {
    const { user, database: name } = this.#settings
    const { database } = await this.#open()
    await fromMongoIn(() => database.command({ ping: 1 }))
    return `${user || 'Anybody'} may enter ${name}`
  }

  async list({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const { database } = await this.#open()
    const found = await this.#ending(signal, () => collectionsOf(database, {}, limit + 1))
    const wanted = found.slice(0, limit)
    const streams: Stream[] = []
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      const some = wanted.slice(at, at + AT_ONCE)
      streams.push(...(await Promise.all(some.map((info) => this.#describe(database, info, signal)))))
    }
    return { streams, isWhole: found.length <= limit }
  }

  async *pages({ stream, cursor, signal }: StreamRead): AsyncGenerator<Page> {
    const { mongo, database } = await this.#open()
    const [info] = await this.#ending(signal, () => collectionsOf(database, { name: stream }, 1))
    if (info === undefined) throw new SourceError('not_found', `There is no collection ${JSON.stringify(stream)}`)
    const kinds = kindsIn(await this.#ending(signal, () => sample(database, info, signal)))
    const columns = [...kinds].map(([name, kind]) => ({ name, type: columnType(kind) }))
    const filter = cursor && filterOf(kinds.get(cursor.column), cursor.column, cursor.after, mongo)
    const order = cursor && { sort: { [cursor.column]: 1 }, allowDiskUse: true }
    const found = database.collection(stream).find(filter ?? {}, { ...READING, ...order, signal })
    const cursorAt = columns.findIndex(({ name }) => name === cursor?.column)
    try {
      for await (const documents of inPages(found)) {
        const rows = documents.map((document) => [...kinds].map(([name, kind]) => cellOf(kind, document[name])))
        // A list that holds such a value is found with it, and has none of its own to go on by.
        yield { columns, rows: cursor === undefined ? rows : rows.filter((row) => row[cursorAt] !== null) }
      }
    } catch (error) {
      signal.throwIfAborted()
      throw fromMongo(error)
    } finally {
      await found.close().catch(() => {})
    }
  }

  grants(): string[] {
    const { user, authSource, database } = this.#settings
    const roles = JSON.stringify([{ role: 'read', db: database }])
    return [`db.getSiblingDB(${JSON.stringify(authSource)}).grantRolesToUser(${JSON.stringify(user)}, ${roles})`]
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined)
    await opened?.client.close().catch(() => {})
  }

  async #describe(database: MongoDatabase, info: CollectionInfo, signal: AbortSignal): Promise<Stream> {
    const kind = info.type === 'view' ? 'view' : 'table'
    try {
      const documents = await this.#ending(signal, () => sample(database, info, signal))
      return streamOf(info.name, kind, true, documents)
    } catch (error) {
      if (!(error instanceof SourceError) || error.code !== 'missing_permission') throw error
      return streamOf(info.name, kind, false, [])
    }
  }

  async #ending<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      throw fromMongo(error)
    }
  }

  #open(): Promise<Opened> {
    this.#opening ??= this.#connect().catch((error) => {
      this.#opening = undefined
      throw fromMongo(error)
    })
    return this.#opening
  }

  /** To one server at an address that was checked: the others of its set, which it would name, are not called. */
  async #connect(): Promise<Opened> {
    const outbound = this.#outbound
    const { host, port, user, password, authSource, tls, ca, database } = this.#settings
    const mongo = await this.#load()
    // An address is never looked up by the client, so it is checked here.
    await outbound.resolve(host, port)
    const lookup: LookupFunction = (_, options, callback) => {
      outbound.resolve(host, port).then(
        ({ address, family }) =>
          options.all ? callback(null, [{ address, family }]) : callback(null, address, family),
        (error) => callback(error, '', 0)
      )
    }
    const client = new mongo.MongoClient(
      `mongodb://${host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host}:${port}/`,
      {
        directConnection: true,
        lookup,
        appName: 'millrace',
        serverSelectionTimeoutMS: SELECTION_LIMIT_MS,
        connectTimeoutMS: SELECTION_LIMIT_MS,
        maxPoolSize: AT_ONCE,
        readPreference: 'secondaryPreferred',
        tls,
        ...(tls && ca !== '' && { ca }),
        ...(user !== '' && { auth: { username: user, password }, authSource })
      }
    )
    try {
      await client.connect()
    } catch (error) {
      await client.close().catch(() => {})
      throw error
    }
    return { mongo, client, database: client.db(database) }
  }
}

/** What the user may see, by name; collections of the system itself are left out. */
async function collectionsOf(database: MongoDatabase, filter: object, limit: number): Promise<CollectionInfo[]> {
  const found: CollectionInfo[] = []
  const listed = database.listCollections(filter, { nameOnly: true, authorizedCollections: true })
  for await (const info of listed) if (!info.name.startsWith('system.')) found.push(info)
  return found.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit)
}

/** The oldest and the newest by id, which has an index; a view has none, so any will do. */
async function sample(
  database: MongoDatabase,
  { name, type }: CollectionInfo,
  signal: AbortSignal
): Promise<Document[]> {
  const find = (more: object) =>
    Array.fromAsync(database.collection(name).find({}, { ...READING, limit: SAMPLED, signal, ...more }))
  if (type === 'view' || type === 'timeseries') return find({})
  return [...(await find({ sort: { _id: 1 } })), ...(await find({ sort: { _id: -1 } }))]
}

async function* inPages(found: AsyncIterable<Document>): AsyncGenerator<Document[]> {
  let page: Document[] = []
  for await (const document of found) {
    page.push(document)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  yield page
}
