import { readFileSync, unlinkSync } from 'node:fs'
import { describeNote } from '../damage-notes.ts'
import { IndexDb } from '../index-db.ts'
import { indexFault, indexLost, lostIndex } from '../index-loss.ts'
import type { Layout } from '../layout.ts'
import { removeFile } from '../sealer/sealed-files.ts'
import { replaceDamagedLog } from './damaged-log.ts'
import type { Keeper, Kept } from './keeper.ts'
import { KnownNames } from './known-names.ts'
import { replayLog } from './log.ts'
import type { LogRecord, RetiredTag } from './log-records.ts'

export interface Restored {
  /** Sources that were dropped according to the logs, and that the index may still have. */
  readonly dropped: readonly string[]
  /** Tags that are deleted according to the index, and that files may still hold points of. */
  readonly retired: readonly RetiredTag[]
  /** Files without checksums, made by older versions. */
  readonly unsummed: readonly string[]
}

/**
 * Restores the state: from the index of the sealed files, and from the logs what came after. `tell` is called with
 * losses.
 */
export async function restore(keeper: Keeper, layout: Layout, tell: (damage: string) => void): Promise<Restored> {
  const { sealed, retired, unsummed } = readIndex(keeper, layout)
  const names = new KnownNames(keeper.registry.table.nextId)
  const dropped: string[] = []
  for (const number of layout.logs()) {
    if (number <= sealed) unlinkSync(layout.logFile(number))
    else dropped.push(...(await readLog({ keeper, layout, names, tell }, number)))
  }
  keeper.registry.table.passBy(names.end)
  if (keeper.kept.length === 0) keeper.keep(sealed + 1, 0)
  return { dropped, retired, unsummed }
}

type Indexed = Omit<Restored, 'dropped'> & { readonly sealed: number }

/** Throws where the index is lost or damaged: going on without it would make all its points disappear. */
function readIndex(keeper: Keeper, layout: Layout): Indexed {
  const lost = lostIndex(layout)
  if (lost !== undefined) throw indexLost(lost)
  try {
    return readSoundIndex(keeper, layout)
  } catch (error) {
    throw indexFault(error)
  }
}

function readSoundIndex(keeper: Keeper, layout: Layout): Indexed {
  const index = new IndexDb(layout.index)
  try {
    const doomed = index.doomed()
    for (const path of doomed) removeFile(layout, path)
    index.transaction(() => {
      for (const path of doomed) index.forget(path)
    })
    for (const { tag, stats } of index.tags()) keeper.registry.add(tag, stats)
    for (const [source, fromNs] of index.cutoffs()) keeper.registry.cutoffs.set(source, fromNs)
    for (const file of index.files()) keeper.files.add(file)
    const retired = index.retired()
    for (const tag of retired) keeper.registry.addRetired(tag)
    keeper.registry.table.passBy(index.fact('tags'))
    return { sealed: index.fact('sealed'), retired, unsummed: index.unsummed() }
  } finally {
    index.close()
  }
}

interface Reading {
  readonly keeper: Keeper
  readonly layout: Layout
  readonly names: KnownNames
  tell(damage: string): void
}

async function readLog({ keeper, layout, names, tell }: Reading, number: number): Promise<string[]> {
  const dropped: string[] = []
  const found: LogRecord[] = []
  const { end, lost } = replayLog(readFileSync(layout.logFile(number)), (record) => found.push(record))
  names.isSure &&= lost.length === 0
  const { records, nameless } = names.known(found)
  let sizeBytes = end
  if (lost.length > 0 || nameless > 0) {
    const aside = await replaceDamagedLog(layout, { number, records, lost, nameless })
    sizeBytes = aside.sizeBytes
    tell(`${describeNote(aside.note)}; it is kept as ${aside.note.copy}`)
  }
  const kept = keeper.keep(number, sizeBytes)
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
      if (keeper.registry.table.get(tag.id) !== undefined) continue // tags are recorded twice; this is the second record
      keeper.registry.add(tag)
      kept.newTags.push(tag)
    }
  }
}
