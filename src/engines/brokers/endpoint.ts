import { BrokerError } from './errors.ts'
import type { BrokerKind } from './index.ts'

export interface Endpoint {
  readonly host: string
  readonly port: number
  /** Host and port, for messages. */
  readonly where: string
}

const MAX_ENDPOINTS = 16

/** The port of a host that is given without one. */
export function defaultPort(kind: BrokerKind, tls: boolean): number {
  if (kind === 'mqtt') return tls ? 8883 : 1883
  return kind === 'nats' ? 4222 : 9092
}

/** `host` or `host:port`; an IPv6 address with a port is in brackets. */
export function parseEndpoints(hosts: readonly string[], usualPort: number): readonly Endpoint[] {
  if (hosts.length === 0 || hosts.length > MAX_ENDPOINTS) {
    throw new BrokerError('invalid', `Give from 1 to ${MAX_ENDPOINTS} hosts`)
  }
  return hosts.map((text) => parseEndpoint(text, usualPort))
}

function parseEndpoint(text: string, usualPort: number): Endpoint {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/@\s]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const bare = /^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$/.test(text) ? text : undefined
  const host = bracketed ?? plain ?? bare
  const portNumber = port === undefined ? usualPort : Number(port)
  if (host === undefined || portNumber < 1 || portNumber > 65_535) {
    throw new BrokerError('invalid', 'A host must be written as name, name:port, address:port or [IPv6 address]:port')
  }
  return { host, port: portNumber, where: host.includes(':') ? `[${host}]:${portNumber}` : `${host}:${portNumber}` }
}
