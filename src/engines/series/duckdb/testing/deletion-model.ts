import fc from 'fast-check'

interface Point {
  readonly tag: string
  readonly time: number
  readonly value: number | string
}

export type AnyStep =
  | { readonly kind: 'write'; readonly source: string; readonly points: readonly Point[] }
  | { readonly kind: 'delete'; readonly source: string; readonly tag: string }
  | { readonly kind: 'drop'; readonly source: string }
  | { readonly kind: 'seal' | 'begin sealing' | 'restart' | 'crash' | 'restore a backup' }

export type StepOf<K extends AnyStep['kind']> = Extract<AnyStep, { readonly kind: K }>

const HALF_DAY_NS = 43_200_000_000_000
const source = fc.constantFrom('one', 'two')
const tag = fc.constantFrom('a', 'a.b', 'b', 'ü/c')
const point = fc.record({
  tag,
  // Few times on three days, so that many points replace others.
  time: fc.record({ half: fc.nat(5), ns: fc.nat(6) }).map(({ half, ns }) => half * HALF_DAY_NS + ns),
  value: fc.oneof({ weight: 3, arbitrary: fc.integer().map((value) => value + 0.5) }, fc.constantFrom('n/a', '', '-'))
})
const anyStep: fc.Arbitrary<AnyStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      source,
      points: fc.array(point, { minLength: 1, maxLength: 30 })
    })
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('delete' as const), source, tag }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), source }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('seal', 'begin sealing', 'restart', 'crash', 'restore a backup')
    })
  }
)

export const anySteps = fc.array(anyStep, { minLength: 5, maxLength: 25 })

interface Tag {
  readonly type: 'float' | 'string'
  readonly points: Map<number, number | string>
}

/** A model of the engine: a map of points, and nothing else. */
export class Model {
  readonly #sources = new Map<string, Map<string, Tag>>()

  sources(): string[] {
    return ['one', 'two']
  }

  /** Answers how many points are accepted. */
  write(source: string, points: readonly Point[]): number {
    const tags = this.#tags(source)
    let accepted = 0
    for (const { tag: name, time, value } of points) {
      const type = typeof value === 'string' ? 'string' : 'float'
      const tag: Tag = tags.get(name) ?? { type, points: new Map() }
      if (tag.type !== type) continue
      tags.set(name, tag)
      tag.points.set(time, value)
      accepted++
    }
    return accepted
  }

  delete(source: string, tag: string): boolean {
    return this.#tags(source).delete(tag)
  }

  drop(source: string): void {
    this.#sources.delete(source)
  }

  /** Everything that can be asked about a source. */
  facts(source: string) {
    const tags = [...this.#tags(source)]
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([name, { type, points }]) => {
        const sorted = [...points].sort(([a], [b]) => a - b).map(([time, value]) => [BigInt(time), value] as const)
        return { name, type, sorted }
      })
    const times = tags.flatMap(({ sorted }) => sorted.map(([time]) => time)).sort((a, b) => Number(a - b))
    return {
      points: tags.map(({ name, sorted }) => [name, sorted]),
      tags: tags.map(({ name, type, sorted }) => {
        const [firstNs] = sorted[0] as readonly [bigint, unknown]
        const [lastNs, lastValue] = sorted.at(-1) as readonly [bigint, number | string]
        return { name, type, firstNs, lastNs, lastValue }
      }),
      rows: tags.flatMap(({ name, sorted }) => sorted.map(([time, value]) => [name, time, value])),
      stats: times.length === 0 ? undefined : { tagCount: tags.length, firstNs: times[0], lastNs: times.at(-1) }
    }
  }

  #tags(source: string): Map<string, Tag> {
    const tags = this.#sources.get(source) ?? new Map<string, Tag>()
    this.#sources.set(source, tags)
    return tags
  }
}
