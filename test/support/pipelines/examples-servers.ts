import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Clickhouse, missingClickhouse, startClickhouse } from '../servers/clickhouse.ts'
import { type KafkaMock, missingKafkaMock, startKafkaMock } from '../servers/kafka-mock.ts'
import { type Mosquitto, missingMosquitto, startMosquitto } from '../servers/mosquitto.ts'
import { missingNats, type Nats, startNats } from '../servers/nats.ts'
import { startSqlPostgres } from '../servers/sql-postgres.ts'
import type { SqlServer } from '../servers/sql-server.ts'

/** The servers that the examples use, as far as they are installed. */
export interface ExampleServers {
  readonly mqtt: Mosquitto | undefined
  readonly nats: Nats | undefined
  readonly kafka: KafkaMock | undefined
  readonly clickhouse: Clickhouse | undefined
  readonly postgres: SqlServer
  /** An API that answers readings; /psql and /nats do what these programs would do. */
  readonly http: { readonly url: string; readonly asked: string[] }
  stop(): Promise<void>
}

export const missingServers = {
  mqtt: missingMosquitto(),
  nats: missingNats(),
  kafka: missingKafkaMock(),
  clickhouse: missingClickhouse()
} as const

export async function startExampleServers(folder: string): Promise<ExampleServers> {
  const unlessMissing = <T>(missing: string | undefined, start: (folder: string) => Promise<T>) =>
    missing === undefined ? start(folder) : undefined
  const [mqtt, nats, kafka, clickhouse, postgres] = await Promise.all([
    unlessMissing(missingServers.mqtt, startMosquitto),
    unlessMissing(missingServers.nats, startNats),
    unlessMissing(missingServers.kafka, startKafkaMock),
    unlessMissing(missingServers.clickhouse, startClickhouse),
    startSqlPostgres(folder)
  ])
  const http = await startHttp({
    psql: (sql) => runSql(postgres, sql),
    nats: (args) => runNats(`127.0.0.1:${nats?.port}`, args)
  })
  return {
    mqtt,
    nats,
    kafka,
    clickhouse,
    postgres,
    http,
    async stop() {
      await Promise.all([http, mqtt, nats, kafka, clickhouse, postgres].map((server) => server?.stop()))
    }
  }
}

/** `scripts/install-test-servers` installs neither of these programs. */
export const TOOLS = `
psql() {
  if [ "\${@: -2:1}" = -c ]; then printf %s "\${@: -1}"; else cat; fi | curl -s --data-binary @- $TOOLS/psql
}
nats() { printf '%s\\n' "$@" | curl -s --data-binary @- $TOOLS/nats; }
`

const READINGS = [
  { id: 1, time: '2026-03-09T13:00:00Z', sensor: 'boiler', celsius: 81.5 },
  { id: 2, time: '2026-03-09T13:00:00Z', sensor: 'roof', celsius: 4 },
  { id: 3, time: '2026-03-09T13:05:00Z', sensor: 'boiler', celsius: 82.5 }
]

async function startHttp(tools: Record<'psql' | 'nats', (text: string) => Promise<string>>) {
  const asked: string[] = []
  async function answer(request: IncomingMessage): Promise<string> {
    const url = new URL(request.url ?? '', 'http://localhost')
    if (url.pathname === '/psql') return tools.psql(await text(request))
    if (url.pathname === '/nats') return tools.nats(await text(request))
    if (request.headers.authorization !== 'Bearer example') throw new Error('the header is missing')
    asked.push(url.search)
    const after = Number(url.searchParams.get('since') ?? 0)
    const from = Number(url.searchParams.get('from') ?? 0)
    const found = READINGS.filter(({ id }) => id > after).slice(from)
    return JSON.stringify({ items: found.slice(0, 2), next: found.length > 2 ? `/readings?from=${from + 2}` : null })
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.end(body),
      (error) => response.writeHead(500).end(String(error))
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async stop() {
      server.closeAllConnections()
      server.close()
    }
  }
}

export async function runSql({ host, port, user, password, database }: SqlServer, sql: string): Promise<string> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ host, port, user, password, database })
  await client.connect()
  try {
    return JSON.stringify((await client.query(sql)).rows)
  } finally {
    await client.end()
  }
}

/** `stream add <name> --subjects <subjects>` and `pub <subject> <payload>`, one argument on each line. */
async function runNats(servers: string, args: string): Promise<string> {
  const words = args.trimEnd().split('\n').slice(2)
  const { connect } = await import('@nats-io/transport-node')
  const { jetstreamManager } = await import('@nats-io/jetstream')
  const client = await connect({ servers })
  try {
    const [command, first = '', second = ''] = words
    if (command === 'pub') client.publish(first, second)
    else await (await jetstreamManager(client)).streams.add({ name: second, subjects: [words[4] as string] })
    await client.flush()
    return ''
  } finally {
    await client.close()
  }
}
