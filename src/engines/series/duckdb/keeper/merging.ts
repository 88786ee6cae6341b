import type { SealedFact } from '../index-db.ts'

/** Writing a larger file takes so much memory and time that sealing would have to wait. */
const MAX_MERGED_ROWS = 6_000_000
/** While points come in, merging competes with them for the machine; when none come, few files are better. */
const BUSY = { minFiles: 4, maxRatio: 2 }
const IDLE = { minFiles: 2, maxRatio: 4 }

/**
 * Which files of a day to merge: the newest of similar size, so that each row is written again only a few times. They
 * are always consecutive, or an older point could replace a newer one.
 */
export function filesToMerge(files: readonly SealedFact[], isIdle: boolean): readonly SealedFact[] {
  const { minFiles, maxRatio } = isIdle ? IDLE : BUSY
  let rows = 0
  let from = files.length
  while (from > 0) {
    const { rows: more } = files[from - 1] as SealedFact
    if (rows > 0 && (more > rows * maxRatio || rows + more > MAX_MERGED_ROWS)) break
    rows += more
    from--
  }
  const alike = files.slice(from)
  return alike.length >= minFiles ? alike : []
}

/** Which files of a past day to merge: from the first on, all that fit into one. */
export function filesToFinish(files: readonly SealedFact[]): readonly SealedFact[] {
  for (let from = 0; from < files.length - 1; from++) {
    let rows = 0
    let end = from
    while (end < files.length && rows + (files[end] as SealedFact).rows <= MAX_MERGED_ROWS) {
      rows += (files[end] as SealedFact).rows
      end++
    }
    if (end - from > 1) return files.slice(from, end)
  }
  return []
}
