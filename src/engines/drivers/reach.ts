import { connect } from 'node:net'
import { OutboundError } from '../outbound/errors.ts'
import type { Outbound } from '../outbound/index.ts'
import { tlsError } from './common/tls.ts'
import { SourceError } from './errors.ts'
import type { Step } from './index.ts'

const CONNECT_LIMIT_MS = 10_000

interface Endpoint {
  readonly host: string
  readonly port: number
}

type Resolved = { readonly address: string } | { readonly error: OutboundError }

/** The steps that every system on a network begins with: its name, whether it may be called, whether something is there. */
export function reachSteps({ host, port }: Endpoint, outbound: Outbound): Step[] {
  let asked: Promise<Resolved> | undefined
  const resolved = () => {
    asked ??= outbound.resolve(host, port).catch((error) => {
      if (error instanceof OutboundError) return { error }
      throw error
    })
    return asked
  }
  return [
    {
      name: 'resolve',
      async run() {
        const found = await resolved()
        if ('error' in found && found.error.code !== 'refused_by_policy') throw fromOutbound(found.error)
        return `${host} has an address`
      }
    },
    {
      name: 'policy',
      async run() {
        const found = await resolved()
        if ('error' in found) throw fromOutbound(found.error)
        return 'Calls to it are permitted'
      }
    },
    {
      name: 'connect',
      async run(signal) {
        const found = await resolved()
        if ('error' in found) throw fromOutbound(found.error)
        await touch(found.address, port, signal)
        return `Something accepts connections at port ${port}`
      }
    }
  ]
}

/** Opens a connection and closes it; throws `unreachable` where nothing takes it. */
export async function touch(address: string, port: number, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_LIMIT_MS)])
  const socket = connect({ host: address, port })
  try {
    await new Promise<void>((resolve, reject) => {
      limit.addEventListener('abort', () => reject(limit.reason), { once: true })
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
  } catch (error) {
    signal.throwIfAborted()
    throw unreachable(port, (error as { code?: unknown }).code)
  } finally {
    socket.destroy()
  }
}

function unreachable(port: number, code: unknown): SourceError {
  if (code === 'ECONNREFUSED') {
    return new SourceError(
      'unreachable',
      `Nothing accepts connections at port ${port}; check the port, and that it is up`,
      '/port'
    )
  }
  if (typeof code === 'string') {
    return new SourceError('unreachable', `No network path leads there (${code}); check the address`, '/host')
  }
  return new SourceError(
    'unreachable',
    `Nothing answered within ${CONNECT_LIMIT_MS / 1000} s; a firewall may be in the way`,
    '/host'
  )
}

export function fromOutbound({ code, message, reason }: OutboundError): SourceError {
  switch (code) {
    case 'refused_by_policy':
      return new SourceError('refused_by_policy', message, '/host')
    case 'unknown_host':
    case 'bad_url':
      return new SourceError('unknown_host', message, '/host')
    case 'tls':
      return tlsError(reason) ?? new SourceError('tls_failed', message, '/tls')
    case 'timeout':
      return new SourceError('timeout', message, '/host')
    case 'connection_refused':
      return new SourceError('unreachable', message, '/port')
    case 'unreachable':
      return new SourceError('unreachable', message, '/host')
    default:
      return new SourceError('unavailable', message)
  }
}
