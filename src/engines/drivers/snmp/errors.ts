import snmp from 'net-snmp'
import { SourceError } from '../errors.ts'

const { RequestTimedOutError, RequestFailedError, ResponseInvalidError, ErrorStatus, ResponseInvalidCode } = snmp

/** Whether the agent says that its answer would not fit a packet. */
export const isTooBig = (error: unknown): boolean =>
  error instanceof RequestFailedError && error.status === ErrorStatus.TooBig

/** Whether something answered, and be it with a refusal. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof RequestFailedError || error instanceof ResponseInvalidError

/** What went wrong with a question; texts of the library may hold the community, and are not shown. */
export function fromSnmp(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  if (error instanceof RequestTimedOutError)
    return new SourceError(
      'unreachable',
      'Nothing answered. Check the address, that UDP gets through, and the community or user: agents are silent where these are wrong',
      '/host'
    )
  if (error instanceof RequestFailedError) return fromStatus(error.status)
  if (error instanceof ResponseInvalidError) return fromInvalid(error)
  return new SourceError('unavailable', 'The question could not be sent; check the network and the OIDs')
}

function fromStatus(status: number): SourceError {
  if (status === ErrorStatus.AuthorizationError || status === ErrorStatus.NoAccess)
    return new SourceError(
      'missing_permission',
      'The agent denies access; its view for this user has to include the OIDs'
    )
  if (status === ErrorStatus.NoSuchName)
    return new SourceError('not_found', 'The agent has nothing by one of the names; check the OIDs')
  return new SourceError('unavailable', `The agent failed to answer (error ${status}); see its log`)
}

function fromInvalid({ code, message }: Error & { readonly code: number }): SourceError {
  const wrong = (pointer: string, text: string) => new SourceError('wrong_credentials', text, pointer)
  if (code === ResponseInvalidCode.EAuthFailure) {
    if (message.startsWith('Unknown User')) return wrong('/user', 'The agent knows no such user')
    if (message.startsWith('Unsupported Security'))
      return wrong(
        '/privacyPassword',
        'The user has to sign in in another way: with or without passwords, or another cipher'
      )
    if (message.startsWith('Decryption'))
      return wrong('/privacyPassword', 'The privacy password or the cipher is wrong')
    return wrong('/password', 'The password or the digest is wrong')
  }
  if (code === ResponseInvalidCode.ECouldNotDecrypt)
    return wrong('/privacyPassword', 'The privacy password or the cipher is wrong')
  if (code === ResponseInvalidCode.EOutOfOrder)
    return new SourceError('unavailable', 'The agent answers names out of order, and a walk would never end')
  return new SourceError('unavailable', 'What the agent answers does not fit what it was asked; try again')
}
