import type { DataPlane } from '../../../data/plane.ts'
import { parseReference } from '../../../data/reference.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import type { Clock } from '../../../engines/clock.ts'

interface Needs {
  readonly plane: Pick<DataPlane, 'describe'>
  readonly clock: Clock
  /** What is another one whenever the content of an object is; undefined where there is no such object. */
  versionOf(bucket: string, key: string): Promise<string | undefined>
}

interface Described {
  readonly version: string
  readonly atMs: number
  readonly columns: Promise<readonly DataColumn[]>
}

const MAX_KEPT = 100
/** A file of rules is applied within this. */
const KEPT_MS = 60_000

/**
 * The columns of datasets, for rules that are checked one after the other. To look at those of a large CSV takes a second or two: so
 * those of an object are kept for a minute, as long as it is the same.
 */
export class DescribedColumns {
  readonly #needs: Needs
  readonly #kept = new Map<string, Described>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async of(dataset: string, signal: AbortSignal): Promise<readonly DataColumn[]> {
    const { plane, clock } = this.#needs
    const version = await this.#versionOf(dataset)
    if (version === undefined) return plane.describe(dataset, signal)
    const known = this.#kept.get(dataset)
    if (known !== undefined && known.version === version && clock.elapsed() - known.atMs < KEPT_MS) return known.columns
    const columns = plane.describe(dataset, signal)
    this.#keep(dataset, { version, atMs: clock.elapsed(), columns })
    return columns
  }

  #keep(dataset: string, described: Described): void {
    this.#kept.delete(dataset)
    this.#kept.set(dataset, described)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    described.columns.catch(() => {
      if (this.#kept.get(dataset) === described) this.#kept.delete(dataset)
    })
  }

  /** Of a single object; what else there is has none that could be had for less than its columns. */
  async #versionOf(dataset: string): Promise<string | undefined> {
    const reference = parseReference(dataset)
    if ('problem' in reference || reference.scheme !== 'object') return undefined
    return this.#needs.versionOf(reference.owner, reference.path)
  }
}
