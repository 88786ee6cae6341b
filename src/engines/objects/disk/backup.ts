import { mkdirSync } from 'node:fs'
import { backup } from 'node:sqlite'
import { type CopyProgress, copyContents } from './copy-contents.ts'
import { openIndex } from './database.ts'
import { takeHold } from './hold.ts'
import { type Layout, layoutOf } from './layout.ts'

export { ContentFault, type CopyProgress } from './copy-contents.ts'

const ALL_PAGES = 2 ** 31 - 1

export interface StoreBackup {
  readonly folder: string
  /** Made here; gets the same layout, without what is under way. */
  readonly target: string
  /** Buckets that the copy must have, also where they were deleted a moment ago. */
  readonly buckets: readonly string[]
  readonly progress: CopyProgress
}

/**
 * Copies a store that may be in use, as it was at one instant. The hold comes first: whatever the store removes after
 * it had left the index before, so the copy of the index does not refer to it.
 */
export async function backUpStore({ folder, target, buckets, progress }: StoreBackup): Promise<void> {
  const from = layoutOf(folder)
  const to = layoutOf(target)
  mkdirSync(target, { recursive: true })
  const release = takeHold(from)
  try {
    await copyIndex(from, to)
    finishIndex(to, buckets)
    await copyContents(from, to, { progress })
  } finally {
    release()
  }
}

async function copyIndex(from: Layout, to: Layout): Promise<void> {
  const source = openIndex(from.index, 'read')
  try {
    // In one step: a copy in several starts again whenever somebody writes between them. Writers do not wait for it.
    await backup(source, to.index, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
}

/** Makes one file of it that can be read where nothing may be written, and that knows of no moves under way. */
function finishIndex(to: Layout, buckets: readonly string[]): void {
  const index = openIndex(to.index, 'write')
  try {
    index.exec('begin; delete from arriving; delete from leaving')
    const add = index.prepare('insert or ignore into buckets (name) values (?)')
    for (const bucket of buckets) add.run(bucket)
    index.exec('commit; pragma journal_mode = delete')
  } finally {
    index.close()
  }
}
