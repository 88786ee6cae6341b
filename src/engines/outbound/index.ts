import { lookup as systemLookup } from 'node:dns/promises'
import { type Clock, systemClock } from '../clock.ts'
import { createAllowList } from './allow-list.ts'
import { Deadline, type Limit } from './deadline.ts'
import { OutboundError, toOutboundError } from './errors.ts'
import { requestHeaders } from './headers.ts'
import type { Pools } from './pools.ts'
import { type Lookup, resolveHost } from './resolver.ts'
import { type OutboundResponse, toResponse } from './response.ts'
import { parseEndpoint, parseTarget } from './target.ts'

export { OutboundError, type OutboundErrorCode } from './errors.ts'
export { refusedHeader } from './headers.ts'
export { parseHost } from './host.ts'
export type { Lookup } from './resolver.ts'
export type { OutboundResponse } from './response.ts'

/**
 * The one way to call an address that a user gave. A name is looked up first and refused if any of its addresses may
 * not be called; the connection goes to the address that was checked. Failures are `OutboundError`s.
 */
export interface Outbound {
  /** An HTTP call. Resolves with the headers, whatever the status; follows no redirect and uses no proxy. */
  request(url: string, options?: OutboundRequest): Promise<OutboundResponse>
  /**
   * For drivers that open their own sockets (databases, brokers, SMTP): the checked address to connect to. The driver
   * gets this address and never the name, or the check is worth nothing.
   */
  resolve(host: string, port: number): Promise<{ address: string; family: 4 | 6 }>
  /** Ends the calls under way with `aborted`, and all connections. */
  close(): Promise<void>
}

export interface OutboundRequest {
  /** `GET` unless given. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The limit from the look-up of the name to the last byte of the body; 30 s unless given. */
  readonly timeoutMs?: number
  /** 10 MiB unless given; reading more fails with `too_large`. */
  readonly maxResponseBytes?: number
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  readonly ca?: string | undefined
  readonly signal?: AbortSignal
}

export interface OutboundSettings {
  readonly allowPrivateNetworks: boolean
  /** Hosts (`host`, `*.suffix`, each with or without `:port`) and CIDR ranges that may be private. */
  readonly allowedHosts: readonly string[]
  readonly lookup?: Lookup
  readonly clock?: Clock
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_RESPONSE_BYTES = 10 * 1024 * 1024
const RESOLVE_TIMEOUT_MS = 10_000

export function createOutbound(settings: OutboundSettings): Outbound {
  const { allowPrivateNetworks, clock = systemClock, lookup = (name) => systemLookup(name, { all: true }) } = settings
  const policy = { allowPrivateNetworks, allows: createAllowList(settings.allowedHosts) }
  let pools: Promise<Pools> | undefined
  const calls = new Set<Deadline>()
  let closed = false

  const begin = (limit: Limit): Deadline => {
    if (closed) throw shuttingDown()
    return new Deadline(clock, limit, calls)
  }

  /** Opened with the first call: the HTTP library takes long to load, and most pipeline processes make no calls. */
  const openPools = () => {
    pools ??= import('./pools.ts').then(({ Pools }) => new Pools(clock))
    return pools
  }

  return {
    async request(url, options = {}) {
      const target = parseTarget(url)
      const { where } = target
      const headers = requestHeaders(options.headers ?? {})
      const deadline = begin({ timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal: options.signal, where })
      try {
        const address = await resolveHost(target.host, target.port, { policy, lookup, deadline })
        const method = options.method?.toUpperCase() ?? 'GET'
        const request = { method, headers, body: options.body ?? null }
        const { ca } = options
        const data = await (await openPools()).request({ target, address, ca }, request, deadline)
        const maxBytes = options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES
        return toResponse(data, { maxBytes, address: address.toString(), where, deadline })
      } catch (error) {
        deadline.end()
        throw toOutboundError(error, where)
      }
    },

    async resolve(hostText, port) {
      const { host, where } = parseEndpoint(hostText, port)
      const deadline = begin({ timeoutMs: RESOLVE_TIMEOUT_MS, where })
      try {
        const address = await resolveHost(host, port, { policy, lookup, deadline })
        return { address: address.toString(), family: address.kind() === 'ipv4' ? 4 : 6 }
      } finally {
        deadline.end()
      }
    },

    async close() {
      closed = true
      for (const deadline of calls) deadline.abort(shuttingDown())
      await (await pools)?.close()
    }
  }
}

function shuttingDown(): OutboundError {
  return new OutboundError('aborted', 'The server is shutting down and makes no more calls; try again later')
}
