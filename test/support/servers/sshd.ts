import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { descendantsOf, killAll } from './descendants.ts'
import { missingPrograms } from './installed.ts'
import { type Service, startService } from './service.ts'

export interface Sshd {
  readonly host: '127.0.0.1'
  readonly port: number
  /** Who may enter: with root's rights somebody without any, else whoever runs the test. */
  readonly user: string
  readonly privateKey: string
  /** Its key, as it says itself. */
  readonly fingerprint: string
  /** Where its files may be put. */
  readonly files: string
  stop(): Promise<void>
  /** Ends all of it at once, as if the machine had died, and starts it again. */
  restart(): Promise<void>
}

export const missingSshd = (): string | undefined => missingPrograms('sshd', 'ssh-keygen')

/** OpenSSH, whose users see a folder below this one. */
export async function startSshd(parent: string): Promise<Sshd> {
  const folder = join(parent, 'sshd')
  const files = join(parent, 'files')
  for (const path of [folder, files]) mkdirSync(path, { recursive: true })
  for (const path of [parent, folder, files]) chmodSync(path, 0o755)
  for (const name of ['host', 'user']) keygen(join(folder, name))
  const port = await freePort()
  const config = join(folder, 'sshd_config')
  writeFileSync(config, configOf(folder, files, port))
  writeFileSync(join(folder, 'authorized_keys'), readFileSync(join(folder, 'user.pub')))
  const isRoot = process.getuid?.() === 0
  // Where it shuts its helpers in; Debian makes it when the service starts.
  if (isRoot && !existsSync('/run/sshd')) mkdirSync('/run/sshd', { mode: 0o755 })
  const command = { command: '/usr/sbin/sshd', args: ['-D', '-e', '-f', config], folder }
  const launch = () => startService(command, () => greets(port))
  let service: Service = await launch()
  return {
    host: '127.0.0.1',
    port,
    user: isRoot ? 'nobody' : userInfo().username,
    privateKey: readFileSync(join(folder, 'user'), 'utf8'),
    fingerprint: fingerprintOf(readFileSync(join(folder, 'host.pub'), 'utf8')),
    files,
    stop: () => end(config, service),
    async restart() {
      await end(config, service)
      service = await launch()
    }
  }
}

const keygen = (path: string) => execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])

function configOf(folder: string, files: string, port: number): string {
  return `Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host
AuthorizedKeysFile ${folder}/authorized_keys
PidFile none
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
Subsystem sftp internal-sftp
ForceCommand internal-sftp -d ${files}
`
}

/** Each connection has processes of its own, which outlive the one that made them. */
async function end(config: string, service: Service): Promise<void> {
  const all = descendantsOf(config)
  await service.stop('SIGKILL')
  killAll(all)
}

function fingerprintOf(publicKey: string): string {
  const key = Buffer.from(publicKey.split(' ')[1] as string, 'base64')
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

/** A probe: whether it says what it is. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const answer = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('data', (data) => answer(data.toString().startsWith('SSH-')))
    socket.once('error', () => answer(false))
    socket.once('end', () => answer(false))
  })
}
