import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { keepCompiledCode } from '../../../compiled-code.ts'
import { serveCalls } from '../../thread-calls.ts'
import { asSeriesError } from '../keeper/failures.ts'
import { layoutOf } from '../layout.ts'
import { Sealer } from './sealer.ts'
import type { SealerCalls } from './tasks.ts'

const port = parentPort as MessagePort
yieldToOthers()
const sealer = await Sealer.open(layoutOf(workerData.folder))
let last: Promise<unknown> = Promise.resolve()

/** Runs tasks one after the other: each builds on what the one before left in the index. */
function inTurn<T>(work: () => T): Promise<Awaited<T>> {
  const turn = last.then(work) as Promise<Awaited<T>>
  last = turn.catch(() => {})
  return turn
}

const calls: {
  [K in keyof SealerCalls]: (argument: Parameters<SealerCalls[K]>[0]) => Promise<ReturnType<SealerCalls[K]>>
} = {
  seal: (task) => inTurn(() => sealer.seal(task)),
  merge: (task) => inTurn(() => sealer.merge(task)),
  clean: (file) => inTurn(() => sealer.clean(file)),
  forgetRetired: (ids) => inTurn(() => sealer.forgetRetired(ids)),
  drop: (source) => inTurn(() => sealer.drop(source)),
  retain: (task) => inTurn(() => sealer.retain(task)),
  unlink: (paths) => inTurn(() => sealer.unlink(paths)),
  examine: (path) => inTurn(() => sealer.examine(path)),
  sum: (path) => inTurn(() => sealer.sum(path)),
  export: (task) => inTurn(() => sealer.export(task)),
  close: () =>
    inTurn(() => {
      sealer.close()
      port.unref()
    })
}
serveCalls(port, calls, (error) => asSeriesError(error).code)
keepCompiledCode()

/** Lowers the priority of this thread, so that queries come first. On Linux each thread has its own. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return
  const [, thread = ''] = /(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
  setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
}
