import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { keepCompiledCode } from '../../../compiled-code.ts'
import { SeriesError } from '../../errors.ts'
import type { Query } from '../../query/plan.ts'
import type { TagRows } from '../../query/rows.ts'
import { layoutOf } from '../layout.ts'
import type { Slab } from '../memory/blocks.ts'
import type { Snapshot } from './messages.ts'
import { OpenFiles } from './open-files.ts'
import { isPlain, type PackedRows, packRows } from './packed-rows.ts'
import { rowsOf } from './rows.ts'
import { TagDays } from './tag-days.ts'

/** From the reader: tags to compute, a cancelled query, or files that nobody needs any more. */
export type SharedWork =
  | {
      readonly kind: 'work'
      readonly id: number
      readonly query: Query
      readonly snapshot: Snapshot
      readonly slabs: ReadonlyMap<number, readonly Slab[]>
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'gone'; readonly paths: readonly string[] }

/** To the reader: rows of tags in their order, and the end. */
export interface SharedRows {
  readonly id: number
  readonly packed?: PackedRows
  readonly rows?: readonly TagRows[]
  readonly error?: {
    readonly code: SeriesError['code']
    readonly message: string
    readonly facts: SeriesError['facts']
  }
}

const CACHE_BYTES = 32 * 1024 * 1024

const port = parentPort as MessagePort
const files = new OpenFiles(layoutOf(workerData.folder), CACHE_BYTES)
const underWay = new Set<number>()

port.on('message', (message: SharedWork) => {
  if (message.kind === 'work') void work(message)
  else if (message.kind === 'cancel') underWay.delete(message.id)
  else for (const path of message.paths) files.close(path)
})
keepCompiledCode()

async function work({ id, query, snapshot, slabs }: Extract<SharedWork, { kind: 'work' }>): Promise<void> {
  underWay.add(id)
  try {
    const days = new TagDays(snapshot, query, (generation) => slabs.get(generation) ?? [], files)
    for await (const batch of rowsOf(query, snapshot, days, () => !underWay.has(id))) send(id, batch)
    port.postMessage({ id } satisfies SharedRows)
  } catch (error) {
    const { code, message, facts } = error instanceof SeriesError ? error : new SeriesError('failed', String(error))
    port.postMessage({ id, error: { code, message, facts } } satisfies SharedRows)
  } finally {
    underWay.delete(id)
  }
}

function send(id: number, batch: readonly TagRows[]): void {
  if (!batch.every(isPlain)) {
    port.postMessage({ id, rows: batch } satisfies SharedRows)
    return
  }
  const packed = packRows(batch)
  port.postMessage({ id, packed } satisfies SharedRows, [packed.numbers.buffer])
}
