import { createHash } from 'node:crypto'
import { parseThreshold, type Threshold } from '../../../quality/index.ts'
import { NodeFault } from '../../contract/context.ts'
import type { QualityConfig } from './quality.ts'

/** How many records came to a node, and how many of them failed. JSON. */
export interface TallyMemo {
  /** By which configuration it was counted. */
  readonly config: string
  readonly came: number
  readonly failed: number
  readonly byRule: Readonly<Record<string, number>>
}

const MAX_NAMED = 10
/** Where nothing ever ends, a percentage means something once so many records came. */
const ENOUGH = 1000

/** Counts, and says when it is too much. */
export class Tally {
  readonly #config: QualityConfig
  readonly #hash: string
  readonly #warnsAbove: Threshold | undefined
  readonly #failsAbove: Threshold | undefined
  #came: number
  #failed: number
  #byRule: Map<string, number>
  #hasWarned = false

  /** Goes on from what an earlier run has counted; with other rules or thresholds only where records wait that it counted. */
  constructor(config: QualityConfig, memo: TallyMemo | undefined) {
    const { warnThreshold, failThreshold = holds(config) ? 0 : undefined } = config
    this.#config = config
    this.#hash = createHash('sha256').update(JSON.stringify(config, counted)).digest('hex')
    this.#warnsAbove = warnThreshold === undefined ? undefined : parseThreshold(warnThreshold)
    this.#failsAbove = failThreshold === undefined ? undefined : parseThreshold(failThreshold)
    const known = memo?.config === this.#hash || holds(config) ? memo : undefined
    this.#came = known?.came ?? 0
    this.#failed = known?.failed ?? 0
    this.#byRule = new Map(Object.entries(known?.byRule ?? {}))
  }

  get memo(): TallyMemo {
    return { config: this.#hash, came: this.#came, failed: this.#failed, byRule: Object.fromEntries(this.#byRule) }
  }

  /** So many records came, and some failed: each with the rules that it does not keep. */
  add(came: number, failed: readonly (readonly string[])[]): void {
    this.#came += came
    this.#failed += failed.length
    for (const name of failed.flat()) this.#byRule.set(name, (this.#byRule.get(name) ?? 0) + 1)
  }

  reset(): void {
    this.#came = 0
    this.#failed = 0
    this.#byRule = new Map()
  }

  /** Why the run must not go on; undefined where it may. A percentage of what waits is known when all of it is there. */
  fault(hasEnded: boolean): NodeFault | undefined {
    if (!this.#isAbove(this.#failsAbove, hasEnded)) return undefined
    const end = holds(this.#config)
      ? 'nothing was let through: correct the data or the rules, and start from the beginning'
      : 'what was let through before stays: change the rules or the threshold to go on, or start from the beginning'
    return new NodeFault('fatal', 'quality_failed', `${this.#words(this.#config.failThreshold ?? 0)}; ${end}`)
  }

  /** Once for each run. */
  warning(hasEnded: boolean): string | undefined {
    if (this.#hasWarned || !this.#isAbove(this.#warnsAbove, hasEnded)) return undefined
    this.#hasWarned = true
    return this.#words(this.#config.warnThreshold ?? 0)
  }

  #isAbove(threshold: Threshold | undefined, hasEnded: boolean): boolean {
    if (threshold === undefined) return false
    if (threshold.unit === 'rows') return this.#failed > threshold.value
    const isKnown = hasEnded || (!holds(this.#config) && this.#came >= ENOUGH)
    return isKnown && this.#came > 0 && (this.#failed / this.#came) * 100 > threshold.value
  }

  #words(threshold: number | string): string {
    const rules = [...this.#byRule].sort(([, a], [, b]) => b - a)
    const named = rules.slice(0, MAX_NAMED).map(([name, count]) => `${name} (${count})`)
    const more = rules.length > MAX_NAMED ? ` and ${rules.length - MAX_NAMED} more rules` : ''
    return `${this.#failed} of ${this.#came} records fail, more than ${threshold}: ${named.join(', ')}${more}`
  }
}

/** What a change of has nodes count anew: not who may see the rules. */
const counted = (member: string, value: unknown): unknown => (member === 'isUnquoted' ? undefined : value)

/** Whether records wait until it is known what came of all of them. */
export const holds = ({ onFailure }: QualityConfig): boolean => onFailure === 'stop'
