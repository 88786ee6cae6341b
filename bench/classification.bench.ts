import { Worker } from 'node:worker_threads'
import { DETECTORS } from '../src/engines/detectors/all.ts'
import { enforcement } from './classification/enforcement.ts'
import type { DetectorFigures, DetectorOrder } from './detectors/worker.ts'

const FLOOR_MB_S = 200
const THREADS = 2
const SEED = 1

/** What it costs a read to be asked for clearance, and how fast detectors are. */
export async function run(): Promise<boolean> {
  const isCheap = await enforcement()
  return (await detectors()) && isCheap
}

/** How much text each detector gets through on two threads: text of all kinds, and text of its own kind only. */
async function detectors(): Promise<boolean> {
  const results = await Promise.all(Array.from({ length: THREADS }, () => measured()))
  let slow = 0
  let slowOnOwn = 0
  for (const [at, { kind, form }] of DETECTORS.entries()) {
    const sum = (of: keyof DetectorFigures) => results.reduce((total, figures) => total + (figures[at]?.[of] ?? 0), 0)
    const [mixed, own] = [sum('mixed'), sum('own')]
    const isSlowOnOwn = own > 0 && own < FLOOR_MB_S
    const isSlow = mixed < FLOOR_MB_S || isSlowOnOwn
    if (isSlow) slow++
    if (isSlowOnOwn) slowOnOwn++
    const ownText = own === 0 ? 'no text of its own' : `${own.toFixed(0)} MB/s of its own`
    console.log(
      `${kind.padEnd(15)} ${form.padEnd(45)} ${mixed.toFixed(0)} MB/s of mixed text, ${ownText}${isSlow ? '  BELOW' : ''}`
    )
  }
  console.log(
    `${slow} of ${DETECTORS.length} below ${FLOOR_MB_S} MB/s on ${THREADS} threads; on text of their own ${slowOnOwn}`
  )
  return slow === 0
}

async function measured(): Promise<DetectorFigures[]> {
  const order: DetectorOrder = { seed: SEED }
  const worker = new Worker(new URL('./detectors/worker.ts', import.meta.url), { workerData: order })
  const { promise, resolve, reject } = Promise.withResolvers<DetectorFigures[]>()
  worker.once('message', resolve).once('error', reject)
  return promise
}
