import { existsSync } from 'node:fs'
import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import {
  type ObjectStore,
  type OpenedStore,
  type RemoteSettings,
  type ScrubbedStore,
  StoreError,
  type StoreSettings,
  supportsCheck,
  supportsScrub
} from '../../engines/objects/index.ts'
import type { Outbound } from '../../engines/outbound/index.ts'
import type { Vault } from '../../engines/vault/index.ts'
import { HealthProblem } from '../../http/health-problem.ts'
import { created, deleted, type Outcome, updated } from '../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../http/rows.ts'
import { keepCredentials, openCredentials, refuseMask, sealCredentials } from './credentials.ts'
import { invalidField, Problem } from './errors.ts'
import type { ProviderRow } from './migrations.ts'
import type { Provider, ProviderCreate, ProviderQuery, ProviderUpdate } from './schema.ts'
import { BUILT_IN_ID, checkConnection, connectionOf, fieldsOf, isDisk, settingsOf } from './settings.ts'
import * as store from './store.ts'
import { Stores } from './stores.ts'
import { Trials } from './trials.ts'
import { toProvider } from './view.ts'

export interface StorageNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly vault: Vault
  /** Where providers on this machine's own disk keep their objects. */
  readonly objectsDir: string
  /** The store that `OBJECTS_URL` describes; undefined: the disk. */
  readonly builtIn: (RemoteSettings & { readonly bucketPrefix: string }) | undefined
  openStore(settings: StoreSettings): Promise<OpenedStore>
  /** Throws a `StoreError` while several replicas, or another disk, keep this disk from being used for objects. */
  requireOwnDisk(): Promise<void>
  /** The guarded client, for tests of providers. */
  outbound(): Promise<Outbound>
  /** How many buckets a provider holds. */
  countBuckets(db: Db, providerId: string): Promise<number>
  /** The provider's own name of the oldest bucket it holds. */
  firstBucket(db: Db, providerId: string): Promise<string | undefined>
}

/** The storage providers, in which buckets are made. */
export class Storage {
  readonly #needs: StorageNeeds
  readonly #stores: Stores
  readonly trials: Trials

  constructor(needs: StorageNeeds) {
    this.#needs = needs
    this.#stores = new Stores({ clock: needs.clock, open: needs.openStore })
    this.trials = new Trials(needs, this)
  }

  /** Adds the provider of the configuration where it is missing. */
  async start(): Promise<void> {
    const { metadata, clock } = this.#needs
    const row: ProviderRow = {
      ...connectionOf({ type: 'store-local' }),
      id: BUILT_IN_ID,
      name: 'Built-in',
      credentials: null,
      built_in: 1,
      last_test: null,
      ...firstStamps(clock)
    }
    await metadata.transaction((tx) => store.seedBuiltIn(tx, row))
  }

  stop(): Promise<void> {
    return this.#stores.close()
  }

  async list(query: ProviderQuery) {
    const { rows, total, nextCursor } = await store.listProviders(this.#needs.metadata.db, query)
    return { providers: rows.map((row) => this.#toProvider(row, row.default_id ?? '')), total, nextCursor }
  }

  async get(id: string): Promise<Provider> {
    const { db } = this.#needs.metadata
    return this.#toProvider(await requireProvider(db, id), await store.defaultProviderId(db))
  }

  async create(tx: Db, { name, isDefault, credentials: given, ...body }: ProviderCreate): Promise<Outcome<Provider>> {
    const { clock, makeId, vault } = this.#needs
    const connection = connectionOf(body)
    const credentials = given == null ? undefined : given
    refuseMask(credentials)
    checkConnection(connection, credentials)
    const id = makeId('sp')
    const sealed = sealCredentials(vault, id, credentials)
    const stamps = firstStamps(clock)
    const row: ProviderRow = { id, name, ...connection, credentials: sealed, built_in: 0, last_test: null, ...stamps }
    await orNameTaken(() => store.insertProvider(tx, row))
    if (isDefault === true) await store.setDefault(tx, id)
    return created('storage-provider', this.#toProvider(row, isDefault === true ? id : ''))
  }

  async update(tx: Db, id: string, change: ProviderUpdate): Promise<Outcome<Provider>> {
    const { clock, vault } = this.#needs
    const defaultId = await store.lockDefault(tx)
    const before = await requireProvider(tx, id)
    const { name = before.name, type, isDefault, credentials: given, ...settings } = change
    if (type !== undefined && type !== before.type) throw new Problem('provider_type_immutable')
    if (isDefault === false && id === defaultId) throw new Problem('provider_is_default', { detail: DEFAULT_STAYS })
    const touched = Object.keys(settings).length > 0 || given !== undefined
    if (before.built_in === 1 && touched) throw new Problem('provider_built_in')
    const connection = touched ? connectionOf({ ...fieldsOf(before), ...settings, type: before.type }) : before
    if (isDisk(before) !== isDisk(connection))
      throw invalidField('/endpoint', 'can’t be added or taken away; make another provider')
    const known = { connection: before, credentials: openCredentials(vault, before) }
    const credentials = keepCredentials(given, known, connection)
    const after: ProviderRow = {
      ...before,
      ...(touched && connection),
      name,
      credentials: given === undefined ? before.credentials : sealCredentials(vault, id, credentials),
      ...nextStamps(before, clock)
    }
    if (touched) checkConnection(after, credentials)
    await orNameTaken(() => store.updateProvider(tx, after))
    if (isDefault === true) await store.setDefault(tx, id)
    const nowDefault = isDefault === true ? id : defaultId
    return updated('storage-provider', this.#toProvider(before, defaultId), this.#toProvider(after, nowDefault))
  }

  async delete(tx: Db, id: string): Promise<Outcome<null>> {
    const defaultId = await store.lockDefault(tx)
    const row = await orNotFound(store.lockProvider(tx, id))
    if (row.built_in === 1) throw new Problem('provider_built_in')
    if (id === defaultId) throw new Problem('provider_is_default')
    const buckets = await this.#needs.countBuckets(tx, id)
    if (buckets > 0) {
      const detail = `The provider holds ${buckets} bucket(s); delete them first.`
      throw new Problem('provider_in_use', { detail, members: { buckets } })
    }
    await store.deleteProvider(tx, id)
    return deleted('storage-provider', this.#toProvider(row, defaultId))
  }

  /** The provider for a new bucket: the one that was named, or the default. */
  async providerFor(tx: Db, id: string | undefined): Promise<ProviderRow> {
    const row = await store.findProvider(tx, id ?? (await store.defaultProviderId(tx)))
    if (row === undefined) throw invalidField('/providerId', 'must be the id of a storage provider')
    return { ...row, bucket_prefix: this.bucketPrefixOf(row) }
  }

  async providerOf(db: Db, id: string): Promise<ProviderRow> {
    return requireProvider(db, id)
  }

  bucketPrefixOf(row: ProviderRow): string {
    return row.built_in === 1 ? (this.#needs.builtIn?.bucketPrefix ?? '') : row.bucket_prefix
  }

  /** The store behind a provider. */
  async storeOf(row: ProviderRow): Promise<ObjectStore> {
    if (this.#isOnDisk(row)) await this.#needs.requireOwnDisk()
    return this.#stores.get(row.id, row.version, () => this.settingsOf(row))
  }

  #isOnDisk(row: ProviderRow): boolean {
    return isDisk(row) && (row.built_in !== 1 || this.#needs.builtIn === undefined)
  }

  settingsOf(row: ProviderRow): StoreSettings {
    const { builtIn, vault, objectsDir } = this.#needs
    if (row.built_in === 1 && builtIn !== undefined) return builtIn
    return settingsOf(row, openCredentials(vault, row), objectsDir)
  }

  /** Throws where the built-in store does not answer; it does not matter which buckets it has. */
  async checkBuiltIn(): Promise<void> {
    if (this.#needs.builtIn === undefined) return this.checkOwnDisk()
    const backend = await this.builtInStore()
    const bucket = this.ownBucket('health')
    try {
      await backend.list(bucket, { prefix: '', folders: false, limit: 1 })
    } catch (error) {
      const answers = error instanceof StoreError && ['no_such_bucket', 'access_denied'].includes(error.code)
      if (!answers) throw error
    }
  }

  /** Sends some request to a provider about one of its buckets. */
  async look(id: string, bucket: string): Promise<void> {
    const backend = await this.storeOf(await requireProvider(this.#needs.metadata.db, id))
    await backend.list(bucket, { prefix: '', folders: false, limit: 1 })
  }

  /** Throws what is wrong with a store on this machine's own disk; the message is fit for anybody. */
  async checkOwnDisk(): Promise<void> {
    for (const row of await this.#ownDisks()) {
      try {
        const opened = await this.storeOf(row)
        if (supportsCheck(opened)) await opened.check()
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        if (error.code !== 'not_shared') throw new HealthProblem(error.message, { cause: error }) // the check `replicas` reports that
      }
    }
  }

  /**
   * The stores on this machine's own disk that hold anything. One that does not open is left out: `checkOwnDisk`
   * reports it.
   */
  async scrubbedStores(): Promise<ScrubbedStore[]> {
    const found: ScrubbedStore[] = []
    for (const row of await this.#ownDisks()) {
      const opened = await this.storeOf(row).catch(ignoreStore)
      if (opened !== undefined && supportsScrub(opened)) found.push(opened)
    }
    return found
  }

  async #ownDisks(): Promise<ProviderRow[]> {
    const { metadata, objectsDir } = this.#needs
    const rows = await store.allProviders(metadata.db)
    return rows.filter((row) => {
      if (!this.#isOnDisk(row)) return false
      const settings = settingsOf(row, undefined, objectsDir)
      return settings.kind === 'disk' && existsSync(settings.folder)
    })
  }

  /** The store that the configuration names. */
  async builtInStore(): Promise<ObjectStore> {
    return this.storeOf(await requireProvider(this.#needs.metadata.db, BUILT_IN_ID))
  }

  /** The name of a bucket there that belongs to the platform itself. */
  ownBucket(name: string): string {
    return `${this.#needs.builtIn?.bucketPrefix ?? ''}millrace-${name}`
  }

  /** Closes the store of a provider; to be called once its deletion is committed. */
  async forget(id: string): Promise<void> {
    await this.#stores.forget(id)
  }

  #toProvider(row: ProviderRow, defaultId: string): Provider {
    return toProvider(row, { defaultId, builtIn: this.#needs.builtIn })
  }
}

const DEFAULT_STAYS = 'There is always one default: make another provider the default instead.'

function ignoreStore(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error
}

function requireProvider(db: Db, id: string): Promise<ProviderRow> {
  return orNotFound(store.findProvider(db, id))
}
