import { mkdirSync } from 'node:fs'
import { backup } from 'node:sqlite'
import { toIso } from '../../clock.ts'
import { type CopyProgress, copyContents } from './copy-contents.ts'
import { type ObjectRow, openIndex } from './database.ts'
import { CHANGED } from './examine.ts'
import { takeHold } from './hold.ts'
import { requireIndex } from './known-contents.ts'
import { type Layout, layoutOf } from './layout.ts'
import { damagedIn } from './marks.ts'
import { checkInlined } from './restore.ts'

export { ContentFault, type CopyProgress } from './copy-contents.ts'

const ALL_PAGES = 2 ** 31 - 1
const MAX_TOLD = 1000
/** Small contents are copied with the index. */
const NO_PROGRESS: CopyProgress = { expect() {}, advance() {}, finish() {} }

export interface StoreBackup {
  readonly folder: string
  /** A new folder, with the same layout, without files under way. */
  readonly target: string
  /** Buckets that the copy must have, even if they were deleted a moment ago. */
  readonly buckets: readonly string[]
  readonly progress: CopyProgress
  sha256Of(path: string): Promise<string>
}

/**
 * Copies a store that may be in use, as it was at one instant. The hold comes first: contents removed after it had
 * left the index before, so the copied index does not name them. Answers what is damaged, in sentences without a full
 * stop: it is copied as it is, and marked in the copy.
 */
export async function backUpStore(request: StoreBackup): Promise<readonly string[]> {
  const { folder, target, buckets, progress, sha256Of } = request
  const from = layoutOf(folder)
  const to = layoutOf(target)
  requireIndex(from)
  mkdirSync(target, { recursive: true })
  const release = takeHold(from)
  try {
    await copyIndex(from, to)
    finishIndex(to, buckets)
    const damaged: Named[] = []
    const options = { progress, sha256Of, onDamaged: (row: Named) => damaged.push(row) }
    await checkInlined(to.index, { ...options, progress: NO_PROGRESS })
    await copyContents(from, to, options)
    return mark(to, damaged)
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

/** Makes the index a single file that can be read without writing, and that lists no moves under way. */
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

type Named = Pick<ObjectRow, 'bucket' | 'key'>

/** Marks these; answers them and those that were marked before. */
function mark(to: Layout, damaged: readonly Named[]): string[] {
  const index = openIndex(to.index, 'write')
  try {
    const add = index.prepare('insert or ignore into damaged values (?, ?, ?, ?)')
    index.exec('begin')
    for (const { bucket, key } of damaged) add.run(bucket, key, toIso(Date.now()), CHANGED.fault)
    index.exec('commit; pragma journal_mode = delete')
    return damagedIn(index, MAX_TOLD).map(
      ({ bucket, key, what }) => `the content of the object ${JSON.stringify(`${bucket}/${key}`)} ${what}`
    )
  } finally {
    index.close()
  }
}
