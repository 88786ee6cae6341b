import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { checkServerIdentity, connect as connectTls, type PeerCertificate } from 'node:tls'
import type { Outbound } from '../outbound/index.ts'

export interface Dialled {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly ca?: string | undefined
}

const KEEP_ALIVE_MS = 60_000

/**
 * A socket for clients that want one at once. The outbound engine looks up the name while it connects; the socket
 * itself gets a made-up name, since for an address Node would skip the lookup.
 */
export function openGuardedSocket({ host, port, tls, ca }: Dialled, outbound: Outbound): Socket {
  const lookup: LookupFunction = (_name, options, callback) => {
    outbound.resolve(host, port).then(
      ({ address, family }) => (options.all ? callback(null, [{ address, family }]) : callback(null, address, family)),
      (error: NodeJS.ErrnoException) => callback(error, '', 0)
    )
  }
  const target = { host: 'looked-up.invalid', port, lookup, noDelay: true, keepAlive: true }
  const socket = tls ? connectTls({ ...target, ...tlsNames(host, ca) }) : connectTcp(target)
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  return socket
}

/**
 * The name for TLS and for its certificate. An address is not sent to the server, but checked all the same. `ca` are
 * certificates of authorities, as PEM, that are trusted instead of the usual ones.
 */
export function tlsNames(host: string, ca?: string) {
  return {
    ...(ca !== undefined && { ca }),
    servername: isIP(host) === 0 ? host : '',
    checkServerIdentity: (_name: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
    rejectUnauthorized: true
  }
}
