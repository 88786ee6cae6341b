import { unlinkSync } from 'node:fs'
import { IndexDb } from '../index-db.ts'
import type { Layout } from '../layout.ts'
import { removeFile } from '../sealer/sealed-files.ts'
import type { Keeper, Kept } from './keeper.ts'
import { replayLog } from './log.ts'
import type { LogRecord, RetiredTag } from './log-records.ts'

export interface Restored {
  /** Sources that the logs say were dropped, and that the index may still have. */
  readonly dropped: readonly string[]
  /** Tags that the index knows to be deleted, and that files may still hold points of. */
  readonly retired: readonly RetiredTag[]
}

/** Brings back what was kept: the index of the sealed files, and from the logs what came after. */
export function restore(keeper: Keeper, layout: Layout): Restored {
  const { sealed, retired } = readIndex(keeper, layout)
  const dropped: string[] = []
  for (const number of layout.logs()) {
    if (number <= sealed) unlinkSync(layout.logFile(number))
    else dropped.push(...readLog(keeper, layout, number))
  }
  if (keeper.kept.length === 0) keeper.keep(sealed + 1, 0)
  return { dropped, retired }
}

function readIndex(keeper: Keeper, layout: Layout): { sealed: number; retired: RetiredTag[] } {
  const index = new IndexDb(layout.index)
  try {
    const doomed = index.doomed()
    for (const path of doomed) removeFile(layout, path)
    index.transaction(() => {
      for (const path of doomed) index.spare(path)
    })
    for (const { tag, stats } of index.tags()) keeper.registry.add(tag, stats)
    for (const [source, fromNs] of index.cutoffs()) keeper.registry.cutoffs.set(source, fromNs)
    for (const file of index.files()) keeper.files.add(file)
    const retired = index.retired()
    for (const tag of retired) keeper.registry.addRetired(tag)
    keeper.registry.table.passBy(index.fact('tags'))
    return { sealed: index.fact('sealed'), retired }
  } finally {
    index.close()
  }
}

function readLog(keeper: Keeper, layout: Layout, number: number): string[] {
  const dropped: string[] = []
  const records: LogRecord[] = []
  const end = replayLog(layout.logFile(number), (record) => records.push(record))
  const kept = keeper.keep(number, end)
  for (const record of records) take(keeper, kept, record, dropped)
  return dropped
}

function take(keeper: Keeper, kept: Kept, record: LogRecord, dropped: string[]): void {
  if (record.kind === 'points') {
    keeper.take(kept, record.batch)
  } else if (record.kind === 'drop') {
    keeper.forget(record.source)
    dropped.push(record.source)
  } else if (record.kind === 'retire') {
    keeper.retireTag(kept, { id: record.id, source: record.source })
  } else {
    for (const tag of record.tags) {
      keeper.registry.add(tag)
      kept.newTags.push(tag)
    }
  }
}
