import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import type { Client, ClientChannel, ConnectConfig, SFTPWrapper } from 'ssh2'
import type { Outbound } from '../../outbound/index.ts'
import type { SftpSettings } from './config.ts'
import { brokenOff, fromConnecting, fromKey } from './errors.ts'

const READY_LIMIT_MS = 20_000
const KEEP_ALIVE_MS = 15_000

export interface SftpSession {
  readonly sftp: SFTPWrapper
  /** Ends when the connection does: what is asked of it then is never answered. */
  readonly gone: AbortSignal
}

/** One connection, made when it is needed, and again after it broke off. */
export class SftpSessions {
  readonly #settings: SftpSettings
  readonly #outbound: Outbound
  #session: Promise<SftpSession & { readonly client: Client }> | undefined

  constructor(settings: SftpSettings, outbound: Outbound) {
    this.#settings = settings
    this.#outbound = outbound
  }

  get(): Promise<SftpSession> {
    if (this.#session === undefined) {
      const opening = this.#open()
      this.#session = opening
      const forget = () => {
        if (this.#session === opening) this.#session = undefined
      }
      opening.then(({ gone }) => gone.addEventListener('abort', forget, { once: true }), forget)
    }
    return this.#session
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined)
    session?.client.destroy()
  }

  async #open() {
    const settings = this.#settings
    let seen: string | undefined
    try {
      const { Client: SshClient } = (await import('ssh2')).default
      const { address } = await this.#outbound.resolve(settings.host, settings.port)
      const client = new SshClient()
      const gone = new AbortController()
      client.once('close', () => gone.abort(brokenOff()))
      const sftp = await entered(client, settings, address, (fingerprint) => {
        seen = fingerprint
      })
      return { client, sftp, gone: gone.signal }
    } catch (error) {
      throw fromConnecting(error, settings, seen)
    }
  }
}

/** Connects to the address, and enters; the key of the server is told before anything is sent that it could use. */
function entered(
  client: Client,
  settings: SftpSettings,
  address: string,
  tell: (fingerprint: string) => void
): Promise<SFTPWrapper> {
  const { port, user, password, privateKey, passphrase, hostKey } = settings
  const config: ConnectConfig = {
    sock: connect({ host: address, port, noDelay: true }),
    username: user,
    readyTimeout: READY_LIMIT_MS,
    keepaliveInterval: KEEP_ALIVE_MS,
    hostVerifier: (key: Buffer) => {
      const fingerprint = fingerprintOf(key)
      tell(fingerprint)
      return fingerprint === hostKey
    },
    ...(password !== undefined && { password, tryKeyboard: true }),
    ...(privateKey !== undefined && { privateKey }),
    ...(passphrase !== undefined && { passphrase })
  }
  return new Promise((resolve, reject) => {
    // Errors after this are told by whatever is under way; without a listener they would end the process.
    client.on('error', reject)
    client.once('close', () => reject(new Error('closed')))
    // Servers that ask for the password in words of their own.
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
      finish(prompts.map(() => password ?? ''))
    })
    client.once('ready', () => client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(error))))
    try {
      client.connect(config)
    } catch (error) {
      ;(config.sock as ClientChannel).destroy()
      reject(fromKey(error))
    }
  })
}

const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
