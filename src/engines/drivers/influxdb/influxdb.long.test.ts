import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Influxdb, missingInfluxdb, startInfluxdb } from '../../../../test/support/servers/influxdb.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../outbound/index.ts'
import { driverOf, findSource, type OpenSource, type SourceFacts, type StepName } from '../index.ts'
import { driverContract } from '../testing/contract.ts'
import { LARGE_ROWS, largeStreamSuite } from '../testing/large-streams.ts'

const POINTS = 25_000
const START_MS = Date.UTC(2026, 2, 1)
const missing = missingInfluxdb()

const fault = (changes: Record<string, unknown>, step: StepName, code: string, pointer: string) => ({
  changes,
  step,
  code,
  pointer
})

driverContract('InfluxDB as a source', {
  sourceId: 'influxdb',
  missing,
  async start() {
    const server = await startInfluxdb(makeFolder('drivers-influxdb'))
    const { host, port, stop, restart, execute } = server
    await execute('CREATE DATABASE plant')
    await execute(`CREATE USER reader WITH PASSWORD 'reader-pass'`)
    await execute('GRANT READ ON plant TO reader')
    const numbers = Array.from({ length: POINTS }, (_, n) => n + 1)
    await server.write(
      'plant',
      numbers.map((n) => `readings,machine=m${n % 5} number=${n}i,level=${n / 4} ${START_MS + n}000000`)
    )
    return {
      config: { host, port, database: 'plant', user: 'reader', password: 'reader-pass' },
      secrets: ['reader-pass', server.admin.password],
      steps: ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'],
      wrong: {
        'a name that is none': fault({ host: 'nowhere.invalid' }, 'resolve', 'unknown_host', '/host'),
        'a closed port': fault({ port: 1 }, 'connect', 'unreachable', '/port'),
        'a wrong password': fault({ password: 'wrong' }, 'authenticate', 'wrong_credentials', '/password'),
        'a database that is not there': fault(
          { database: 'absent', ...server.admin },
          'authenticate',
          'not_found',
          '/database'
        ),
        'a retention policy that is not there': fault(
          { retentionPolicy: 'absent' },
          'read',
          'not_found',
          '/retentionPolicy'
        ),
        'encryption that is not there': fault({ tls: true }, 'tls', 'tls_failed', '/tls')
      },
      stream: {
        name: 'readings',
        kind: 'series',
        columns: ['time timestamptz', 'machine text', 'level double', 'number bigint'],
        keys: ['time', 'machine'],
        cursors: ['time'],
        column: 'number',
        values: numbers.map(BigInt),
        cursor: 'time'
      },
      async makeStranger() {
        await execute(`CREATE USER "odd ""reader" WITH PASSWORD 'strange'`.replace('""', '\\"'))
        return { user: 'odd "reader', password: 'strange' }
      },
      execute: async (statement) => void (await execute(statement)),
      stop,
      restart
    }
  }
})

describe('points of InfluxDB', { skip: missing ?? false }, () => {
  let server: Influxdb
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  let opened: OpenSource
  const signal = () => AbortSignal.timeout(60_000)

  before(async () => {
    server = await startInfluxdb(makeFolder('points-influxdb'))
    await server.execute('CREATE DATABASE "odd name"')
    const { host, port, admin } = server
    const source = findSource('influxdb') as SourceFacts
    const config = { host, port, database: 'odd name', ...admin }
    opened = await (await driverOf(source)).open(config, source, { outbound, packagesFolder: '/nowhere' })
  })
  after(async () => {
    await opened.close()
    await server.stop()
    await outbound.close()
  })
  const write = (lines: readonly string[]) => server.write('odd%20name', lines)

  async function readAll(stream: string, more: object = {}) {
    const records: Record<string, unknown>[] = []
    let position: string | undefined
    for await (const chunk of opened.read({ stream, signal: signal(), ...more })) {
      position = chunk.position
      for (let row = 0; row < chunk.rows; row++)
        records.push(Object.fromEntries(chunk.columns.map(({ name }, at) => [name, chunk.values[at]?.[row]])))
    }
    return { records, position }
  }

  it('have values of every type, to the nanosecond and the last digit', async () => {
    const ns = `${START_MS}123456`
    await write([
      `odd\\ "m",ta\\ g=a\\ b,same=tag text="say \\"hi\\" \\\\ ü",big=9007199254740993i,small=-9223372036854775808i,on=true,level=-1e300,same=2 ${ns}789`.replace(
        `${ns}789`,
        ns
      ),
      `odd\\ "m" text="",level=0.1 ${START_MS}123457`
    ])
    const { records, position } = await readAll('odd "m"', { cursor: { column: 'time', after: null } })
    assert.deepEqual(records, [
      {
        time: '2026-03-01 00:00:00.000123456',
        same: 'tag',
        'ta g': 'a b',
        big: 9_007_199_254_740_993n,
        level: -1e300,
        on: true,
        'same (field)': 2,
        small: -(2n ** 63n),
        text: 'say "hi" \\ ü'
      },
      {
        time: '2026-03-01 00:00:00.000123457',
        same: null,
        'ta g': null,
        big: null,
        level: 0.1,
        on: null,
        'same (field)': null,
        small: null,
        text: ''
      }
    ])
    assert.equal(position, '2026-03-01 00:00:00.000123457')
  })

  it('keep their values where a field has changed its type', async () => {
    const later = START_MS + 60 * 86_400_000
    await write([`changed v=1.5 ${START_MS}000000`, `changed v="off" ${later}000000`])
    await write([`numbers v=1.5 ${START_MS}000000`, `numbers v=7i ${later}000000`])
    const { records } = await readAll('changed')
    assert.deepEqual(
      records.map(({ time: _, ...rest }) => rest),
      [
        { v: 1.5, 'v (string)': null },
        { v: null, 'v (string)': 'off' }
      ]
    )
    const numbers = await readAll('numbers')
    assert.deepEqual(
      numbers.records.map(({ v }) => v),
      [1.5, 7]
    )
  })

  it('with the same time come together, however few are asked for', async () => {
    const times = [1, 1, 1, 2, 3, 3, 3, 3, 4]
    await write(times.map((time, n) => `tied,n=n${n} v=${n} ${START_MS + time}000000`))
    const seen: unknown[] = []
    let after: string | null = null
    for (;;) {
      const { records, position } = await readAll('tied', { cursor: { column: 'time', after }, limit: 2 })
      if (records.length === 0) break
      seen.push(records.length)
      after = position ?? null
    }
    assert.deepEqual(seen, [3, 5, 1])
    assert.equal((await readAll('tied', { limit: 2 })).records.length, 2)
  })

  it('are asked for by nothing but their time', async () => {
    await assert.rejects(readAll('tied', { cursor: { column: 'v', after: null } }), { code: 'bad_request' })
    await assert.rejects(readAll('tied', { cursor: { column: 'time', after: `2026-03-01' OR 1=1` } }), {
      code: 'bad_request'
    })
  })
})

largeStreamSuite('many points of InfluxDB', {
  sourceId: 'influxdb',
  missing,
  async start() {
    const { host, port, admin, execute, write, stop, restart } = await startInfluxdb(makeFolder('large-influxdb'))
    await execute('CREATE DATABASE plant')
    const some = Array.from({ length: 50_000 }, (_, n) => n)
    for (let from = 0; from < LARGE_ROWS; from += some.length) {
      const lines = some.map((n) => `many,m=m${n % 10} v=${from + n} ${START_MS + from + n}000000`)
      await write('plant', lines)
    }
    const config = { host, port, database: 'plant', ...admin }
    return { config, stream: 'many', cursor: 'time', counted: 'v', stop, restart }
  }
})
