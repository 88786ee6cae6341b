/** Tells whom a bearer token (a JWT) speaks for. One implementation trusts an outside provider, one issues by itself. */
export interface Identity {
  /**
   * The result of an earlier `verify` of this very text, while it is still valid; undefined where it must be
   * verified. Synchronous, because it is needed for every request.
   */
  known(token: string): VerifiedToken | undefined
  /** Throws `TokenRefused`, naming the first check that failed. It waits 5 s at most for the provider. */
  verify(token: string): Promise<VerifiedToken>
  /** Every check with what it found, for administrators. A bad token or an absent provider never makes it throw. */
  explain(token: string): Promise<TokenCheck[]>
  /** Resolves while current keys are at hand, else throws what is wrong; asks the provider no more than `verify` may. */
  check(): Promise<void>
  /** Cancels requests to the provider. */
  close(): Promise<void>
}

export type Role = 'viewer' | 'editor' | 'admin'

/** The contents of a token that passed every check. Frozen: all requests with that token share it. */
export interface VerifiedToken {
  readonly issuer: string
  /** Unique within the issuer only. */
  readonly subject: string
  /** For display. Like `email`, whatever the provider let the person write, so never to be compared. */
  readonly name: string | undefined
  readonly email: string | undefined
  readonly roles: readonly Role[]
  readonly expiresAtMs: number
  readonly notBeforeMs?: number
  /** The `kid` of the key that signed it, or that key's RFC 7638 thumbprint where the provider named none. */
  readonly keyId: string
}

export type CheckName =
  | 'format'
  | 'type'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not_yet_valid'
  | 'subject'
  | 'provider'

export interface TokenCheck {
  readonly name: CheckName
  readonly ok: boolean
  readonly message: string
}

/** The message is for the sender: printable ASCII without double quotes, so it fits a `WWW-Authenticate` header. */
export class TokenRefused extends Error {
  readonly check: CheckName

  constructor(check: CheckName, message: string, options?: ErrorOptions) {
    super(message, options)
    this.check = check
  }
}
