/** The text format of Prometheus, by hand: the client library is loaded only for what it finds out itself. */

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export function metricText(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

/** How often something took how long. */
export class Histogram {
  readonly #boundsS: readonly number[]
  /** One counter for each bound, and one for everything longer than the last bound. */
  readonly #buckets: Float64Array
  #sumS = 0

  constructor(boundsS: readonly number[]) {
    this.#boundsS = boundsS
    this.#buckets = new Float64Array(boundsS.length + 1)
  }

  observe(seconds: number): void {
    let bucket = 0
    while (bucket < this.#boundsS.length && seconds > (this.#boundsS[bucket] as number)) bucket++
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1
    this.#sumS += seconds
  }

  /**
   * The lines without the HELP and TYPE lines; each bucket counts everything up to its bound. `labels` as
   * `a="1",b="2"`.
   */
  lines(name: string, labels = ''): string[] {
    let count = 0
    const before = labels === '' ? '' : `${labels},`
    const buckets = Array.from(this.#buckets, (inBucket, index) => {
      count += inBucket
      return `${name}_bucket{${before}le="${this.#boundsS[index] ?? '+Inf'}"} ${count}`
    })
    const braced = labels === '' ? '' : `{${labels}}`
    return [...buckets, `${name}_sum${braced} ${this.#sumS}`, `${name}_count${braced} ${count}`]
  }

  render(name: string, help: string): string {
    return `${histogramHead(name, help)}\n${this.lines(name).join('\n')}\n`
  }
}

export const histogramHead = (name: string, help: string): string => `# HELP ${name} ${help}\n# TYPE ${name} histogram`

export const labelValue = (text: string): string => text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${labelValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
