import type { Clock } from '../../../clock.ts'
import type { KeptSecrets } from '../../kept-secrets.ts'
import type { Answer, Outgoing } from '../outgoing.ts'
import type { TokenCache } from './token-cache.ts'

/** What signers need from outside. */
export interface SignNeeds {
  /** Sends a request as it is, through the guarded client, and answers whatever the status. */
  send(request: Outgoing, signal: AbortSignal): Promise<Answer>
  readonly clock: Clock
  /** Tokens that others have got with the same credentials; those of this process unless given. */
  readonly cache?: TokenCache
  /** Where a refresh token is kept that a service gave in place of the last one, which is worth nothing from then on. */
  readonly secrets?: KeptSecrets | undefined
}
