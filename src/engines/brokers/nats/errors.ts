import { BrokerError, toBrokerError } from '../errors.ts'

/** Errors of the client, recognised by name: its classes are loaded only with it. */
export function toNatsError(error: unknown, where: string): BrokerError {
  if (error instanceof BrokerError) return error
  const { name, message } = error as { name?: unknown; message: string }
  const cause = (error as { cause?: unknown }).cause
  switch (name) {
    case 'AuthorizationError':
    case 'UserAuthenticationExpiredError':
    case 'PermissionViolationError':
      return new BrokerError('unauthorized', `${where} refused (${message}); check user, password and rights`)
    case 'StreamNotFoundError':
      return new BrokerError('not_found', 'There is no such stream; create it or correct its name')
    case 'ConsumerNotFoundError':
      return new BrokerError('unreachable', 'The consumer was deleted on the server')
    case 'JetStreamNotEnabled':
      return new BrokerError('refused', `${where} has no JetStream; turn it on, or leave the stream out`)
    case 'InvalidSubjectError':
    case 'InvalidArgumentError':
    case 'InvalidNameError':
      return new BrokerError('invalid', `${where} can't be asked for that: ${message}`)
    case 'JetStreamApiError':
      return new BrokerError('refused', `${where} refused: ${message}`)
    case 'ConnectionError':
      return toBrokerError(cause ?? error, where)
    default:
      return toBrokerError(error, where)
  }
}
