import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { missingPrograms } from './installed.ts'
import { runProgram, type Service, startService } from './service.ts'

export interface Mosquitto {
  readonly host: '127.0.0.1'
  readonly port: number
  /** Saves everything now; otherwise it does so only at an orderly end, and SIGKILL loses what came since. */
  save(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port, with the saved sessions and messages; a running broker is killed first. */
  restart(): Promise<void>
}

export interface MosquittoOptions {
  /** The only user that may connect; without it everybody may. */
  readonly user?: string
  readonly password?: string
  /** As PEM; without it connections are plain. */
  readonly certificate?: { readonly key: string; readonly cert: string }
  /** 1 MiB unless given. */
  readonly maxPacketBytes?: number
}

export function missingMosquitto(): string | undefined {
  return missingPrograms('mosquitto', 'mosquitto_passwd')
}

/** An MQTT broker that keeps its sessions in a folder below this one, saved by `save` and `stop`. */
export async function startMosquitto(parent: string, options: MosquittoOptions = {}): Promise<Mosquitto> {
  const folder = join(parent, 'mosquitto')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const config = join(folder, 'mosquitto.conf')
  writeFileSync(config, mosquittoConfig(folder, port, options))
  if (options.user !== undefined) {
    const passwords = join(folder, 'passwords')
    const args = ['-c', '-b', passwords, options.user, options.password ?? '']
    await runProgram({ command: 'mosquitto_passwd', args, folder })
  }
  const launch = () => startService({ command: 'mosquitto', args: ['-c', config], folder }, () => accepts(port))
  let service: Service = await launch()
  return {
    host: '127.0.0.1',
    port,
    save: () => save(folder),
    stop: (signal) => service.stop(signal),
    async restart() {
      await service.stop('SIGKILL')
      service = await launch()
    }
  }
}

/** The broker keeps the user that it is started as, who owns the folder. Long queues are not cut. */
function mosquittoConfig(folder: string, port: number, options: MosquittoOptions): string {
  const { user, certificate, maxPacketBytes = 1024 * 1024 } = options
  const lines = [
    `user ${userInfo().username}`,
    `listener ${port} 127.0.0.1`,
    user === undefined ? 'allow_anonymous true' : `allow_anonymous false\npassword_file ${join(folder, 'passwords')}`,
    'persistence true',
    `persistence_location ${folder}/`,
    `pid_file ${join(folder, 'pid')}`,
    'max_queued_messages 0',
    'max_queued_bytes 0',
    `max_packet_size ${maxPacketBytes}`
  ]
  if (certificate !== undefined) {
    for (const [name, text] of Object.entries(certificate)) writeFileSync(join(folder, `${name}.pem`), text)
    lines.push(`certfile ${join(folder, 'cert.pem')}`, `keyfile ${join(folder, 'key.pem')}`)
  }
  return `${lines.join('\n')}\n`
}

async function accepts(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
  return true
}

async function save(folder: string): Promise<void> {
  const file = join(folder, 'mosquitto.db')
  const before = statSync(file, { throwIfNoEntry: false })
  process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGUSR1')
  // The broker writes under another name and renames.
  await eventually(() => {
    const now = statSync(file, { throwIfNoEntry: false })
    return now !== undefined && (now.ino !== before?.ino || now.mtimeMs !== before.mtimeMs)
  })
}
