// `npm run soak [-- <rounds> <minutes>]`: an object of 5 GiB, 100 million points, pipelines whose server is killed 50 times, the
// crash test for many rounds, then mixed load for minutes on end, with an eye on memory. Takes an hour, and is no part of
// `npm test`. `npm run soak -- objects`, `-- series`, `-- pipelines` and `-- memory`: that part alone.
import { setTimeout as delay } from 'node:timers/promises'
import { crashOverAndOver } from './support/crash.ts'
import { soakMemory } from './support/memory-soak.ts'
import { soakObjects } from './support/objects/soak.ts'
import { crashPipelines } from './support/pipelines/crash.ts'
import { callServer, createInstallation, startServer } from './support/process.ts'
import { soakSeries } from './support/series/soak.ts'
import { makeToken } from './support/token.ts'
import { keepWriting } from './support/writers.ts'

const rounds = Number(process.argv[2] ?? 200)
const minutes = Number(process.argv[3] ?? 10)
const OBJECT_GIB = 5
const POINTS = 100_000_000
const PIPELINE_KILLS = 50
const WRITERS = 50
const READERS = 50
const SAMPLES = 20
/** Beyond what garbage and caches account for between the second quarter and the last. */
const MAX_GROWTH = 1.3
const MIB = 1024 * 1024
const MEMORY_MINUTES = 30
const MAX_MIXED_GROWTH = 1.15

const PATHS = [
  '/api/users/me',
  '/api/api-keys?limit=50',
  '/api/classification/resources?limit=50',
  '/api/audit/logs?limit=50',
  '/api/health'
]

const part = ['objects', 'series', 'pipelines', 'memory'].find((name) => name === process.argv[2])
const memoryHolds =
  part !== undefined && part !== 'memory'
    ? true
    : await soakMemory(MEMORY_MINUTES, (line) => console.log(line)).then(({ firstMib, lastMib, failures }) => {
        console.log(`${firstMib} MiB after a tenth of the time, ${lastMib} MiB at the end, ${failures.length} failures`)
        return lastMib <= firstMib * MAX_MIXED_GROWTH && failures.length === 0
      })
if (part === 'memory') process.exit(memoryHolds ? 0 : 1)
const objectsHold =
  part === 'series' || part === 'pipelines' || (await soakObjects(OBJECT_GIB, (line) => console.log(line)))
if (part === 'objects') process.exit(objectsHold ? 0 : 1)
const seriesHold = part === 'pipelines' || (await soakSeries(POINTS, (line) => console.log(line)))
if (part === 'series') process.exit(seriesHold ? 0 : 1)

const pipelinesHold = await crashPipelines({ server: PIPELINE_KILLS, host: 0 }, (line) => console.log(line)).then(
  (found) => found.serverKills === PIPELINE_KILLS,
  (error) => {
    console.error(error)
    return false
  }
)
if (part === 'pipelines') process.exit(pipelinesHold ? 0 : 1)

const startedMs = performance.now()
const figures = await crashOverAndOver(rounds, (line) => console.log(line))
console.log(figures, `${Math.round((performance.now() - startedMs) / 1000)} s`)

const { env, drop } = await createInstallation()
const token = await makeToken(env, 'soak')
const server = await startServer(env)
let reading = true
let reads = 0
let failures = 0

async function read(number: number): Promise<void> {
  for (let turn = number; reading; turn++) {
    const path = PATHS[turn % PATHS.length] as string
    const answer = await callServer(server.url, token, 'GET', path).catch(() => undefined)
    if (answer?.status === 200) reads++
    else failures++
  }
}

async function residentBytes(): Promise<number> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(await response.text()) ?? []
  return Number(bytes)
}

const load = keepWriting(server.url, token, WRITERS)
const readers = Array.from({ length: READERS }, (_, number) => read(number))
const samples: number[] = []
for (let sample = 1; sample <= SAMPLES; sample++) {
  await delay((minutes * 60_000) / SAMPLES)
  samples.push(await residentBytes())
  const mib = Math.round((samples.at(-1) as number) / MIB)
  console.log(`${mib} MiB resident after ${load.written.length} writes, ${reads} reads, ${failures} failures`)
}
reading = false
await Promise.all([load.stop(), ...readers])
const verification = await callServer(server.url, token, 'GET', '/api/audit/verify')
const { code } = await server.stop()
await drop()

const quarter = SAMPLES / 4
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const growth = mean(samples.slice(-quarter)) / mean(samples.slice(quarter, 2 * quarter))
console.log(
  `memory × ${growth.toFixed(2)}, audit trail ${verification.body.ok ? 'whole' : 'BROKEN'}, exit code ${code}`
)
const loadHolds = growth <= MAX_GROWTH && verification.body.ok && code === 0 && failures === 0
process.exitCode = objectsHold && seriesHold && pipelinesHold && memoryHolds && loadHolds ? 0 : 1
