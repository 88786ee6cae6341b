import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Clock } from '../clock.ts'
import type { Address } from './address.ts'
import { OutboundError, toOutboundError } from './errors.ts'
import type { Target } from './target.ts'

/** A connection that nobody waits for any more ends after this; callers have deadlines of their own. */
const CONNECT_LIMIT_MS = 60_000

/** Where connections go, and who is trusted there in place of the usual authorities. */
export interface Pinned {
  readonly target: Target
  readonly address: Address
  readonly ca?: string | undefined
}

/**
 * Opens connections to this one address and never looks up a name, so what was checked is what is called. The name
 * still goes into the TLS greeting and is the one the certificate must be for.
 */
export class PinnedConnector {
  readonly #pinned: Pinned
  readonly #clock: Clock
  readonly #unfinished = new Set<(error: unknown) => void>()

  constructor(pinned: Pinned, clock: Clock) {
    this.#pinned = pinned
    this.#clock = clock
  }

  readonly connect: buildConnector.connector = (_options, callback) => {
    const { target } = this.#pinned
    const socket = open(this.#pinned)
    let reached = false
    const finish = (...result: Parameters<typeof callback>) => {
      if (!this.#unfinished.delete(fail)) return
      cancelLimit()
      callback(...result)
    }
    const fail = (error: unknown) => {
      finish(reached && target.secure ? tlsError(error, target) : toOutboundError(error, target.where), null)
      socket.destroy()
    }
    this.#unfinished.add(fail)
    const cancelLimit = this.#clock.after(CONNECT_LIMIT_MS, () => fail({ code: 'ETIMEDOUT' }))
    // The listener stays: an error on a socket without a listener would end the process.
    socket.on('error', fail)
    socket.once('close', () => fail({ code: 'ECONNRESET' }))
    socket.once('connect', () => {
      reached = true
    })
    socket.once(target.secure ? 'secureConnect' : 'connect', () => finish(null, socket))
  }

  /** Gives up connections that are still being made; the pool knows only finished ones. */
  abandon(): void {
    for (const fail of this.#unfinished) fail({ code: 'UND_ERR_DESTROYED' })
  }
}

function open({ target, address, ca }: Pinned): Socket | TLSSocket {
  const where = { host: address.toString(), port: target.port, noDelay: true }
  if (!target.secure) return connectTcp(where)
  return connectTls({
    ...where,
    servername: target.host.address === undefined ? target.host.text : '',
    ALPNProtocols: ['http/1.1'],
    ...(ca !== undefined && { ca }),
    // Stated explicitly, because an environment variable could turn it off.
    rejectUnauthorized: true
  })
}

function tlsError(error: unknown, { where }: Target): OutboundError {
  const reason = String((error as { code?: unknown }).code ?? 'no code')
  if (reason === 'ETIMEDOUT' || reason === 'UND_ERR_DESTROYED') return toOutboundError(error, where)
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const message = `The certificate of ${where} is for another name; use the name it was issued for`
    return new OutboundError('tls', message, reason)
  }
  if (reason === 'CERT_HAS_EXPIRED') {
    return new OutboundError('tls', `The certificate of ${where} has expired; have it renewed there`, reason)
  }
  return new OutboundError(
    'tls',
    `No secure connection to ${where} (${reason}); check its certificate, and that the port speaks HTTPS`,
    reason
  )
}
