import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { bucketsElsewhere } from '../../buckets/index.ts'
import type { Naming, OutsideStore } from '../openlineage/naming.ts'

/** How long buckets are remembered; a new one means something to events after that. */
const REMEMBERED_MS = 10_000

const STORES: Readonly<Record<string, OutsideStore>> = {
  'store-local': 's3',
  'store-cloud-a': 's3',
  'store-cloud-b': 'azure',
  'store-cloud-c': 'gs'
}

/** Which buckets of others are buckets here. */
export class OutsideBuckets {
  readonly #metadata: Metadata
  readonly #clock: Clock
  /** What was read last, or is being read for all who ask meanwhile. */
  #naming: Promise<Naming> | undefined
  #readMs = Number.NEGATIVE_INFINITY

  constructor({ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock }) {
    this.#metadata = metadata
    this.#clock = clock
  }

  naming(): Promise<Naming> {
    const nowMs = this.#clock.now()
    if (this.#naming !== undefined && nowMs - this.#readMs < REMEMBERED_MS) return this.#naming
    this.#readMs = nowMs
    const naming = this.#read()
    this.#naming = naming
    naming.catch(() => {
      if (this.#naming === naming) this.#naming = undefined
    })
    return naming
  }

  async #read(): Promise<Naming> {
    const rows = await bucketsElsewhere(this.#metadata.db)
    const names = Map.groupBy(rows, ({ providerType, backendName }) => `${STORES[providerType]} ${backendName}`)
    return {
      bucketOf(store, remoteBucket) {
        // The account of an Azure container is sealed with its credentials, so the container has to do.
        const found = names.get(`${store} ${store === 'azure' ? remoteBucket.split('@')[0] : remoteBucket}`)
        return found?.length === 1 ? found[0]?.name : undefined
      }
    }
  }
}
