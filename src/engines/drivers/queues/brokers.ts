import { BrokerError, type BrokerKind, type BrokerSettings } from '../../brokers/index.ts'
import type { Outbound } from '../../outbound/index.ts'
import { tlsError, unencrypted } from '../common/tls.ts'
import { SourceError } from '../errors.ts'
import { touch } from '../reach.ts'
import type { QueueSettings } from './settings.ts'

/** The settings of a queue as `engines/brokers` takes them. */
export function brokerSettings(
  kind: BrokerKind,
  { host, port, tls, ca, user, password }: QueueSettings
): BrokerSettings {
  return {
    kind,
    hosts: [host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`],
    tls,
    ...(ca !== undefined && { ca }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password })
  }
}

const TOUCH_MS = 5000

/** Connects. A broker that knows no encryption hangs up or stays silent: then its port takes connections all the same. */
export async function connectBroker<C>(
  { host, port, tls }: QueueSettings,
  outbound: Outbound,
  connect: () => Promise<C>
): Promise<C> {
  try {
    return await connect()
  } catch (error) {
    if (!tls || !(error instanceof BrokerError && error.isTransient)) throw error
    const { address } = await outbound.resolve(host, port)
    await touch(address, port, AbortSignal.timeout(TOUCH_MS))
    throw unencrypted()
  }
}

/** What an error of `engines/brokers` means for whoever gave the configuration; any other stays what it is. */
export function fromBroker(error: unknown): unknown {
  if (!(error instanceof BrokerError)) return error
  const { code, message, reason } = error
  const isTls = tlsError(reason)
  if (isTls !== undefined) return isTls
  if (reason === 'refused_by_policy' || reason === 'unknown_host') return new SourceError(reason, message, '/host')
  switch (code) {
    case 'unauthorized':
      return new SourceError('wrong_credentials', message, '/password')
    case 'not_found':
      return new SourceError('not_found', message)
    case 'unreachable':
      return reason === 'ECONNREFUSED'
        ? new SourceError('unreachable', message, '/port')
        : new SourceError('unavailable', message, '/host')
    case 'closed':
      return new SourceError('unavailable', message)
    default:
      return new SourceError('bad_request', message)
  }
}
