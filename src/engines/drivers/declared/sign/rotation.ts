import { SourceError } from '../../errors.ts'
import type { Answer } from '../outgoing.ts'
import { waited } from '../waiting.ts'
import type { SignNeeds } from './needs.ts'
import { isGrantRefused } from './token-errors.ts'

/** Another process may have exchanged the same refresh token and not have kept yet what it got: so often it is looked again. */
const MAX_LOOKS = 3
const LOOK_AGAIN_MS = 1000

interface Exchanged {
  readonly answer: Answer
  /** What was exchanged; undefined for that of the configuration. */
  readonly used: string | undefined
}

/**
 * Refresh tokens that a service gives in place of the last one. Each is kept before a token that came with it is used;
 * where others use the same configuration, the one that was kept last is exchanged.
 */
export class Rotation {
  readonly #needs: Pick<SignNeeds, 'secrets' | 'clock'>
  readonly #field: string | undefined
  /** What is kept outside, as far as it is known: first that of the configuration. */
  #kept: string | undefined
  /** The last one that was offered to be kept. */
  #offered: string | undefined
  #saving: Promise<void> | undefined

  /** `field` is the setting that holds it; undefined where no setting does so alone. */
  constructor(kept: string | undefined, field: string | undefined, needs: Pick<SignNeeds, 'secrets' | 'clock'>) {
    this.#kept = kept
    this.#field = field
    this.#needs = needs
  }

  /** Exchanges the last refresh token that this process got, or one that somebody else has kept since. */
  async exchange(
    last: string | undefined,
    send: (refreshToken: string | undefined) => Promise<Answer>,
    signal: AbortSignal
  ): Promise<Exchanged> {
    const tried: (string | undefined)[] = []
    let refused: Exchanged | undefined
    for (let look = 1; ; look += 1) {
      for (const used of await this.#candidates(last)) {
        if (tried.includes(used)) continue
        tried.push(used)
        const answer = await send(used)
        if (!isGrantRefused(answer)) return { answer, used }
        refused = { answer, used }
      }
      if (refused !== undefined && (look >= MAX_LOOKS || this.#needs.secrets === undefined)) return refused
      await waited(this.#needs.clock, LOOK_AGAIN_MS, signal)
    }
  }

  async save(refreshToken: string | undefined): Promise<void> {
    await this.#saving?.catch(() => {})
    if (refreshToken === undefined || refreshToken === this.#kept || refreshToken === this.#offered) return
    this.#saving ??= this.#save(refreshToken)
    await this.#saving
  }

  /** The likeliest first. */
  async #candidates(last: string | undefined): Promise<(string | undefined)[]> {
    const stored = await this.#stored()
    if (stored === undefined) return [last]
    // One that could not be kept yet comes after what is kept; one that was not taken came too late.
    const isNewer = stored === this.#kept && last !== this.#offered
    this.#kept = stored
    if (last === undefined || last === stored) return [stored]
    return isNewer ? [last] : [stored, last]
  }

  async #stored(): Promise<string | undefined> {
    const { secrets } = this.#needs
    if (secrets === undefined || this.#field === undefined) return undefined
    return secrets.current(this.#field).catch(() => {
      throw new SourceError('unavailable', 'It can’t be looked up now which refresh token is kept; try again later')
    })
  }

  async #save(refreshToken: string): Promise<void> {
    const { secrets } = this.#needs
    try {
      if (secrets !== undefined && this.#field !== undefined) {
        this.#kept = await secrets.replace(this.#field, this.#kept ?? '', refreshToken).catch(() => {
          const message =
            'The service gave another refresh token, which can’t be kept now and is not used before that; try again later'
          throw new SourceError('unavailable', message)
        })
      }
      this.#offered = refreshToken
    } finally {
      this.#saving = undefined
    }
  }
}
