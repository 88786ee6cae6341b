import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { missingPrograms } from './installed.ts'
import { answers, type Service, startService } from './service.ts'
import { loopbackProbe } from './sql-server.ts'

export interface Nats {
  readonly host: '127.0.0.1'
  readonly port: number
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port, with the streams on its disk; a running server is killed first. */
  restart(): Promise<void>
}

export interface NatsOptions {
  /** The only user that may connect; without it everybody may. */
  readonly user?: string
  readonly password?: string
  /** A second user with the same password, who may do only what these lines of the configuration say. */
  readonly reader?: { readonly user: string; readonly permissions: string }
  /** As PEM; without it connections are plain. */
  readonly certificate?: { readonly key: string; readonly cert: string }
  /** 1 MiB unless given. */
  readonly maxPayloadBytes?: number
}

export function missingNats(): string | undefined {
  return missingPrograms('nats-server')
}

/** A NATS server with JetStream, whose streams are in a folder below this one. */
export async function startNats(parent: string, options: NatsOptions = {}): Promise<Nats> {
  const folder = join(parent, 'nats')
  mkdirSync(folder, { recursive: true })
  const [port, monitoringPort] = [await freePort(), await freePort()]
  const config = join(folder, 'nats.conf')
  writeFileSync(config, natsConfig(folder, port, options))
  const args = ['-c', config, '-m', String(monitoringPort)]
  const launch = () =>
    startService({ command: 'nats-server', args, folder }, async () => {
      await answers(`http://127.0.0.1:${monitoringPort}/healthz`)
      return loopbackProbe(port)
    })
  let service: Service = await launch()
  return {
    host: '127.0.0.1',
    port,
    stop: (signal) => service.stop(signal),
    async restart() {
      await service.stop('SIGKILL')
      service = await launch()
    }
  }
}

function natsConfig(folder: string, port: number, options: NatsOptions): string {
  const { user, password = '', reader, certificate, maxPayloadBytes = 1024 * 1024 } = options
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    `max_payload: ${maxPayloadBytes}`,
    `jetstream { store_dir: ${JSON.stringify(join(folder, 'jetstream'))} }`
  ]
  if (user !== undefined) {
    const signIn = (name: string) => `user: ${JSON.stringify(name)}, password: ${JSON.stringify(password)}`
    const second = reader && `, { ${signIn(reader.user)}, ${reader.permissions} }`
    lines.push(`authorization { users: [{ ${signIn(user)} }${second ?? ''}] }`)
  }
  if (certificate !== undefined) {
    for (const [name, text] of Object.entries(certificate)) writeFileSync(join(folder, `${name}.pem`), text)
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    lines.push(`tls { cert_file: ${JSON.stringify(cert)}, key_file: ${JSON.stringify(key)} }`)
  }
  return `${lines.join('\n')}\n`
}
