import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type FaultKind, type Place, SchemaFault } from '../fault.ts'
import { SCHEMA_TYPES, type SchemaType } from '../format.ts'
import type { TaskName } from './tasks.ts'

const LOOK_EVERY_MS = 25
/** How long a task may take in all, also because the thread has yet to start or the machine is busy with others. */
const MAX_MS = 20_000
const MAX_MEMORY_MB = 256
/** Of what was made last, which V8 takes three times 32 MB for where nothing is said, and gives back late. */
const YOUNG_MEMORY_MB = 24

/** A task that the thread is to run, and how much it may do. */
export interface TaskOrder {
  readonly name: TaskName
  readonly input: unknown
  readonly steps: number
}

/** Messages of the thread about a task: that it begins, then its output, fault or failure. */
type Said =
  | 'begin'
  | { readonly output: unknown }
  | { readonly fault: { readonly kind: FaultKind; readonly message: string; readonly place: Place } }
  | { readonly failure: string }

/** A thread that runs one task at a time. A broken one takes no more tasks. */
export interface TaskThread {
  readonly isBroken: boolean
  /** `cpuMs`: of processor time, from when the task begins: on a busy machine it takes longer, but no more of that. */
  run(order: TaskOrder, cpuMs: number): Promise<unknown>
  close(): Promise<void>
}

/** `types`: the formats that it loads before it is given a task. */
export function startThread(types: readonly SchemaType[] = []): TaskThread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
    env: compileCache(),
    workerData: types
  })
  worker.unref()
  let isBroken = false

  async function close(): Promise<void> {
    isBroken = true
    await worker.terminate()
  }

  async function run(order: TaskOrder, cpuMs: number): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const startedMs = performance.now()
    let stopLooking = () => {}
    const give = (error: Error) => {
      reject(error)
      void close()
    }
    const late = setTimeout(() => give(new TaskRefusal('overloaded')), MAX_MS)
    const onMessage = (said: Said) => {
      if (said === 'begin') stopLooking = watch(worker, cpuMs, () => give(tooLong()))
      else if ('output' in said) resolve(said.output)
      else if ('fault' in said) reject(new SchemaFault(said.fault.kind, said.fault.message, said.fault.place))
      else reject(new Error(said.failure))
    }
    // Out of memory, in all likelihood.
    const onError = () => give(tooLong())
    const onExit = () => give(new TaskRefusal('closed'))
    worker.on('message', onMessage).once('error', onError).once('exit', onExit)
    worker.ref()
    worker.postMessage(order)
    try {
      return await promise
    } finally {
      clearTimeout(late)
      stopLooking()
      worker.unref()
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      if (performance.now() - startedMs > MAX_MS) isBroken = true
    }
  }

  return {
    get isBroken() {
      return isBroken
    },
    run,
    close
  }
}

/** The environment of the thread. It lacks the server's settings, but shares the compile cache. */
function compileCache(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** Looks from time to time how much processor time the thread has taken; answers how to stop looking. */
function watch(worker: Worker, cpuMs: number, tooMuch: () => void): () => void {
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const look = async (before: NodeJS.CpuUsage) => {
    const { user, system } = await worker.cpuUsage(before)
    if (isOver) return
    if ((user + system) / 1000 > cpuMs) tooMuch()
    else timer = setTimeout(() => void look(before).catch(() => {}), LOOK_EVERY_MS)
  }
  void worker
    .cpuUsage()
    .then((before) => look(before))
    .catch(() => {}) // it has ended meanwhile, and that is told elsewhere
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

function tooLong(): SchemaFault {
  return new SchemaFault(
    'too_complex',
    'To look at the schema takes too long; divide it, nest it less, or simplify its patterns'
  )
}

/** Refuses a task for reasons that are not in the schema: too many wait, or the server is about to stop. */
export class TaskRefusal extends Error {
  readonly code: 'overloaded' | 'closed'

  constructor(code: TaskRefusal['code']) {
    super(code === 'overloaded' ? 'Too much is being computed about schemas' : 'Nothing is computed any more')
    this.code = code
  }
}

/** The formats that the input of a task needs. */
export function typesIn(input: unknown): SchemaType[] {
  const { type, to, candidate, from } = input as Record<string, unknown>
  const named = [type, to, (candidate as { type?: unknown })?.type, (from as { type?: unknown })?.type]
  return SCHEMA_TYPES.filter((one) => named.includes(one))
}
