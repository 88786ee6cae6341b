import { isIP } from 'node:net'
import type { SMTPConnectionOptions, SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import type { Clock } from '../../clock.ts'
import { OutboundError } from '../../outbound/index.ts'
import type { EmailConfig } from '../configs.ts'

/** For each step, and for all of them together: servers that doubt a sender let it wait. */
const STEP_TIMEOUT_MS = 10_000
const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 64 * 1024

interface Submission {
  readonly config: EmailConfig
  /** The one that was checked; the name goes into the TLS greeting alone. */
  readonly address: string
  readonly port: number
  readonly mail: Buffer
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** Hands one mail to a server; rejects with an error of nodemailer, or an `OutboundError` where it was ended. */
export async function submit({
  config,
  address,
  port,
  mail,
  signal,
  clock
}: Submission): Promise<SMTPConnectionSendInfo> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection({ ...options(config), host: address, port })
  const { promise, resolve, reject } = Promise.withResolvers<SMTPConnectionSendInfo>()
  // The listener stays: an error without a listener would end the process.
  connection.on('error', reject)
  const end = (code: 'aborted' | 'timeout', message: string) => reject(new OutboundError(code, message))
  const onAbort = () => end('aborted', `The mail to ${config.host}:${port} was cancelled`)
  const cancelLimit = clock.after(TIMEOUT_MS, () =>
    end('timeout', `${config.host}:${port} took no mail within ${TIMEOUT_MS} ms; check that it is up`)
  )
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  const hand = () => {
    const envelope = { from: config.from, to: [...config.to], size: mail.length }
    connection.send(envelope, mail, (error, info) => (error ? reject(error) : resolve(info)))
  }
  connection.connect((error) => {
    if (error) return reject(error)
    if (config.user === undefined) return hand()
    const credentials = { user: config.user, pass: config.password ?? '' }
    connection.login({ credentials }, (refusal) => (refusal ? reject(refusal) : hand()))
  })
  try {
    const info = await promise
    connection.quit()
    return info
  } catch (error) {
    connection.close()
    throw error
  } finally {
    cancelLimit()
    signal.removeEventListener('abort', onAbort)
  }
}

function options({ host, tls }: EmailConfig): SMTPConnectionOptions {
  return {
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    opportunisticTLS: tls === 'opportunistic',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // Where encryption is taken if it is there, no certificate is asked for: without any, nobody is known either.
    tls: { rejectUnauthorized: tls !== 'opportunistic', minVersion: 'TLSv1.2' },
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    maxResponseSize: MAX_ANSWER_BYTES
  }
}
