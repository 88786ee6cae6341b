import { DeletionWatch } from './deletions.ts'
import { lookUp, type SourceFacts } from './lookup.ts'
import { RowWriter } from './row-binary.ts'
import { LABEL_COLUMNS } from './schema.ts'
import type { ClickhouseServer } from './server.ts'
import { SourceTags } from './source-tags.ts'
import type { VersionClock } from './version-clock.ts'

/** How long a writer may not notice that another Millrace server has dropped a source. */
const CHECK_AFTER_MS = 5_000
/** How many tags of all sources together are kept in memory; the sources unused for the longest are forgotten first. */
const MAX_TAGS_IN_MEMORY = 2_000_000
/** How many names one statement may hold. */
const TAGS_AT_ONCE = 500

interface Loading {
  /** The state of deletions up to which the loaded tags will be current. */
  readonly deletionState: string
  readonly tags: Promise<SourceTags>
}

/** The sources that are being written to. */
export class Sources {
  readonly #server: ClickhouseServer
  readonly #clock: VersionClock
  readonly #deletions: DeletionWatch
  readonly #loading = new Map<string, Loading>()
  /** The source used last is the last one. */
  readonly #sources = new Map<string, SourceTags>()

  constructor(server: ClickhouseServer, clock: VersionClock) {
    this.#server = server
    this.#clock = clock
    this.#deletions = new DeletionWatch(server)
  }

  /** The tags of a source. Every deletion that any server has answered before this call is taken into account. */
  async forWriting(sourceId: string): Promise<SourceTags> {
    const deletionState = await this.#deletions.state()
    const known = this.#sources.get(sourceId)
    const isChecked = known !== undefined && performance.now() - known.checkedAtMs < CHECK_AFTER_MS
    if (isChecked && known.deletionState === deletionState) return known
    const loading = this.#loading.get(sourceId)
    if (loading?.deletionState === deletionState) return loading.tags
    return this.#beginLoading(sourceId, known, deletionState)
  }

  #beginLoading(sourceId: string, known: SourceTags | undefined, deletionState: string): Promise<SourceTags> {
    const tags = this.#load(sourceId, known, deletionState).then((loaded) => {
      // A source that was dropped meanwhile must not be remembered.
      if (this.#loading.get(sourceId) === loading) this.#remember(sourceId, loaded)
      return loaded
    })
    const loading: Loading = { deletionState, tags }
    this.#loading.set(sourceId, loading)
    const over = () => this.#loading.get(sourceId) === loading && this.#loading.delete(sourceId)
    void tags.then(over, over)
    return tags
  }

  /** Whether this server has a tag that ClickHouse may not know yet. */
  knows(sourceId: string, tag: string, { generation, deletions }: SourceFacts): boolean {
    const known = this.#sources.get(sourceId)
    return known !== undefined && known.generation === generation && known.has(tag, deletions.get(tag))
  }

  /** Forgets a source whose tags have changed. */
  forget(sourceId: string): void {
    this.#sources.delete(sourceId)
    this.#loading.delete(sourceId)
  }

  /** Resolves when ClickHouse has the labels of all tags that this server has made. */
  async saveLabels(sourceId: string, tags: SourceTags): Promise<void> {
    const labelled = tags.takeUnsaved()
    if (labelled.length === 0) return
    const rows = new RowWriter()
    for (const { key, labels } of labelled) {
      rows.text(sourceId, 8)
      rows.int64(tags.generation)
      rows.text(key)
      rows.text(JSON.stringify(labels), 8)
      rows.int64(this.#clock.next())
    }
    try {
      await this.#server.insert('labels', LABEL_COLUMNS, rows.finish())
    } catch (error) {
      tags.giveBack(labelled)
      throw error
    }
  }

  async #load(sourceId: string, known: SourceTags | undefined, deletionState: string): Promise<SourceTags> {
    const checkedAtMs = performance.now()
    if (known !== undefined) {
      const { generation, deletions } = await lookUp(this.#server, sourceId, [])
      if (generation === known.generation) {
        await this.#renew(sourceId, known, known.unheardOf(deletions))
        known.checkedAtMs = checkedAtMs
        known.deletionState = deletionState
        return known
      }
    }
    const facts = await lookUp(this.#server, sourceId, undefined)
    this.#clock.passBy(facts.lastVersion)
    const tags = new SourceTags(sourceId, facts.generation, facts.deletions)
    tags.deletionState = deletionState
    for (const [name, type] of facts.tags) tags.add(name, type)
    tags.checkedAtMs = checkedAtMs
    return tags
  }

  /** Loads deleted tags again: others may have written to new tags of these names since. */
  async #renew(sourceId: string, known: SourceTags, names: readonly string[]): Promise<void> {
    for (let i = 0; i < names.length; i += TAGS_AT_ONCE) {
      const facts = await lookUp(this.#server, sourceId, names.slice(i, i + TAGS_AT_ONCE))
      this.#clock.passBy(facts.lastVersion)
      for (const name of known.unheardOf(facts.deletions)) {
        known.retire(name, facts.deletions.get(name) as bigint)
        const type = facts.tags.get(name)
        if (type !== undefined) known.add(name, type)
      }
    }
  }

  #remember(sourceId: string, tags: SourceTags): void {
    this.#sources.delete(sourceId)
    this.#sources.set(sourceId, tags)
    let total = 0
    for (const { size } of this.#sources.values()) total += size
    for (const [id, { size }] of this.#sources) {
      if (total <= MAX_TAGS_IN_MEMORY || id === sourceId) return
      this.#sources.delete(id)
      total -= size
    }
  }
}
