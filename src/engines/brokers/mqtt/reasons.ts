import { BrokerError } from '../errors.ts'

/** The error for a reason code of MQTT 5; `what` says what was asked for. Undefined if the code is no refusal. */
export function refusal(code: unknown, what: string, reason: string): BrokerError | undefined {
  if (typeof code !== 'number' || code < 0x80) return undefined
  switch (code) {
    case 0x86:
    case 0x87:
    case 0x8a:
    case 0x8c:
      return new BrokerError('unauthorized', `${what} was refused (${reason}); check user, password and rights`)
    case 0x8f:
    case 0x90:
    case 0xa2:
      return new BrokerError('invalid', `${what} was refused (${reason}); check the topic`)
    case 0x95:
      return new BrokerError('too_large', `${what} was refused: the message is larger than the broker takes`)
    case 0x88:
    case 0x89:
    case 0x8b:
    case 0x8d:
    case 0x8e:
    case 0x93:
    case 0x96:
    case 0x97:
    case 0x98:
    case 0x9f:
      return new BrokerError('unreachable', `${what} failed for now (${reason})`)
    default:
      return new BrokerError('refused', `${what} was refused (${reason})`)
  }
}
