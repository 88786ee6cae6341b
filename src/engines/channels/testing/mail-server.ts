import type { TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { selfSigned } from '../../outbound/testing/certificate.ts'
import { listen } from '../../outbound/testing/servers.ts'

export interface Mail {
  readonly from: string
  readonly to: string[]
  readonly isEncrypted: boolean
  readonly user: string | undefined
  readonly raw: string
  read(): Promise<Email>
}

const TRUSTED = selfSigned('mail.example')

/** A mail server with a certificate for `mail.example`, trusted if `trusted`, that keeps what it takes. */
export async function serveMail(t: TestContext, settings: SMTPServerOptions & { trusted?: boolean } = {}) {
  const { trusted = false, ...options } = settings
  const certificate = trusted ? TRUSTED : selfSigned('mail.example')
  const mails: Mail[] = []
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    logger: false,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) => {
      if (password === 'right "password"') done(null, { user: username ?? '' })
      else done(refusal(535, `No ${password} ${btoa(password ?? '')} ${btoa(`\0${username}\0${password}`)}`))
    },
    onData: (stream, session, done) => {
      stream.toArray().then((chunks) => {
        const raw = Buffer.concat(chunks)
        mails.push({
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          user: session.user,
          raw: raw.toString(),
          read: () => PostalMime.parse(raw)
        })
        done()
      }, done)
    },
    ...options
  })
  server.on('error', () => {})
  t.after(() => server.close())
  if (trusted) trust(t)
  const { port } = await listen(server.server, {})
  return { port, mails }
}

export const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

function trust(t: TestContext): void {
  const before = getCACertificates('default')
  if (before.some((certificate) => certificate.trim() === TRUSTED.cert.trim())) return
  setDefaultCACertificates([...before, TRUSTED.cert])
  t.after(() => setDefaultCACertificates(before))
}
