import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from '../errors.ts'
import { openIndex } from './database.ts'
import { HOLD_LIMIT_MS, isHeld } from './hold.ts'
import { contentFolder, contentPath, layoutOf, makeFolders, temporaryPath } from './layout.ts'
import type { NumberedAnswer, NumberedRequest } from './requests.ts'
import { emptyBatch, IndexWriter, type Moves } from './writer.ts'

const SETTLE_AFTER_MS = 200

/**
 * The thread that changes the index. All requests that have come in while the last transaction was written share the
 * next one, and one flush of the disk with it. Order of events for a content in a file: flushed under its temporary
 * name, then committed, then renamed; a crash in between is mended when the store is opened.
 */
const port = parentPort as NonNullable<typeof parentPort>
const layout = layoutOf((workerData as { folder: string }).folder)
makeFolders(layout)
const database = openIndex(layout.index, 'write')
const writer = new IndexWriter(database)
const arrived = database.prepare('delete from arriving where file = ?')
const left = database.prepare('delete from leaving where file = ?')
const waiting: NumberedRequest[] = []
let unsettled: Moves = { arrived: [], left: [] }
let timer: NodeJS.Timeout | undefined

let settling = mend()
await settling
port.on('message', (message: NumberedRequest | 'close') => {
  if (message === 'close') return void close()
  waiting.push(message)
  if (waiting.length === 1) setImmediate(commitWaiting)
})
port.postMessage('ready')

async function close(): Promise<void> {
  commitWaiting()
  await settling
  clearTimeout(timer)
  await settle()
  clearTimeout(timer) // what is held stays for the next who opens the store
  database.close()
  port.close()
}

function commitWaiting(): void {
  if (waiting.length === 0) return
  const batch = waiting.splice(0)
  const moves = emptyBatch()
  let answers: NumberedAnswer[]
  try {
    database.exec('begin immediate')
    answers = batch.map(({ id, request }) => {
      try {
        writer.run(request, moves)
        return { id }
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        return { id, error: { code: error.code, message: error.message } }
      }
    })
    writer.keepTotals(moves)
    if (moves.arrived.length > 0) flushFolder(layout.temporary)
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    port.postMessage(batch.map(({ id }) => ({ id, error: faultOf(error) })))
    return
  }
  for (const file of moves.arrived) renameSync(temporaryPath(layout, file), contentPath(layout, file))
  port.postMessage(answers)
  unsettled.arrived.push(...moves.arrived)
  unsettled.left.push(...moves.left)
  if (unsettled.arrived.length + unsettled.left.length > 0) settleSoon(SETTLE_AFTER_MS)
}

function settleSoon(afterMs: number): void {
  timer ??= setTimeout(() => {
    timer = undefined
    settling = settling.then(settle)
  }, afterMs)
}

/** Forgets the moves that have certainly reached the disk. Nothing waits for it: removing a large file takes a while. */
async function settle(): Promise<void> {
  const done = unsettled
  unsettled = { arrived: [], left: [] }
  for (const folder of new Set(done.arrived.map((file) => contentFolder(layout, file)))) flushFolder(folder)
  const held = isHeld(layout)
  if (held) {
    unsettled.left.push(...done.left)
    if (done.left.length > 0) settleSoon(HOLD_LIMIT_MS / 10)
  } else {
    for (const file of done.left) await rm(contentPath(layout, file), { force: true })
  }
  if (done.arrived.length === 0 && (held || done.left.length === 0)) return
  database.exec('begin immediate')
  for (const file of done.arrived) arrived.run(file)
  if (!held) for (const file of done.left) left.run(file)
  database.exec('commit')
}

/** Finishes what a crash has interrupted: what was committed is put in its place, the rest was never there. */
async function mend(): Promise<void> {
  const isArriving = database.prepare('select 1 from arriving where file = ?')
  for (const file of readdirSync(layout.temporary)) {
    const path = temporaryPath(layout, file)
    if (isArriving.get(file) === undefined) rmSync(path, { force: true })
    else renameSync(path, contentPath(layout, file))
  }
  const filesIn = (table: string) =>
    database
      .prepare(`select file from ${table}`)
      .all()
      .map(({ file }) => file as string)
  unsettled = { arrived: filesIn('arriving'), left: filesIn('leaving') }
  await settle()
}

function flushFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function faultOf(error: unknown): NonNullable<NumberedAnswer['error']> {
  const { errcode, code } = error as { errcode?: number; code?: string }
  const isFull = errcode === 13 || code === 'ENOSPC' || code === 'EDQUOT'
  return isFull
    ? { code: 'store_full', message: 'The disk of the server is full' }
    : { code: 'store_failed', message: `The index of the objects can’t be written: ${(error as Error).message}` }
}
