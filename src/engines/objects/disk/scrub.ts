import { toIso } from '../../clock.ts'
import { dueScrub, type ScrubStep, writeScrub } from '../../scrub-state.ts'
import { examine } from './examine.ts'
import type { IndexClient } from './index-client.ts'
import type { FoundRow } from './index-reader.ts'
import type { Layout } from './layout.ts'

/**
 * Checks the contents that were not checked for the longest, up to so many bytes; goes on where the last call ended.
 */
export async function scrubStep(
  layout: Layout,
  index: IndexClient,
  maxBytes: number,
  nowMs: number
): Promise<ScrubStep> {
  let state = dueScrub(layout.folder, nowMs)
  if (state === undefined) return { sizeBytes: 0, isDone: true }
  let sizeBytes = 0
  while (sizeBytes < maxBytes) {
    const [bucket, key] = state.after === null ? ['', ''] : (JSON.parse(state.after) as [string, string])
    const row = index.next(bucket, key)
    if (row === undefined) {
      writeScrub(layout.folder, { ...state, after: null, endedAt: toIso(nowMs) })
      return { sizeBytes, isDone: true }
    }
    const isSound = await judge(layout, index, row, nowMs)
    sizeBytes += Math.max(row.size, 1)
    const after = JSON.stringify([row.bucket, row.key])
    state = { ...state, after, examined: state.examined + 1, damaged: state.damaged + (isSound ? 0 : 1) }
  }
  writeScrub(layout.folder, state)
  return { sizeBytes, isDone: false }
}

/** Also adds checksums to contents of older versions, and removes the mark of content that was repaired. */
async function judge(layout: Layout, index: IndexClient, row: FoundRow, nowMs: number): Promise<boolean> {
  const found = await examine(layout, row)
  if ('fault' in found) {
    if (row.damaged === null) await index.change({ op: 'mark', seen: row, foundAt: toIso(nowMs), what: found.fault })
    return false
  }
  const { bucket, key, file } = row
  if (row.damaged !== null) await index.change({ op: 'unmark', bucket, key })
  if (file !== null && row.sums === null && found.sums !== undefined) {
    await index.change({ op: 'sum', file, sums: found.sums })
  }
  return true
}
