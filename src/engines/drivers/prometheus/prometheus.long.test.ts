import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type MetricsServer,
  missingPrometheus,
  missingVictoria,
  PROMETHEUS_USER,
  startPrometheus,
  startVictoria
} from '../../../../test/support/servers/prometheus.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { tries } from '../../../../test/support/thorough.ts'
import { createOutbound } from '../../outbound/index.ts'
import { selfSigned } from '../../outbound/testing/certificate.ts'
import {
  driverOf,
  findSource,
  type OpenSource,
  runSteps,
  type SourceConfig,
  type SourceFacts,
  type StepName,
  type StreamRead
} from '../index.ts'
import { driverContract, type RunningSource } from '../testing/contract.ts'
import { FlatMemory } from '../testing/flat-memory.ts'

const SAMPLES = 5000
const LARGE = tries(300_000, 1_000_000)
const STEP_S = 15
/** Well in the past, since what is too new is not read on from. */
const START_S = Math.floor(Date.now() / 86_400_000) * 86_400 - 60 * 86_400
const numbers = Array.from({ length: SAMPLES }, (_, n) => n + 1)

const fault = (changes: SourceConfig, step: StepName, code: string, pointer: string) => ({
  changes,
  step,
  code,
  pointer
})

const underTest = ({ host, port, stop, restart }: MetricsServer, more: SourceConfig): RunningSource => ({
  config: { host, port, days: 100, ...more },
  secrets: [PROMETHEUS_USER.password],
  steps: ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'],
  wrong: {
    'a name that is none': fault({ host: 'nowhere.invalid' }, 'resolve', 'unknown_host', '/host'),
    'a closed port': fault({ port: 1 }, 'connect', 'unreachable', '/port'),
    'encryption that is not there': fault({ tls: true }, 'tls', 'tls_failed', '/tls'),
    ...(more.password !== undefined && {
      'a wrong password': fault({ password: 'wrong' }, 'authenticate', 'wrong_credentials', '/password'),
      'a wrong path': fault({ path: '/elsewhere' }, 'authenticate', 'not_found', '/path')
    })
  },
  stream: {
    name: 'level',
    kind: 'series',
    columns: ['time timestamptz', 'value double', 'machine text'],
    keys: ['time', 'machine'],
    cursors: ['time'],
    column: 'value',
    values: numbers,
    cursor: 'time'
  },
  stop,
  restart
})

driverContract('Prometheus as a source', {
  sourceId: 'prometheus',
  missing: missingPrometheus(),
  async start() {
    const samples = numbers.map((n) => `level{machine="m${n % 3}"} ${n} ${START_S + n * STEP_S}.125`)
    const lines = ['# TYPE level gauge', ...samples]
    const server = await startPrometheus(makeFolder('drivers-prometheus'), { samples: lines, hasUsers: true })
    return underTest(server, PROMETHEUS_USER)
  }
})

driverContract('VictoriaMetrics as a source', {
  sourceId: 'victoriametrics',
  missing: missingVictoria(),
  async start() {
    const lines = numbers.map((n) => `level{machine="m${n % 3}"} ${n} ${(START_S + n * STEP_S) * 1000 + 125}`)
    return underTest(await startVictoria(makeFolder('drivers-victoria'), lines), {})
  }
})

describe('samples of Prometheus', { skip: missingPrometheus() ?? false }, () => {
  let server: MetricsServer
  let secure: MetricsServer
  let opened: OpenSource
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const source = findSource('prometheus') as SourceFacts
  const signal = () => AbortSignal.timeout(tries(60_000, 300_000))

  async function open(config: SourceConfig): Promise<OpenSource> {
    return (await driverOf(source)).open({ days: 100, ...config }, source, { outbound, packagesFolder: '/nowhere' })
  }

  before(async () => {
    const many = Array.from(
      { length: LARGE },
      (_, n) => `many{series="s${n % 10}"} ${n} ${START_S + Math.floor(n / 10) * STEP_S}`
    )
    const samples = [
      '# TYPE odd gauge',
      `odd{value="a",text="say \\"hi\\" \\\\ ü"} NaN ${START_S}.001`,
      `odd{time="b"} +Inf ${START_S}.002`,
      `odd -1e300 ${START_S + 40 * 86_400}`,
      '# TYPE many gauge',
      ...many.toSorted((a, b) => (a.slice(0, 17) < b.slice(0, 17) ? -1 : 1))
    ]
    server = await startPrometheus(makeFolder('samples-prometheus'), { samples })
    secure = await startPrometheus(makeFolder('secure-prometheus'), { certificate: selfSigned('localhost') })
    opened = await open({ host: server.host, port: server.port })
  })
  after(async () => {
    await opened.close()
    await server.stop()
    await secure.stop()
    await outbound.close()
  })

  it('have odd values and labels, and gaps of weeks', async () => {
    const records: Record<string, unknown>[] = []
    for await (const chunk of opened.read({ stream: 'odd', signal: signal() }))
      for (let row = 0; row < chunk.rows; row++)
        records.push(Object.fromEntries(chunk.columns.map(({ name }, at) => [name, chunk.values[at]?.[row]])))
    const time = (ms: number) => `${new Date(ms).toISOString().replace('T', ' ').slice(0, -1)}000`
    const labels = { 'time (label)': null, 'value (label)': null, text: null }
    assert.deepEqual(records, [
      { ...labels, time: time(START_S * 1000 + 1), value: Number.NaN, 'value (label)': 'a', text: 'say "hi" \\ ü' },
      { ...labels, time: time(START_S * 1000 + 2), value: Number.POSITIVE_INFINITY, 'time (label)': 'b' },
      { ...labels, time: time((START_S + 40 * 86_400) * 1000), value: -1e300 }
    ])
  })

  it('with the same time come together, however few are asked for', async () => {
    let position: string | null = null
    for (const _ of [1, 2, 3]) {
      let rows = 0
      const cursor: StreamRead['cursor'] & object = { column: 'time', after: position }
      for await (const chunk of opened.read({ stream: 'many', cursor, limit: 3, signal: signal() })) {
        rows += chunk.rows
        position = chunk.position ?? null
      }
      assert.equal(rows, 10)
    }
    assert.equal(Date.parse(`${position}Z`), (START_S + 2 * STEP_S) * 1000)
  })

  it('of which there are many are read with flat memory, and go on after the server was killed', async () => {
    let [rows, sum] = [0, 0]
    let position: string | null = null
    const read = async (killAt: number, memory?: FlatMemory) => {
      const cursor = { column: 'time', after: position }
      for await (const chunk of opened.read({ stream: 'many', cursor, signal: signal() })) {
        rows += chunk.rows
        for (const value of chunk.values[1] ?? []) sum += Number(value)
        position = chunk.position ?? null
        assert.ok(chunk.rows <= 10_000)
        memory?.add(chunk)
        if (rows >= killAt) await server.stop()
      }
    }
    await assert.rejects(read(LARGE / 4), { name: 'SourceError', isTransient: true })
    assert.ok(rows < LARGE)
    await server.restart()
    const memory = new FlatMemory(LARGE - rows)
    await read(Number.POSITIVE_INFINITY, memory)
    assert.deepEqual([rows, sum], [LARGE, (LARGE * (LARGE - 1)) / 2])
    memory.assertFlat()
  })

  it('are not asked for where the certificate is nobody’s, or where encryption is wanted and not configured', async () => {
    for (const [config, said] of [
      [{ host: 'localhost', tls: true }, /certificate/],
      [{ host: '127.0.0.1' }, /set tls/]
    ] as const) {
      const other = await open({ port: secure.port, ...config })
      const { checks, message } = await runSteps(other.steps, 20_000)
      await other.close()
      const failed = checks.find(({ ok }) => !ok)
      assert.deepEqual([failed?.name, failed?.code, failed?.pointer], ['tls', 'tls_failed', '/tls'], message)
      assert.match(message, said)
    }
  })
})
