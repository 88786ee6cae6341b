import type { BrokerError } from '../../../brokers/index.ts'
import { toNatsError } from '../../../brokers/nats/errors.ts'
import { unencrypted } from '../../common/tls.ts'
import { SourceError } from '../../errors.ts'
import { fromBroker } from '../brokers.ts'
import type { QueueSettings } from '../settings.ts'

/** What reading asks of a server, and nothing else. */
const SUBJECTS = [
  'STREAM.LIST',
  'STREAM.INFO.*',
  'STREAM.MSG.GET.*',
  'CONSUMER.CREATE.>',
  'CONSUMER.INFO.>',
  'CONSUMER.MSG.NEXT.>',
  'CONSUMER.DELETE.>'
].map((subject) => `"$JS.API.${subject}"`)

/** Errors of the client are recognised by name: its classes are loaded only with it. */
export function toNatsSourceError(error: unknown, settings: QueueSettings): unknown {
  if (!(error instanceof Error) || error instanceof SourceError || error instanceof TypeError) return error
  if ([error, error.cause].some((one) => one instanceof Error && one.name === 'PermissionViolationError')) {
    return missingRight(settings)
  }
  if (error.name === 'JetStreamNotEnabled' || error.name === 'NoRespondersError') {
    return new SourceError('bad_request', 'The server has no JetStream for this account: turn it on there')
  }
  if (error.name === 'TimeoutError') return new SourceError('timeout', 'The server did not answer in time; try again')
  const known = toNatsError(error, `${settings.host}:${settings.port}`)
  return isAboutTls(known) ? unencrypted() : fromBroker(known)
}

/** The client has no error of its own for a server that wants encryption, or knows none. */
const isAboutTls = ({ message, reason }: BrokerError) =>
  /\btls\b.*(not available|support)|support 'tls'/i.test(reason ?? message)

function missingRight({ user = 'The user' }: QueueSettings): SourceError {
  const grant = `permissions: { publish: [${SUBJECTS.join(', ')}], subscribe: ["_INBOX.>"] }`
  return new SourceError(
    'missing_permission',
    `${user} may not read streams; the configuration of the server has to give the user: ${grant}`,
    '/user',
    [grant]
  )
}
