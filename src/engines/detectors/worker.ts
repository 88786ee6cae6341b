import { parentPort, workerData } from 'node:worker_threads'
import { detect } from './detect.ts'
import type { Said, Told } from './thread.ts'

const names = workerData as readonly string[]
const columns: (string | null)[][] = names.map(() => [])

parentPort?.on('message', (told: Told) => {
  if (told === 'end') {
    const said: Said = names.map((name, at) => detect(name, columns[at] as (string | null)[]))
    parentPort?.postMessage(said)
    return
  }
  for (const row of told) for (const [at, values] of columns.entries()) values.push(row[at] ?? null)
})
