import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { missingFile } from './installed.ts'
import { answers, runProgram, type Service, startService } from './service.ts'
import { loopbackProbe } from './sql-server.ts'

export interface RabbitMq {
  readonly host: '127.0.0.1'
  readonly port: number
  /** The port that wants encryption. */
  readonly tlsPort: number
  readonly managementPort: number
  readonly user: string
  readonly password: string
  /** Asks its management interface as the administrator. */
  manage(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>
  /** Runs a line of the shell that calls its `rabbitmqctl`. */
  control(line: string): Promise<void>
  stop(): Promise<void>
  /** Kills it and starts it again with what is on its disk. */
  restart(): Promise<void>
}

/** Debian's commands of the same names run as another user; these do not. */
const PROGRAMS = '/usr/lib/rabbitmq/bin'
const PROGRAM = `${PROGRAMS}/rabbitmq-server`
const STREAMS_LIMIT_MS = 20_000
const USER = 'millrace'
const PASSWORD = 'p@ss word'

export function missingRabbitMq(): string | undefined {
  return missingFile('rabbitmq-server', PROGRAM)
}

/** A RabbitMQ with its management interface and a certificate, in a folder below this one, known to nobody but its own list of nodes. */
export async function startRabbitMq(
  parent: string,
  certificate: { readonly key: string; readonly cert: string }
): Promise<RabbitMq> {
  const folder = join(parent, 'rabbitmq')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(certificate)) writeFileSync(join(folder, `${name}.pem`), text)
  const ports = { port: await freePort(), tlsPort: await freePort(), managementPort: await freePort() }
  const namesPort = await freePort()
  writeFileSync(join(folder, 'rabbitmq.conf'), configOf(folder, ports))
  writeFileSync(join(folder, 'enabled_plugins'), '[rabbitmq_management].\n')
  const environment = {
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: namesPort,
    RABBITMQ_NODENAME: `millrace-${ports.port}@localhost`,
    RABBITMQ_NODE_PORT: ports.port,
    RABBITMQ_DIST_PORT: await freePort(),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    // Makes the script become the server, so that a signal reaches it.
    RUNNING_UNDER_SYSTEMD: 'true'
  }
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const names = await startService(
    { command: 'epmd', args: ['-address', '127.0.0.1', '-port', String(namesPort)], folder },
    () => loopbackProbe(namesPort)
  )
  const launch = () =>
    startService({ command: 'env', args: [...variables, PROGRAM], folder }, async (output) => {
      if (!/Server startup complete/.test(output)) return false
      return answers(`http://127.0.0.1:${ports.managementPort}/`)
    })
  let service: Service = await launch()
  const ask = (method: string, path: string, body?: unknown) => manage(ports.managementPort, method, path, body)
  return {
    host: '127.0.0.1',
    ...ports,
    user: USER,
    password: PASSWORD,
    manage: ask,
    async control(line) {
      const shell = `PATH=${PROGRAMS}:$PATH; ${line}`
      await runProgram({ command: 'env', args: [...variables, 'sh', '-c', shell], folder })
    },
    // Ending in order takes it seconds, and nothing of it is kept.
    async stop() {
      await service.stop('SIGKILL')
      await names.stop()
    },
    async restart() {
      await service.stop('SIGKILL')
      service = await launch()
      // Its streams come back a moment after the rest.
      await eventually(async () => {
        const queues = (await ask('GET', '/queues')) as readonly { readonly state?: string }[]
        return queues.every(({ state }) => state === 'running')
      }, STREAMS_LIMIT_MS)
    }
  }
}

function configOf(
  folder: string,
  { port, tlsPort, managementPort }: Pick<RabbitMq, 'port' | 'tlsPort' | 'managementPort'>
): string {
  const settings = {
    'listeners.tcp.1': `127.0.0.1:${port}`,
    'listeners.ssl.1': `127.0.0.1:${tlsPort}`,
    'ssl_options.certfile': join(folder, 'cert.pem'),
    'ssl_options.keyfile': join(folder, 'key.pem'),
    'ssl_options.verify': 'verify_none',
    'management.tcp.ip': '127.0.0.1',
    'management.tcp.port': managementPort,
    default_user: USER,
    default_pass: PASSWORD,
    'disk_free_limit.absolute': '1MB'
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('')
}

async function manage(port: number, method: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json'
    },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
