import type { Clock } from '../../engines/clock.ts'
import type { ObjectStore, OpenedStore, StoreSettings } from '../../engines/objects/index.ts'

/** How long work under way may go on with the old settings of a provider. */
const DRAIN_MS = 10 * 60_000

interface Kept {
  readonly version: number
  readonly opened: Promise<OpenedStore>
}

interface Needs {
  readonly clock: Clock
  open(settings: StoreSettings): Promise<OpenedStore>
}

/** The open stores of the providers. Each is opened once, and again after its provider has changed. */
export class Stores {
  readonly #needs: Needs
  readonly #kept = new Map<string, Kept>()
  readonly #draining = new Set<Promise<OpenedStore>>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async get(id: string, version: number, settings: () => StoreSettings): Promise<ObjectStore> {
    const known = this.#kept.get(id)
    // A store on disk can be opened only once, and none of its settings can change.
    if (known !== undefined && (known.version === version || (await known.opened).store.kind === 'disk')) {
      return (await known.opened).store
    }
    if (known !== undefined) this.#drain(known.opened)
    const opened = this.#needs.open(settings())
    this.#kept.set(id, { version, opened })
    // Where a store could not be opened, the next call tries again.
    opened.catch(() => this.#kept.delete(id))
    return (await opened).store
  }

  /** Closes the store of a deleted provider. */
  async forget(id: string): Promise<void> {
    const known = this.#kept.get(id)
    this.#kept.delete(id)
    await (await known?.opened)?.close()
  }

  async close(): Promise<void> {
    const all = [...[...this.#kept.values()].map(({ opened }) => opened), ...this.#draining]
    this.#kept.clear()
    this.#draining.clear()
    await Promise.all(all.map(async (opened) => (await opened).close()))
  }

  #drain(opened: Promise<OpenedStore>): void {
    this.#draining.add(opened)
    this.#needs.clock.after(DRAIN_MS, () => {
      if (this.#draining.delete(opened)) void opened.then(({ close }) => close())
    })
  }
}
