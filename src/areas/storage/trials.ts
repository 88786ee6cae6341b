import { rm } from 'node:fs/promises'
import type { OpenedStore, StoreSettings } from '../../engines/objects/index.ts'
import type { Performed } from '../../http/route.ts'
import { refuseMask } from './credentials.ts'
import type { ProviderRow } from './migrations.ts'
import type { SettingsTest, TestResult } from './schema.ts'
import type { Storage, StorageNeeds } from './service.ts'
import { checkConnection, connectionOf, settingsOf } from './settings.ts'
import * as store from './store.ts'

interface Place {
  readonly bucket: string | undefined
  readonly bucketPrefix: string
}

/** Tests of providers: of existing ones, and of settings for a new one. */
export class Trials {
  readonly #needs: StorageNeeds
  readonly #storage: Storage

  constructor(needs: StorageNeeds, storage: Storage) {
    this.#needs = needs
    this.#storage = storage
  }

  async ofProvider(id: string, named: string | undefined): Promise<Performed<TestResult>> {
    const { metadata, clock } = this.#needs
    const row = await this.#storage.providerOf(metadata.db, id)
    const bucket = named ?? (await this.#needs.firstBucket(metadata.db, id))
    const place = { bucket, bucketPrefix: this.#storage.bucketPrefixOf(row) }
    const settings = this.#storage.settingsOf(row)
    // A store on disk can be opened only once; a remote store gets connections of its own, which can be closed
    // without harm to others.
    const shared = settings.kind === 'disk' ? () => this.#share(row) : undefined
    const result = await this.#test(settings, place, shared)
    const { success, message } = result
    const at = clock.iso()
    const before = row.last_test === null ? null : briefly(JSON.parse(row.last_test))
    return {
      answer: result,
      changes: [
        { type: 'storage-provider', id, before: { lastTest: before }, after: { lastTest: { at, success, message } } }
      ],
      commit: async (tx) => {
        await store.saveTest(tx, id, JSON.stringify({ at, ...result }))
      }
    }
  }

  async ofSettings(body: SettingsTest): Promise<Performed<TestResult>> {
    const { makeId, objectsDir } = this.#needs
    const { name, isDefault: _, credentials: given, bucket, ...said } = body
    const connection = connectionOf(said)
    const credentials = given ?? undefined
    refuseMask(credentials)
    checkConnection(connection, credentials)
    const id = makeId('spt')
    const settings = settingsOf({ id, ...connection }, credentials, objectsDir)
    try {
      const result = await this.#test(settings, { bucket, bucketPrefix: connection.bucket_prefix })
      const { success, message } = result
      const { type, endpoint, port } = connection
      const after = { name, type, endpoint, port, success, message }
      return { answer: result, changes: [{ type: 'storage-provider-test', id, after }] }
    } finally {
      if (settings.kind === 'disk') await rm(settings.folder, { recursive: true, force: true })
    }
  }

  async #test(
    settings: StoreSettings,
    place: Place,
    open = () => this.#needs.openStore(settings)
  ): Promise<TestResult> {
    // Loads an HTTP client, which nothing else needs at the start.
    const { testStore } = await import('./checks/index.ts')
    return testStore({ settings, ...place, open }, this.#needs)
  }

  async #share(row: ProviderRow): Promise<OpenedStore> {
    return { store: await this.#storage.storeOf(row), close: async () => {} }
  }
}

function briefly({ at, success, message }: { at: string; success: boolean; message: string }) {
  return { at, success, message }
}
