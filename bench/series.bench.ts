import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sendAll } from './series/client.ts'
import { bodiesOf, type Shape, START_S, STEP_S } from './series/data.ts'
import { millrace, PEERS, type Peer, type RunningPeer } from './series/peers.ts'
import { median } from './support/servers.ts'

const SHAPES: readonly Shape[] = [
  { tags: 1000, points: 5000 },
  { tags: 10_000, points: 2000 }
]
const CONNECTIONS = 4
const NARROW_ROUNDS = 400
const NARROW_WARM_UP = 100
const WIDE_WARM_UP = 3
const WIDE_ROUNDS = 15
/** One that takes seconds for an answer is not asked so often. */
const WIDE_LIMIT_MS = 20_000
/** What a database does behind its answers is over by then, and VictoriaMetrics shows what was written. */
const SETTLE_MS = 8000

interface Figures {
  readonly name: string
  readonly pointsPerS: number
  readonly narrowMs: number
  readonly wideMs: number
  readonly bytesPerPoint: number
}

/** Time series beside databases made for them: the same lines from the same client, the same questions. */
export async function run(): Promise<boolean> {
  const outcomes: boolean[] = []
  for (const shape of SHAPES) {
    const figures: Figures[] = []
    for (const peer of [...PEERS, millrace]) {
      if (peer.missing !== undefined) console.log(`${peer.name} is left out: ${peer.missing}`)
      else figures.push(await measure(peer, shape))
    }
    outcomes.push(tell(shape, figures))
  }
  return outcomes.every((ok) => ok)
}

async function measure(peer: Peer, shape: Shape): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const own = join(folder, 'data')
  mkdirSync(own)
  const bodies = bodiesOf(shape, peer.line)
  const running = await peer.start(own)
  try {
    const total = shape.tags * shape.points
    const startedMs = performance.now()
    await sendAll(running.write, bodies, CONNECTIONS)
    const pointsPerS = total / ((performance.now() - startedMs) / 1000)
    await setTimeout(SETTLE_MS)
    const narrowMs = await timeNarrow(running, shape)
    const wideMs = await timeWide(running, shape)
    return { name: peer.name, pointsPerS, narrowMs, wideMs, bytesPerPoint: sizeBytes(own) / total }
  } finally {
    await running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timeNarrow(running: RunningPeer, { tags, points }: Shape): Promise<number> {
  const hours = Math.floor((points * STEP_S) / 3600)
  const times: number[] = []
  for (let round = -NARROW_WARM_UP; round < NARROW_ROUNDS; round++) {
    const first = ((round + NARROW_WARM_UP) * 37) % (tags - 100)
    const fromS = START_S + ((round + NARROW_WARM_UP) % hours) * 3600
    const startedMs = performance.now()
    const answer = await running.narrow([first, first + 30, first + 77], fromS, fromS + 3600)
    if (round >= 0) times.push(performance.now() - startedMs)
    if (running.count(answer) < 36) throw new Error(`Too few averages: ${answer}`)
  }
  return median(times)
}

async function timeWide(running: RunningPeer, { tags, points }: Shape): Promise<number> {
  const times: number[] = []
  const endMs = performance.now() + WIDE_LIMIT_MS
  const endS = START_S + points * STEP_S
  for (let round = -WIDE_WARM_UP; round < WIDE_ROUNDS && (times.length === 0 || performance.now() < endMs); round++) {
    const startedMs = performance.now()
    const answer = await running.wide(START_S, endS)
    if (round >= 0) times.push(performance.now() - startedMs)
    const averages = running.count(answer)
    if (averages < tags * Math.floor((points * STEP_S) / 3600)) throw new Error(`Only ${averages} averages`)
  }
  return median(times)
}

function sizeBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

function tell({ tags, points }: Shape, figures: readonly Figures[]): boolean {
  console.log(`\n${tags} tags of ${points} points`)
  for (const { name, pointsPerS, narrowMs, wideMs, bytesPerPoint } of figures) {
    const columns = [
      `${(pointsPerS / 1e6).toFixed(2)} M points/s`.padStart(16),
      `${narrowMs.toFixed(2)} ms`.padStart(12),
      `${wideMs.toFixed(0)} ms`.padStart(10),
      `${bytesPerPoint.toFixed(2)} bytes`.padStart(14)
    ]
    console.log(`  ${name.padEnd(22)}${columns.join('')}`)
  }
  const ours = figures.at(-1) as Figures
  const peer = (name: string) => figures.find((other) => other.name.startsWith(name))
  const [influx, victoria, clickhouse] = ['InfluxDB', 'Victoria', 'ClickHouse'].map(peer)
  const least = (wanted: string, ok: boolean | undefined, isTarget = false) => {
    if (ok === undefined) return true
    console.log(`  ${ok ? 'met' : 'NOT MET'}  ${isTarget ? 'target' : 'floor'}: ${wanted}`)
    return ok || isTarget
  }
  return [
    least('ingest at least 1.5 times InfluxDB', influx && ours.pointsPerS >= 1.5 * influx.pointsPerS),
    least('ingest at least VictoriaMetrics', victoria && ours.pointsPerS >= victoria.pointsPerS, true),
    least('three tags in no more than InfluxDB', influx && ours.narrowMs <= influx.narrowMs),
    least('three tags in no more than ClickHouse', clickhouse && ours.narrowMs <= clickhouse.narrowMs),
    least('three tags in 1.5 times VictoriaMetrics', victoria && ours.narrowMs <= 1.5 * victoria.narrowMs, true),
    ...[influx, victoria, clickhouse].map((other) =>
      least(`all tags in no more than ${other?.name}`, other && ours.wideMs <= other.wideMs)
    ),
    least('bytes of a point no more than InfluxDB', influx && ours.bytesPerPoint <= influx.bytesPerPoint)
  ].every((ok) => ok)
}
