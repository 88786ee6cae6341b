import { SeriesError } from '../../errors.ts'
import type { ThreadCaller } from '../../thread-calls.ts'
import type { SealedFact } from '../index-db.ts'
import type { Merged, SealerCalls } from '../sealer/tasks.ts'
import { Cleaning } from './cleaning.ts'
import type { Damage } from './damage.ts'
import type { Keeper, Kept } from './keeper.ts'
import type { RetiredTag } from './log-records.ts'
import { filesToFinish, filesToMerge } from './merging.ts'

const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000
/** The same failure is reported at most this often. */
const TOLD_EVERY_MS = 60_000
const MS_PER_DAY = 86_400_000

interface Needs {
  readonly keeper: Keeper
  readonly damage: Damage
  sealer(): ThreadCaller<SealerCalls>
  /** Called when the points of this generation are in files. */
  onSealed(generation: number): void
  onFailure(error: unknown): void
}

/** Puts generations into files, the oldest first, and merges files when there is nothing to seal. */
export class Sealing {
  readonly #needs: Needs
  #running: Promise<void> | undefined
  #retryMs = FIRST_RETRY_MS
  #isClosed = false
  /** Why points can't be put into files; undefined while they can. */
  failure: unknown
  #told: { readonly text: string; readonly atMs: number } | undefined
  #timer: NodeJS.Timeout | undefined
  /** Sources dropped while the sealer is at work: files that it makes of them are given up. */
  readonly #dropped = new Set<string>()
  readonly #cleaning: Cleaning
  readonly #unsummed: string[] = []

  constructor(needs: Needs) {
    this.#needs = needs
    this.#cleaning = new Cleaning(needs.keeper)
  }

  /** Seals generations that are ripe, or all. Resolves when nothing is left to do. */
  run(all = false): Promise<void> {
    const { keeper } = this.#needs
    const hasPoints = keeper.current.log.sizeBytes > 0
    try {
      if (keeper.isRipe() || (all && hasPoints)) keeper.keep(keeper.current.generation.number + 1, 0)
    } catch (error) {
      // Only a caller that asked to seal everything waits for this: the points are safe in the log.
      this.#failed(error)
      return Promise.resolve()
    }
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  forget(source: string): void {
    this.#dropped.add(source)
  }

  /** The index knows that these tags are deleted, so their points can be removed from files. */
  clean(retired: readonly RetiredTag[]): void {
    this.#cleaning.add(retired)
  }

  /** Files without checksums: they get them when there is nothing else to do. */
  sum(paths: readonly string[]): void {
    this.#unsummed.push(...paths)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #work(): Promise<void> {
    const { keeper } = this.#needs
    try {
      while (!this.#isClosed) {
        this.#dropped.clear()
        if (keeper.kept.length > 1) await this.#seal(keeper.kept[0] as Kept)
        else if (!(await this.#mergeOne()) && !(await this.#cleanOne()) && !(await this.#sumOne())) break
      }
      this.#retryMs = FIRST_RETRY_MS
      this.failure = undefined
      this.#told = undefined
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    this.failure = error
    const text = String(error)
    const atMs = performance.now()
    if (this.#told?.text !== text || atMs - this.#told.atMs >= TOLD_EVERY_MS) {
      this.#told = { text, atMs }
      this.#needs.onFailure(error)
    }
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.run(), this.#retryMs).unref()
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
  }

  async #seal(kept: Kept): Promise<void> {
    const { keeper, sealer, onSealed } = this.#needs
    const { generation, newTags, retired } = kept
    const { files, replaced } = await sealer().call('seal', {
      generation: generation.number,
      slabs: generation.slabs,
      chains: generation.columns(),
      exact: generation.exact,
      newTags,
      retired,
      tagNumbers: keeper.registry.table.nextId
    })
    for (const file of files) {
      if (this.#dropped.has(file.source)) keeper.files.abandon(file)
      else keeper.files.add(file)
    }
    keeper.registry.uncount(replaced)
    await keeper.retire(kept)
    onSealed(generation.number)
    this.clean(retired)
  }

  async #mergeOne(): Promise<boolean> {
    const { keeper, sealer, damage } = this.#needs
    const today = Math.floor(Date.now() / MS_PER_DAY)
    for (const files of keeper.files.divided()) {
      const { day } = files[0] as SealedFact
      if (files.some((file) => damage.has(file))) continue
      const some = day < today - 1 ? filesToFinish(files) : filesToMerge(files, keeper.isIdle())
      if (some.length === 0) continue
      const merged = await this.#unlessDamaged(some, () => sealer().call('merge', { files: some }))
      if (merged !== undefined) this.#replace(some, merged)
      return true
    }
    return false
  }

  /** Cleans one file, or finishes a source; then generations that are ripe come first. */
  async #cleanOne(): Promise<boolean> {
    const { sealer, damage } = this.#needs
    const next = this.#cleaning.next()
    if (next === undefined) return false
    if ('file' in next) {
      const { file } = next
      if (!damage.has(file)) {
        const cleaned = await this.#unlessDamaged([file], () => sealer().call('clean', file))
        if (cleaned !== undefined) this.#replace([file], cleaned)
      }
      if (damage.has(file)) next.skip()
      else next.done()
      return true
    }
    await sealer().call('forgetRetired', next.ids)
    next.done()
    return true
  }

  async #sumOne(): Promise<boolean> {
    const path = this.#unsummed.pop()
    if (path === undefined) return false
    await this.#needs.sealer().call('sum', path)
    return true
  }

  /** Notes a damaged file, which is left alone from then on; other files are still worked on. */
  async #unlessDamaged<T>(files: readonly SealedFact[], work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SeriesError && error.code === 'damaged')) throw error
      const { damage } = this.#needs
      const path = String(error.facts.path)
      const file = files.find((each) => path.endsWith(each.path))
      if (file === undefined) throw error
      await damage.found(file.path, error.message)
      return undefined
    }
  }

  #replace(files: readonly SealedFact[], { file, replaced }: Merged): void {
    const { keeper } = this.#needs
    const { source } = files[0] as SealedFact
    if (!this.#dropped.has(source)) keeper.files.replace(files, file)
    else if (file !== undefined) keeper.files.abandon(file)
    keeper.registry.uncount(replaced)
  }
}
