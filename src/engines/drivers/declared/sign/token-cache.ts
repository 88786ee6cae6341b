import { createHash } from 'node:crypto'
import { BoundedMap } from '../../../bounded-map.ts'
import { Account } from './account.ts'

const MAX_ACCOUNTS = 1000

/** The accounts of a process, by their credentials, of which it keeps a hash alone. */
export class TokenCache {
  readonly #accounts = new BoundedMap<string, Account>(MAX_ACCOUNTS)

  /** The account of these credentials: everything that a token depends on. */
  accountOf(credentials: readonly unknown[]): Account {
    const key = keyOf(credentials)
    const account = this.#accounts.get(key) ?? new Account()
    this.#accounts.set(key, account)
    return account
  }

  /** Has other credentials lead to the same account: those with the refresh token that came in place of the last one. */
  link(credentials: readonly unknown[], account: Account): void {
    this.#accounts.set(keyOf(credentials), account)
  }
}

/** Those of this process: a refresh token that one read has exchanged is worth nothing to the others. */
export const ownTokens = new TokenCache()

const keyOf = (credentials: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(credentials)).digest('base64url')
