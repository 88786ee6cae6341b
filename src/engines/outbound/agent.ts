import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Outbound } from './index.ts'

interface Target {
  readonly host?: string | null
  readonly port?: number | string | null
  readonly servername?: string
}

interface Limits {
  readonly maxSockets: number
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  readonly ca?: string | undefined
}

type Created = (error: Error | null, socket?: Duplex) => void

/**
 * For vendors' clients that bring their own HTTP but let the connections be made by somebody else: the same checks as
 * a call of our own, for every connection. A name that is refused fails the request with an `OutboundError`.
 */
export function guardedAgents(outbound: Pick<Outbound, 'resolve'>, limits: Limits) {
  const { maxSockets, ca } = limits
  const options = { keepAlive: true, maxSockets, maxFreeSockets: 16, timeout: 60_000 }

  function create(target: Target, created: Created, open: (address: string, name: string) => Socket): undefined {
    const name = target.host ?? ''
    outbound.resolve(name.replace(/^\[|\]$/g, ''), Number(target.port)).then(
      ({ address }) => created(null, open(address, name)),
      (error: Error) => created(error)
    )
  }

  class GuardedHttpAgent extends HttpAgent {
    override createConnection(target: Target, created: Created): undefined {
      return create(target, created, (address) => connectTcp({ ...target, host: address } as never))
    }
  }

  class GuardedHttpsAgent extends HttpsAgent {
    override createConnection(target: Target, created: Created): undefined {
      return create(target, created, (address, name) => {
        const servername = target.servername ?? (isIP(name) === 0 ? name : '')
        return connectTls({ ...target, host: address, servername } as never)
      })
    }
  }

  const http = new GuardedHttpAgent(options)
  const https = new GuardedHttpsAgent({ ...options, ...(ca !== undefined && { ca }) })
  return {
    http,
    https,
    close() {
      http.destroy()
      https.destroy()
    }
  }
}

export type GuardedAgents = ReturnType<typeof guardedAgents>
