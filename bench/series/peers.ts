import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { missingClickhouse, startClickhouse } from '../../test/support/servers/clickhouse.ts'
import { missingPrograms } from '../../test/support/servers/installed.ts'
import { answers, startService } from '../../test/support/servers/service.ts'
import { startMillrace, tokenOf } from '../support/servers.ts'
import type { Target } from './client.ts'
import { lineOf } from './data.ts'

/** A database under test, with the same data and the same questions as the others. */
export interface Peer {
  readonly name: string
  readonly missing: string | undefined
  line(row: { tag: number; timeS: number; value: string }): string
  start(folder: string): Promise<RunningPeer>
}

export interface RunningPeer {
  readonly write: Target
  /** Averages of five minutes of some tags, as they are answered. */
  narrow(tags: readonly number[], fromS: number, toS: number): Promise<string>
  /** Averages of an hour of all tags. */
  wide(fromS: number, toS: number): Promise<string>
  /** How many averages an answer has. */
  count(answer: string): number
  stop(): Promise<void>
}

const agent = new Agent({ keepAlive: true })

function ask(port: number, path: string, body?: string, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const asked = request({ host: '127.0.0.1', port, path, method, agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (answer.statusCode === 200) resolve(text)
        else reject(new Error(`${answer.statusCode} ${text}`))
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

export const millrace: Peer = {
  name: 'Millrace',
  missing: undefined,
  line: lineOf,
  async start(folder) {
    const env = { DATA_DIR: folder, RATE_LIMIT: '0', WRITE_RATE_LIMIT: '0', LOG_LEVEL: 'warn' }
    const server = await startMillrace(env)
    const token = await tokenOf(server)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const made = await fetch(`http://127.0.0.1:${server.port}/api/catalog/sources`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'bench' })
    })
    const { id: sourceId } = (await made.json()) as { id: string }
    const query = (question: object) =>
      ask(server.port, '/api/catalog/query', JSON.stringify({ sourceId, ...question }), headers)
    const times = (fromS: number, toS: number) => ({ startTime: iso(fromS), endTime: iso(toS) })
    return {
      write: {
        port: server.port,
        path: '/api/v2/write?bucket=bench&org=bench',
        headers: { authorization: `Token ${token}` }
      },
      narrow: (tags, fromS, toS) =>
        query({ tags: tags.map((tag) => `cpu.usage{host=h${tag}}`), ...times(fromS, toS), aggregation: '5m' }),
      wide: (fromS, toS) => query({ ...times(fromS, toS), aggregation: '1h' }),
      count: (answer) => lengths(JSON.parse(answer).series, 'points'),
      stop: () => server.stop()
    }
  }
}

const lengths = <K extends string>(all: readonly Record<K, unknown[]>[], key: K) =>
  all.reduce((sum, each) => sum + each[key].length, 0)

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

const influx: Peer = {
  name: 'InfluxDB 1.6',
  missing: missingPrograms('influxd'),
  line: lineOf,
  async start(folder) {
    const port = await freePort()
    const config = join(folder, 'influx.conf')
    writeFileSync(
      config,
      `reporting-disabled=true
bind-address="127.0.0.1:${await freePort()}"
[meta]
dir="${folder}/meta"
[data]
dir="${folder}/data"
wal-dir="${folder}/wal"
index-version="tsi1"
[http]
bind-address="127.0.0.1:${port}"
log-enabled=false
[monitor]
store-enabled=false
`
    )
    const service = await startService({ command: 'influxd', args: ['-config', config], folder }, () =>
      answers(`http://127.0.0.1:${port}/ping`)
    )
    await ask(port, '/query?q=CREATE+DATABASE+bench', '')
    const query = (sql: string) => ask(port, `/query?db=bench&epoch=ms&q=${encodeURIComponent(sql)}`)
    const where = (fromS: number, toS: number) => `time >= ${fromS}s AND time < ${toS}s`
    return {
      write: { port, path: '/write?db=bench' },
      narrow: (tags, fromS, toS) => {
        const hosts = tags.map((tag) => `host='h${tag}'`).join(' OR ')
        return query(`SELECT mean(usage) FROM cpu WHERE (${hosts}) AND ${where(fromS, toS)} GROUP BY time(5m),host`)
      },
      wide: (fromS, toS) => query(`SELECT mean(usage) FROM cpu WHERE ${where(fromS, toS)} GROUP BY time(1h),host`),
      count: (answer) => lengths(JSON.parse(answer).results[0].series, 'values'),
      stop: () => service.stop('SIGKILL')
    }
  }
}

const victoria: Peer = {
  name: 'VictoriaMetrics 1.79',
  missing: missingPrograms('victoria-metrics'),
  line: lineOf,
  async start(folder) {
    const port = await freePort()
    const args = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, '-retentionPeriod=100y']
    const service = await startService({ command: 'victoria-metrics', args, folder }, () =>
      answers(`http://127.0.0.1:${port}/health`)
    )
    const query = (expression: string, fromS: number, toS: number, stepS: number) => {
      const range = `start=${fromS + stepS}&end=${toS}&step=${stepS}&nocache=1`
      return ask(port, `/api/v1/query_range?query=${encodeURIComponent(expression)}&${range}`)
    }
    return {
      write: { port, path: '/write?db=bench' },
      narrow: (tags, fromS, toS) => {
        const hosts = tags.map((tag) => `h${tag}`).join('|')
        return query(`avg_over_time(cpu_usage{host=~"${hosts}"}[5m])`, fromS, toS, 300)
      },
      wide: (fromS, toS) => query('avg_over_time(cpu_usage[1h])', fromS, toS, 3600),
      count: (answer) => lengths(JSON.parse(answer).data.result, 'values'),
      stop: () => service.stop('SIGINT')
    }
  }
}

const clickhouse: Peer = {
  name: 'ClickHouse 18.16',
  missing: missingClickhouse(),
  line: ({ tag, timeS, value }) => `h${tag}\t${timeS}\t${value}`,
  async start(folder) {
    mkdirSync(folder, { recursive: true })
    const server = await startClickhouse(folder)
    const port = Number(new URL(server.nodes[0]?.url as string).port)
    await ask(
      port,
      '/',
      'CREATE TABLE points (host String, time DateTime, usage Float64) ENGINE = MergeTree() PARTITION BY toYYYYMM(time) ORDER BY (host, time)'
    )
    const query = (where: string, widthS: number) => {
      const sql = `SELECT host, intDiv(toUInt32(time), ${widthS}) * ${widthS} AS bucket, avg(usage) FROM points WHERE ${where} GROUP BY host, bucket ORDER BY host, bucket FORMAT JSONCompact`
      return ask(port, '/', sql)
    }
    const between = (fromS: number, toS: number) => `toUInt32(time) >= ${fromS} AND toUInt32(time) < ${toS}`
    return {
      write: { port, path: `/?query=${encodeURIComponent('INSERT INTO points FORMAT TabSeparated')}` },
      narrow: (tags, fromS, toS) => {
        const hosts = tags.map((tag) => `'h${tag}'`).join(', ')
        return query(`host IN (${hosts}) AND ${between(fromS, toS)}`, 300)
      },
      wide: (fromS, toS) => query(between(fromS, toS), 3600),
      count: (answer) => JSON.parse(answer).rows,
      stop: () => server.stop()
    }
  }
}

export const PEERS: readonly Peer[] = [influx, victoria, clickhouse]
