import { parentPort, workerData } from 'node:worker_threads'
import { DETECTORS } from '../../src/engines/detectors/all.ts'
import { type Detector, FORM, MATCH } from '../../src/engines/detectors/detector.ts'
import { labelledColumns } from '../../src/engines/detectors/testing/columns.ts'

export interface DetectorOrder {
  readonly seed: number
}

/** Megabytes a second; `own` is 0 where there is no text of the kind. */
export interface DetectorFigures {
  readonly mixed: number
  readonly own: number
}

/** Short, so that some rounds have a core to themselves on a machine that others use too. */
const ROUND_BYTES = 100_000
const LEAST_ROUNDS = 30
const MEASURED_MS = 1000
const LEAST_OWN = 100

const { seed } = workerData as DetectorOrder
/** Through JSON, as they come from the data plane: what was put together from pieces is slower to read. */
const values: readonly string[] = JSON.parse(
  JSON.stringify(labelledColumns(seed).flatMap((column) => column.values.filter((value) => value !== null)))
)

const figures = DETECTORS.map((detector): DetectorFigures => {
  const own = values.filter((value) => [MATCH, FORM].includes(detector.look(value) as typeof MATCH))
  return { mixed: rate(detector, values), own: own.length < LEAST_OWN ? 0 : rate(detector, own) }
})
parentPort?.postMessage(figures)

/** Of the best of many short rounds, by the clock: processor time is counted in steps that are longer than a round. */
function rate(detector: Detector, texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const times = Math.max(1, Math.round(ROUND_BYTES / bytes))
  const round = () => {
    const startedMs = performance.now()
    let found = 0
    for (let time = 0; time < times; time++) for (const text of texts) found += detector.look(text)
    const tookMs = performance.now() - startedMs
    // What is counted can't be left out by the compiler.
    if (found < 0) throw new Error('Nothing was looked at')
    return tookMs
  }
  let best = round()
  const untilMs = performance.now() + MEASURED_MS
  for (let count = 0; count < LEAST_ROUNDS || performance.now() < untilMs; count++) best = Math.min(best, round())
  return (bytes * times) / best / 1000
}
