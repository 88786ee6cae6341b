/** Says what a setting must be: `must be true or false`. */
export class SettingFault extends Error {}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text !== '' && Number.isInteger(value) && value >= min && value <= max) return value
    throw new SettingFault(`must be a whole number from ${min} to ${max}, not '${text}'`)
  }
}

/** Reads settings by name. Faults are collected, so that all of them can be reported at once. */
export class EnvReading<Name extends string> {
  readonly problems: string[] = []
  readonly #env: NodeJS.ProcessEnv
  readonly #defaults: ReadonlyMap<Name, string>

  constructor(env: NodeJS.ProcessEnv, defaults: ReadonlyMap<Name, string>) {
    this.#env = env
    this.#defaults = defaults
  }

  text(name: Name): string {
    return this.#env[name]?.trim() || (this.#defaults.get(name) ?? '')
  }

  optional(name: Name): string | undefined {
    return this.text(name) || undefined
  }

  list(name: Name): string[] {
    return this.text(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  }

  integer(name: Name, min: number, max: number): number {
    try {
      return wholeNumber(min, max)(this.text(name))
    } catch (error) {
      this.problems.push(`${name} ${(error as SettingFault).message}`)
      return min
    }
  }

  flag(name: Name): boolean {
    const text = this.text(name)
    if (!['true', 'false'].includes(text)) this.problems.push(`${name} must be true or false, not '${text}'`)
    return text === 'true'
  }

  url(name: Name, protocols: readonly string[]): string | undefined {
    const value = this.optional(name)
    if (value === undefined) return undefined
    const protocol = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : ''
    if (!protocols.includes(protocol)) this.problems.push(`${name} must start with ${protocols.join(':// or ')}://`)
    return value
  }
}
