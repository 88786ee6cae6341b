import { BrokerError, toBrokerError } from '../errors.ts'

/** Errors of the client, recognised by name and type: its classes are loaded only with it. */
export function toKafkaError(error: unknown, where: string): BrokerError {
  if (error instanceof BrokerError) return error
  for (const { name, type, message } of causes(error)) {
    if (name === 'KafkaJSSASLAuthenticationError') {
      return new BrokerError('unauthorized', `${where} refused user or password; check them, and how they are shown`)
    }
    if (name === 'KafkaJSNotImplemented') return new BrokerError('refused', `Messages can't be read: ${message}`)
    const known = type === undefined ? undefined : byType(type, message ?? type)
    if (known !== undefined) return known
  }
  return toBrokerError({ message: (error as Error).message }, where)
}

/** The client tells of a connection that failed, but not why; the socket knew. */
export function withSocketError(error: unknown, socketError: unknown, where: string): BrokerError {
  const told = toKafkaError(error, where)
  if (told.code !== 'unreachable' || socketError === undefined) return told
  const known = toBrokerError(socketError, where)
  return known.isTransient ? told : known
}

type Cause = Error & { readonly type?: string }

/** The client wraps its errors several times over. */
function causes(error: unknown): Cause[] {
  const found: Cause[] = []
  for (let at = error; at instanceof Error && found.length < 10; at = at.cause) found.push(at)
  return found
}

function byType(type: string, message: string): BrokerError | undefined {
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') {
    return new BrokerError('not_found', 'There is no such topic; create it or correct its name')
  }
  if (type.endsWith('_AUTHORIZATION_FAILED') || type === 'SASL_AUTHENTICATION_FAILED') {
    return new BrokerError('unauthorized', `Kafka refused: ${message}`)
  }
  if (type === 'MESSAGE_TOO_LARGE' || type === 'RECORD_LIST_TOO_LARGE') {
    return new BrokerError('too_large', `Kafka refused: ${message}`)
  }
  // What the client itself asks at the wrong moment, as it may while a group is shared out anew, is asked again.
  if (type === 'INVALID_REQUEST') return undefined
  return type.startsWith('INVALID_') ? new BrokerError('invalid', `Kafka refused: ${message}`) : undefined
}
