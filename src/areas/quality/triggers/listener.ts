import { isPattern, parsePattern } from '../../../data/glob.ts'
import { parseReference } from '../../../data/reference.ts'
import type { Bus } from '../../../engines/bus/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Trigger } from '../words.ts'
import { waitingDatasets, want } from './store.ts'

interface Needs {
  readonly bus: Bus
  readonly clock: Clock
  readonly metadata: Metadata
  onError(error: unknown): void
}

/** Events are gathered for so long before the database is asked who waits for them. */
const GATHER_MS = 1000
/** Keys of a bucket that are told apart; where there are more, any of its datasets may be concerned. */
const MAX_KEYS = 1000
const MAX_DATASETS = 10_000

/** Hears of objects and of runs of pipelines, and notes which rules are to be evaluated. */
export class Listener {
  readonly #needs: Needs
  /** The keys that were written, by the trigger and its owner. */
  readonly #heard = new Map<string, { trigger: Trigger; owner: string; keys: Set<string> }>()
  readonly #leave: (() => void)[] = []
  #cancel: (() => void) | undefined
  #noting: Promise<void> = Promise.resolve()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  start(): void {
    const { bus } = this.#needs
    this.#leave.push(
      bus.subscribe('object.created', ({ bucket, key }) => this.#hear('object', bucket, key)),
      bus.subscribe('pipeline-run.ended', ({ pipelineId, status }) => {
        if (status === 'completed') this.#hear('pipeline', pipelineId, '')
      })
    )
  }

  /** Notes what was heard so far. */
  async stop(): Promise<void> {
    for (const leave of this.#leave) leave()
    this.#cancel?.()
    await this.flush()
  }

  #hear(trigger: Trigger, owner: string, key: string): void {
    const { keys } = this.#heard.getOrInsertComputed(`${trigger} ${owner}`, () => ({ trigger, owner, keys: new Set() }))
    if (keys.size <= MAX_KEYS) keys.add(key)
    this.#cancel ??= this.#needs.clock.after(GATHER_MS, () => void this.flush())
  }

  flush(): Promise<void> {
    this.#cancel = undefined
    const heard = [...this.#heard.values()]
    this.#heard.clear()
    this.#noting = this.#noting.then(() => this.#note(heard)).catch((error) => this.#needs.onError(error))
    return this.#noting
  }

  async #note(heard: readonly { trigger: Trigger; owner: string; keys: ReadonlySet<string> }[]): Promise<void> {
    const { metadata, clock } = this.#needs
    for (const { trigger, owner, keys } of heard) {
      const waiting = await waitingDatasets(metadata.db, trigger, owner, MAX_DATASETS)
      const concerned = waiting.filter((dataset) => trigger === 'pipeline' || isConcerned(dataset, keys))
      if (concerned.length === 0) continue
      await metadata.transaction((tx) => want(tx, trigger, owner, concerned, clock.now()))
    }
  }
}

function isConcerned(dataset: string, keys: ReadonlySet<string>): boolean {
  const reference = parseReference(dataset)
  if ('problem' in reference) return false
  if (keys.size > MAX_KEYS || keys.has(reference.path)) return true
  if (!isPattern(reference.path)) return false
  const pattern = parsePattern(reference.path)
  return [...keys].some((key) => pattern.matches(key))
}
