/** What a service gave to sign in with. */
export interface Token {
  readonly text: string
  /** When it is not to be used any more; undefined: until it is refused. */
  readonly endsMs: number | undefined
}

const LIMIT_MS = 60_000

/**
 * The token of one set of credentials. All who need it wait for the same request. That goes on when they give up: a
 * refresh token that the service takes back with it would be lost with its answer.
 */
export class Account {
  #token: Token | undefined
  #asking: Promise<Token> | undefined
  /** The last that the service gave, where it gives another each time. */
  refreshToken: string | undefined

  async take(nowMs: number, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<Token>): Promise<string> {
    signal.throwIfAborted()
    const known = this.#token
    if (known !== undefined && (known.endsMs === undefined || nowMs < known.endsMs)) return known.text
    this.#asking ??= this.#ask(ask)
    const givenUp = Promise.withResolvers<never>()
    const giveUp = () => givenUp.reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return (await Promise.race([this.#asking, givenUp.promise])).text
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Forgets a token, unless another came in its place; without one, whichever there is. */
  forget(text: string | undefined): void {
    if (text === undefined || this.#token?.text === text) this.#token = undefined
  }

  async #ask(ask: (signal: AbortSignal) => Promise<Token>): Promise<Token> {
    try {
      this.#token = await ask(AbortSignal.timeout(LIMIT_MS))
      return this.#token
    } finally {
      this.#asking = undefined
    }
  }
}
