import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../../clock.ts'
import { keepCompiledCode } from '../../../compiled-code.ts'
import { SeriesError } from '../../errors.ts'
import { writeAnswer } from '../../query/answer/index.ts'
import { refuseTooMany } from '../../query/answer/limit.ts'
import type { Query } from '../../query/plan.ts'
import type { TagRows } from '../../query/rows.ts'
import { layoutOf } from '../layout.ts'
import type { Slab } from '../memory/blocks.ts'
import type { CallerMessage, KeeperMessage, ReaderMessage, ReleaseMessage, Snapshot, SnapshotTag } from './messages.ts'
import { OpenFiles } from './open-files.ts'
import { refusePoints, rowsOf } from './rows.ts'
import { SecondReader } from './second-reader.ts'
import { TagDays } from './tag-days.ts'

export interface ReaderData {
  readonly folder: string
  readonly keeper: MessagePort
}

const CACHE_BYTES = 96 * 1024 * 1024
/** How many chunks are made before the caller has taken the earlier ones. */
const CHUNKS_AHEAD = 4

interface Running {
  credit: number
  isCancelled: boolean
  wake: (() => void) | undefined
}

const { folder, keeper } = workerData as ReaderData
const caller = parentPort as MessagePort
const files = new OpenFiles(layoutOf(folder), CACHE_BYTES)
const slabs = new Map<number, Slab[]>()
const secondReader = new SecondReader(folder)
const running = new Map<number, Running>()
/** Queries that were cancelled before the keeper had passed them on. */
const cancelledEarly = new Set<number>()

keeper.on('message', (message: KeeperMessage) => {
  if (message.kind === 'slab') {
    const known = slabs.get(message.generation)
    if (known === undefined) slabs.set(message.generation, [message.slab])
    else known.push(message.slab)
  } else if (message.kind === 'sealed') {
    slabs.delete(message.generation)
  } else if (message.kind === 'gone') {
    for (const path of message.paths) files.close(path)
    secondReader.forget(message.paths)
  } else {
    void answer(message)
  }
})

caller.on('message', (message: CallerMessage) => {
  const query = running.get(message.id)
  if (query === undefined) {
    if (message.kind === 'cancel') cancelledEarly.add(message.id)
    return
  }
  if (message.kind === 'cancel') query.isCancelled = true
  else query.credit++
  query.wake?.()
})
keepCompiledCode()

async function answer({ id, query, snapshot }: Extract<KeeperMessage, { kind: 'query' }>): Promise<void> {
  const startedMs = systemClock.elapsed()
  const state: Running = { credit: CHUNKS_AHEAD, isCancelled: cancelledEarly.delete(id), wake: undefined }
  running.set(id, state)
  let damaged: string | undefined
  try {
    refuseTooMany(query, snapshot.tags.length)
    let made: Uint8Array<ArrayBuffer> | undefined
    for await (const chunk of writeAnswer(query, allRows(id, query, snapshot, state), startedMs)) {
      if (made !== undefined) send({ kind: 'chunk', id, bytes: made, isLast: false })
      made = chunk.slice() // the writer uses its own buffer again
      while (state.credit === 0 && !state.isCancelled) await new Promise<void>((wake) => (state.wake = wake))
      if (state.isCancelled) return
      state.credit--
    }
    // The last chunk carries the end, because a message costs as much as many points.
    if (!state.isCancelled) send({ kind: 'chunk', id, bytes: made ?? new Uint8Array(0), isLast: true })
  } catch (error) {
    if (error instanceof SeriesError && error.code === 'damaged') damaged = error.facts.file as string
    tell({ kind: 'error', id, ...describe(error) })
  } finally {
    running.delete(id)
    secondReader.cancel(id)
    const paths = snapshot.files.map(({ path }) => path)
    const generations = snapshot.generations.map(({ number }) => number)
    keeper.postMessage({ paths, generations, damaged } satisfies ReleaseMessage)
  }
}

/** The rows of a query. Of a wide one this thread computes the first part, and a second reader the rest. */
async function* allRows(
  id: number,
  query: Query,
  snapshot: Snapshot,
  state: Running
): AsyncGenerator<readonly TagRows[]> {
  const own = secondReader.ownPart(query, snapshot)
  const part = (tags: readonly SnapshotTag[]): Snapshot => ({ ...snapshot, tags })
  const others = snapshot.tags.slice(own)
  const rest = others.length === 0 ? [] : secondReader.begin(id, query, part(others), slabsOf(snapshot))
  const days = new TagDays(snapshot, query, (generation) => slabs.get(generation) ?? [], files)
  refusePoints(query, snapshot, days)
  yield* rowsOf(query, part(snapshot.tags.slice(0, own)), days, () => state.isCancelled)
  if (!state.isCancelled) yield* rest
}

function slabsOf({ generations }: Snapshot): Map<number, readonly Slab[]> {
  return new Map(generations.map(({ number }) => [number, slabs.get(number) ?? []]))
}

function tell(message: ReaderMessage): void {
  caller.postMessage(message)
}

function send(message: Extract<ReaderMessage, { kind: 'chunk' }>): void {
  caller.postMessage(message, [message.bytes.buffer])
}

function describe(error: unknown): { code: string; message: string; facts: Readonly<Record<string, unknown>> } {
  if (error instanceof SeriesError) return { code: error.code, message: error.message, facts: error.facts }
  return { code: 'failed', message: String((error as Error).stack), facts: {} }
}
