import type { Area, AreaBody, AreaNeeds, Services } from './area.ts'
import { keepCompiledCode } from './engines/compiled-code.ts'
import { Problem } from './errors.ts'

interface Loaded {
  readonly area: Area
  readonly body: AreaBody
}

/** The bodies of the areas. Each is loaded once, by the first caller that needs it. */
export class Bodies {
  readonly #areas: ReadonlyMap<string, Area>
  readonly #needs: () => AreaNeeds
  readonly #loading = new Map<string, Promise<AreaBody>>()
  readonly #loaded = new Map<string, AreaBody>()
  #isClosed = false

  constructor(areas: readonly Area[], needs: () => AreaNeeds) {
    this.#areas = new Map(areas.map((area) => [area.name, area]))
    this.#needs = needs
  }

  /** Where a body can't be loaded, the next caller tries again. */
  get(name: string): Promise<AreaBody> {
    let body = this.#loading.get(name)
    if (body === undefined) {
      body = this.#load(name).catch((error) => {
        this.#loading.delete(name)
        throw error
      })
      this.#loading.set(name, body)
    }
    return body
  }

  async service<N extends keyof Services>(name: N): Promise<Services[N]> {
    return (await this.get(name)).service as Services[N]
  }

  loaded<N extends keyof Services>(name: N): Services[N] | undefined {
    return this.#loaded.get(name)?.service as Services[N] | undefined
  }

  names(): string[] {
    return [...this.#loaded.keys()]
  }

  async all(): Promise<Loaded[]> {
    const loaded: Loaded[] = []
    for (const area of this.#areas.values()) loaded.push({ area, body: await this.get(area.name) })
    return loaded
  }

  /** Stops loading, and answers the loaded bodies, the last declared first. */
  async close(): Promise<Loaded[]> {
    this.#isClosed = true
    await Promise.allSettled(this.#loading.values())
    return [...this.#areas.values()].toReversed().flatMap((area) => {
      const body = this.#loaded.get(area.name)
      return body === undefined ? [] : [{ area, body }]
    })
  }

  async #load(name: string): Promise<AreaBody> {
    if (this.#isClosed) throw new Problem('shutting_down', { headers: { 'retry-after': '5' } })
    const area = this.#areas.get(name)
    if (area === undefined) throw new Error(`There is no area ${name}`)
    const build = await area.load()
    const body = await build(this.#needs())
    await started(body)
    this.#loaded.set(name, body)
    keepCompiledCode()
    return body
  }
}

/** Starts a body. Where that fails it is stopped again, and the next caller gets a new one. */
async function started(body: AreaBody): Promise<void> {
  try {
    await body.start?.()
  } catch (error) {
    await body.stop?.().catch(() => {})
    throw error
  }
}
