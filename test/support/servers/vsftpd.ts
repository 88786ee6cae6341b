import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Certificate, selfSigned } from '../../../src/engines/outbound/testing/certificate.ts'
import { freePort } from '../free-port.ts'
import { descendantsOf, killAll } from './descendants.ts'
import { missingPrograms } from './installed.ts'
import { type Service, startService } from './service.ts'

export interface Vsftpd {
  readonly host: 'localhost'
  readonly port: number
  readonly user: 'anonymous'
  readonly password: string
  /** Its certificate, which nobody vouches for. */
  readonly ca: string
  /** Starts it again with another certificate. */
  present(certificate: Certificate): Promise<void>
  /** Where its files may be put. */
  readonly files: string
  stop(): Promise<void>
  /** Ends all of it at once, as if the machine had died, and starts it again. */
  restart(): Promise<void>
}

/** It gives up root's rights by itself, and does not start without. */
export const missingVsftpd = (): string | undefined =>
  missingPrograms('vsftpd') ?? (process.getuid?.() === 0 ? undefined : 'vsftpd has to be started by root')

const PASSWORD = 'ftp-secret-1'

/** An FTP server that encrypts where it is asked to, and lets in who knows the password. */
export async function startVsftpd(parent: string): Promise<Vsftpd> {
  const folder = join(parent, 'vsftpd')
  const files = join(parent, 'files')
  for (const path of [folder, join(folder, 'empty'), files]) mkdirSync(path, { recursive: true })
  for (const path of [parent, folder, files]) chmodSync(path, 0o755)
  const put = ({ key, cert }: Certificate) => writeFileSync(join(folder, 'pair.pem'), `${key}${cert}`)
  const first = selfSigned('localhost')
  put(first)
  writeFileSync(join(folder, 'passwords'), `${PASSWORD}\n`)
  const port = await freePort()
  const config = join(folder, 'vsftpd.conf')
  writeFileSync(config, configOf(folder, files, port))
  const launch = () => startService({ command: '/usr/sbin/vsftpd', args: [config], folder }, () => greets(port))
  let service: Service = await launch()
  const end = async () => {
    const all = descendantsOf(config)
    await service.stop('SIGKILL')
    killAll(all)
  }
  const restart = async () => {
    await end()
    service = await launch()
  }
  return {
    host: 'localhost',
    port,
    user: 'anonymous',
    password: PASSWORD,
    ca: first.cert,
    files,
    stop: end,
    restart,
    async present(certificate) {
      put(certificate)
      await restart()
    }
  }
}

function configOf(folder: string, files: string, port: number): string {
  return `background=NO
listen=YES
listen_address=127.0.0.1
listen_port=${port}
anonymous_enable=YES
local_enable=NO
secure_email_list_enable=YES
email_password_file=${folder}/passwords
anon_root=${files}
ftp_username=ftp
secure_chroot_dir=${folder}/empty
seccomp_sandbox=NO
isolate=NO
isolate_network=NO
ssl_enable=YES
ssl_ciphers=HIGH
allow_anon_ssl=YES
force_anon_logins_ssl=NO
force_anon_data_ssl=NO
rsa_cert_file=${folder}/pair.pem
rsa_private_key_file=${folder}/pair.pem
xferlog_enable=NO
`
}

/** A probe: whether it says that it is ready. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const answer = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('data', (data) => answer(data.toString().startsWith('220')))
    socket.once('error', () => answer(false))
    socket.once('end', () => answer(false))
  })
}
