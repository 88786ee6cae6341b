import { toIso } from '../../../clock.ts'
import { dueScrub, type ScrubStep, writeScrub } from '../../../scrub-state.ts'

import type { ThreadCaller } from '../../thread-calls.ts'
import { type DamagedFile, describeNote, readNotes, removeNote, writeNote } from '../damage-notes.ts'
import type { SealedFact } from '../index-db.ts'
import type { Layout } from '../layout.ts'
import type { SealerCalls } from '../sealer/tasks.ts'

interface Needs {
  readonly layout: Layout
  sealer(): ThreadCaller<SealerCalls>
  tell(damage: string): void
}

/** The sealed files that are known to be damaged. They are left unchanged, for somebody to mend. */
export class Damage {
  readonly #needs: Needs
  readonly #files = new Set<string>()

  constructor(needs: Needs) {
    this.#needs = needs
    for (const note of readNotes(needs.layout)) if (note.kind === 'file') this.#files.add(note.file)
  }

  has({ path }: SealedFact): boolean {
    return this.#files.has(path)
  }

  /** To be called when a reader finds damage; `why` is noted where no checksums tell more. */
  async found(file: string, why: string): Promise<void> {
    if (this.#files.has(file)) return
    this.#note(file, (await this.#needs.sealer().call('examine', file)) ?? why)
  }

  /** Checks damaged files again: they may have been restored from a backup while the engine did not run. */
  async lookAgain(): Promise<void> {
    for (const file of [...this.#files]) await this.#examine(file)
  }

  /** Checks the files that were not checked for the longest, up to so many bytes. */
  async scrub(files: readonly SealedFact[], maxBytes: number, nowMs: number): Promise<ScrubStep> {
    const { folder } = this.#needs.layout
    let state = dueScrub(folder, nowMs)
    if (state === undefined) return { sizeBytes: 0, isDone: true }
    const left = files
      .filter(({ path }) => state?.after == null || path > state.after)
      .sort((a, b) => (a.path < b.path ? -1 : 1))
    let sizeBytes = 0
    for (const { path, sizeBytes: size } of left) {
      if (sizeBytes > 0 && sizeBytes + size > maxBytes) break
      const isSound = await this.#examine(path)
      sizeBytes += size
      state = { ...state, after: path, examined: state.examined + 1, damaged: state.damaged + (isSound ? 0 : 1) }
    }
    const isDone = left.length === 0 || left.at(-1)?.path === state.after
    writeScrub(folder, isDone ? { ...state, after: null, endedAt: toIso(nowMs) } : state)
    return { sizeBytes, isDone }
  }

  async #examine(file: string): Promise<boolean> {
    const part = await this.#needs.sealer().call('examine', file)
    if (part !== undefined) this.#note(file, part)
    else if (this.#files.delete(file)) removeNote(this.#needs.layout, file)
    return part === undefined
  }

  #note(file: string, part: string): void {
    const [, source = '', day = ''] = /^points\/source=([^/]+)\/day=([^/]+)\//.exec(file) ?? []
    const foundAt = toIso(Date.now())
    const note: DamagedFile = { kind: 'file', file, foundAt, part, day, source: decodeURIComponent(source) }
    this.#files.add(file)
    if (writeNote(this.#needs.layout, note)) this.#needs.tell(describeNote(note))
  }
}
