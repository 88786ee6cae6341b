import type { Clock } from '../../../clock.ts'
import type { Outgoing, Signer } from '../outgoing.ts'
import type { Account, Token } from './account.ts'

interface TokenSource {
  readonly clock: Clock
  /** The account of the credentials; throws what is missing of them. */
  account(): Account
  /** Asks the service for a token. */
  ask(account: Account, signal: AbortSignal): Promise<Token>
  /** Done before a token is used, whoever asked for it. */
  before?(account: Account): Promise<void>
  /** The request with the token. */
  put(request: Outgoing, token: string): Outgoing
}

/** Signs with a token that the service gives, for as long as that is good. */
export function tokenSigner({ clock, account, ask, before, put }: TokenSource): Signer {
  const signedWith = new WeakMap<Outgoing, string>()
  let known: Account | undefined
  return {
    async sign(request, signal) {
      known ??= account()
      const own = known
      const token = await own.take(clock.now(), signal, (limit) => ask(own, limit))
      await before?.(own)
      const signed = put(request, token)
      signedWith.set(signed, token)
      return signed
    },
    renew(refused) {
      known?.forget(refused && signedWith.get(refused))
      return true
    }
  }
}
