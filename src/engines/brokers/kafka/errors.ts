import { OutboundError } from '../../outbound/errors.ts'
import { BrokerError, toBrokerError } from '../errors.ts'

/** An error of the client, recognised by code and name of the answer: its classes are loaded only with it. */
interface Cause extends Error {
  readonly code?: string
  readonly apiId?: string
  readonly serverErrorMessage?: string | null
  readonly errors?: readonly unknown[]
}

const MOST_CAUSES = 50

export function toKafkaError(error: unknown, where: string): BrokerError {
  const causes = causesOf(error)
  for (const cause of causes) {
    const known = toKnown(cause, where)
    if (known !== undefined) return known
  }
  const answered = causes.findLast(({ apiId }) => apiId !== undefined)
  if (answered !== undefined) {
    const said = answered.serverErrorMessage ?? answered.message
    return new BrokerError('unreachable', `${where} answers with an error: ${said} (${answered.apiId})`)
  }
  const last = causes.findLast(({ code }) => code !== undefined && !code.startsWith('PLT_KFK_')) ?? causes.at(-1)
  return toBrokerError(last?.code?.startsWith('PLT_KFK_') ? { message: last.message } : (last ?? error), where)
}

/** Whether the connection failed, rather than that Kafka answered with an error. */
export function isConnectionFault(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === 'PLT_KFK_NETWORK')
}

export function hasAnswer(error: unknown, apiId: string): boolean {
  return causesOf(error).some((cause) => cause.apiId === apiId)
}

/**
 * The errors within an error, the outer ones first: the client wraps them in each other, and collects those of its
 * attempts.
 */
function causesOf(error: unknown): Cause[] {
  const found: Cause[] = []
  const add = (one: unknown) => {
    if (!(one instanceof Error) || found.length >= MOST_CAUSES) return
    const cause = one as Cause
    found.push(cause)
    for (const other of cause.errors ?? []) add(other)
    add(cause.cause)
  }
  add(error)
  return found
}

function toKnown(cause: Cause, where: string): BrokerError | undefined {
  if (cause instanceof BrokerError) return cause
  if (cause instanceof OutboundError) {
    const told = toBrokerError(cause, where)
    return told.isTransient ? undefined : told
  }
  switch (cause.code) {
    case 'PLT_KFK_AUTHENTICATION':
      // The client reports this too where the connection was lost during it.
      if (isConnectionFault(cause.cause)) return undefined
      return new BrokerError('unauthorized', `${where} refused user or password; check them, and how they are shown`)
    case 'PLT_KFK_UNSUPPORTED_COMPRESSION':
      return new BrokerError('refused', `Messages can't be read: ${cause.message}`)
    case 'PLT_KFK_UNSUPPORTED_API':
      return new BrokerError('refused', `${where} is too old a Kafka, or none: ${cause.message}`)
    case 'PLT_KFK_USER':
      if (cause.message.startsWith('Unknown topic')) return missingTopic()
      if (cause.message !== 'Broker requires TLS.') return undefined
      return new BrokerError('refused', `${where} wants TLS; turn it on`, 'ERR_TLS_REQUIRED')
  }
  return cause.apiId === undefined ? undefined : byAnswer(cause.apiId, cause.serverErrorMessage ?? cause.message)
}

function missingTopic(): BrokerError {
  return new BrokerError('not_found', 'There is no such topic; create it or correct its name')
}

function byAnswer(apiId: string, message: string): BrokerError | undefined {
  if (apiId === 'UNKNOWN_TOPIC_OR_PARTITION') return missingTopic()
  if (apiId.endsWith('_AUTHORIZATION_FAILED') || apiId === 'SASL_AUTHENTICATION_FAILED') {
    return new BrokerError('unauthorized', `Kafka refused: ${message}`)
  }
  if (apiId === 'MESSAGE_TOO_LARGE' || apiId === 'RECORD_LIST_TOO_LARGE') {
    return new BrokerError('too_large', `Kafka refused: ${message}`)
  }
  // The client itself may ask at the wrong moment, as during a rebalance; then it asks again.
  if (apiId === 'INVALID_REQUEST' || apiId.startsWith('INVALID_FETCH_SESSION')) return undefined
  return apiId.startsWith('INVALID_') ? new BrokerError('invalid', `Kafka refused: ${message}`) : undefined
}
