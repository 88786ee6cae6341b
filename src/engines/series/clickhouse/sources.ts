import { lookUp } from './lookup.ts'
import { RowWriter } from './row-binary.ts'
import { LABEL_COLUMNS } from './schema.ts'
import type { ClickhouseServer } from './server.ts'
import { SourceTags } from './source-tags.ts'
import type { VersionClock } from './version-clock.ts'

/** Another server of Millrace may have dropped a source; a writer takes so long to notice. */
const CHECK_AFTER_MS = 5_000
/** Tags of all sources together that are kept in memory; sources not written to for the longest are forgotten first. */
const MAX_TAGS_IN_MEMORY = 2_000_000

/** The sources that are being written to. */
export class Sources {
  readonly #server: ClickhouseServer
  readonly #clock: VersionClock
  readonly #loading = new Map<string, Promise<SourceTags>>()
  /** The one used last is the last. */
  readonly #sources = new Map<string, SourceTags>()

  constructor(server: ClickhouseServer, clock: VersionClock) {
    this.#server = server
    this.#clock = clock
  }

  async forWriting(sourceId: string): Promise<SourceTags> {
    const known = this.#sources.get(sourceId)
    if (known !== undefined && performance.now() - known.checkedAtMs < CHECK_AFTER_MS) return known
    let loading = this.#loading.get(sourceId)
    if (loading === undefined) {
      loading = this.#load(sourceId, known).then((tags) => {
        // One that was dropped meanwhile is not to be remembered as it was.
        if (this.#loading.get(sourceId) === loading) this.#remember(sourceId, tags)
        return tags
      })
      this.#loading.set(sourceId, loading)
      const over = () => this.#loading.get(sourceId) === loading && this.#loading.delete(sourceId)
      void loading.then(over, over)
    }
    return loading
  }

  /** What was known of it no longer holds. */
  forget(sourceId: string): void {
    this.#sources.delete(sourceId)
    this.#loading.delete(sourceId)
  }

  /** Resolves when ClickHouse has the labels of all tags that this server has made. */
  async saveLabels(sourceId: string, tags: SourceTags): Promise<void> {
    const labelled = tags.takeUnsaved()
    if (labelled.length === 0) return
    const rows = new RowWriter()
    for (const { name, labels } of labelled) {
      rows.text(sourceId, 8)
      rows.int64(tags.generation)
      rows.text(name)
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

  async #load(sourceId: string, known: SourceTags | undefined): Promise<SourceTags> {
    const checkedAtMs = performance.now()
    if (known !== undefined) {
      const { generation } = await lookUp(this.#server, sourceId, [])
      known.checkedAtMs = checkedAtMs
      if (generation === known.generation) return known
    }
    const facts = await lookUp(this.#server, sourceId, undefined)
    this.#clock.passBy(facts.lastVersion)
    const tags = new SourceTags(sourceId, facts.generation)
    for (const [name, type] of facts.tags) tags.add(name, type)
    tags.checkedAtMs = checkedAtMs
    return tags
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
