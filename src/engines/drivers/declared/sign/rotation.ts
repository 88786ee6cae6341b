import type { SignNeeds } from './needs.ts'

/** Keeps refresh tokens that a service gives in place of the last one, each before a token that came with it is used. */
export class Rotation {
  readonly #needs: Pick<SignNeeds, 'saveRotated'>
  /** What is kept outside: first that of the configuration. */
  #kept: string | undefined
  #saving: Promise<void> | undefined

  constructor(kept: string | undefined, needs: Pick<SignNeeds, 'saveRotated'>) {
    this.#kept = kept
    this.#needs = needs
  }

  async save(refreshToken: string | undefined): Promise<void> {
    await this.#saving?.catch(() => {})
    if (refreshToken === undefined || refreshToken === this.#kept) return
    this.#saving ??= this.#save(refreshToken)
    await this.#saving
  }

  async #save(refreshToken: string): Promise<void> {
    try {
      await this.#needs.saveRotated?.(refreshToken)
      this.#kept = refreshToken
    } finally {
      this.#saving = undefined
    }
  }
}
