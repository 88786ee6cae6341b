import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { missingPrograms } from './installed.ts'
import { answers, type Service, startService } from './service.ts'

export interface Influxdb {
  readonly host: '127.0.0.1'
  readonly port: number
  readonly admin: { readonly user: string; readonly password: string }
  /** Runs a statement as the administrator. */
  execute(statement: string): Promise<string>
  /** Writes points, as lines, into a database. */
  write(database: string, lines: readonly string[]): Promise<void>
  stop(): Promise<void>
  /** Starts it again on the same port with the same data; a running one is killed first. */
  restart(): Promise<void>
}

const ADMIN = { user: 'admin', password: 'admin-pass-1' }
const LINES_AT_ONCE = 20_000

export function missingInfluxdb(): string | undefined {
  return missingPrograms('influxd')
}

/** An InfluxDB 1 that wants everybody to sign in. */
export async function startInfluxdb(folder: string): Promise<Influxdb> {
  const port = await freePort()
  const config = join(folder, 'influx.conf')
  writeFileSync(config, influxConfig(folder, port, await freePort()))
  const url = `http://127.0.0.1:${port}`
  const launch = () =>
    startService({ command: 'influxd', args: ['-config', config], folder }, () => answers(`${url}/ping`))
  let service: Service = await launch()
  const authorization = `Basic ${Buffer.from(`${ADMIN.user}:${ADMIN.password}`).toString('base64')}`
  const post = async (path: string, body: string | URLSearchParams) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers: { authorization }, body })
    const text = await answer.text()
    if (!answer.ok || text.includes('"error"')) throw new Error(`${answer.status} ${text}`)
    return text
  }
  const execute = (statement: string) => post('/query', new URLSearchParams({ q: statement }))
  await execute(`CREATE USER ${ADMIN.user} WITH PASSWORD '${ADMIN.password}' WITH ALL PRIVILEGES`)
  return {
    host: '127.0.0.1',
    port,
    admin: ADMIN,
    execute,
    async write(database, lines) {
      for (let at = 0; at < lines.length; at += LINES_AT_ONCE)
        await post(`/write?db=${database}`, lines.slice(at, at + LINES_AT_ONCE).join('\n'))
    },
    stop: () => service.stop('SIGKILL'),
    async restart() {
      await service.stop('SIGKILL')
      service = await launch()
    }
  }
}

const influxConfig = (folder: string, port: number, backupPort: number) => `reporting-disabled=true
bind-address="127.0.0.1:${backupPort}"
[meta]
dir="${folder}/meta"
[data]
dir="${folder}/data"
wal-dir="${folder}/wal"
index-version="tsi1"
query-log-enabled=false
[http]
bind-address="127.0.0.1:${port}"
auth-enabled=true
log-enabled=false
[monitor]
store-enabled=false
`
