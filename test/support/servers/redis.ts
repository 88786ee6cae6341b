import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { missingPrograms } from './installed.ts'
import { type Service, startService } from './service.ts'

export interface RedisServer {
  readonly host: '127.0.0.1'
  readonly port: number
  /** The port that wants encryption. */
  readonly tlsPort: number
  readonly password: string
  stop(): Promise<void>
  /** Kills it and starts it again with what it has written down. */
  restart(): Promise<void>
}

const PASSWORD = 'p@ss/word'

export function missingRedis(): string | undefined {
  return missingPrograms('redis-server')
}

/** A Redis that writes everything down, in a folder below this one, and has a certificate. */
export async function startRedis(
  parent: string,
  certificate: { readonly key: string; readonly cert: string }
): Promise<RedisServer> {
  const folder = join(parent, 'redis')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(certificate)) writeFileSync(join(folder, `${name}.pem`), text)
  const [port, tlsPort] = [await freePort(), await freePort()]
  const settings = {
    port,
    'tls-port': tlsPort,
    'tls-cert-file': join(folder, 'cert.pem'),
    'tls-key-file': join(folder, 'key.pem'),
    'tls-auth-clients': 'no',
    'tls-ca-cert-file': join(folder, 'cert.pem'),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    daemonize: 'no',
    requirepass: PASSWORD
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const launch = () => startService({ command: 'redis-server', args, folder }, () => isUp(port))
  let service: Service = await launch()
  return {
    host: '127.0.0.1',
    port,
    tlsPort,
    password: PASSWORD,
    stop: () => service.stop(),
    async restart() {
      await service.stop('SIGKILL')
      service = await launch()
    }
  }
}

/** Whether it has read what it had written down. */
function isUp(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(`AUTH ${PASSWORD}\r\nPING\r\nQUIT\r\n`))
    let answer = ''
    socket.once('error', reject)
    socket.on('data', (data) => {
      answer += data
    })
    socket.once('close', () => resolve(answer.includes('+PONG')))
  })
}
