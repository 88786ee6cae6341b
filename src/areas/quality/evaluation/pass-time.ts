import { DEFAULT_LIMITS } from '../../../data/limits.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { RuleType } from '../words.ts'
import { type Judgement, notJudged } from './judge.ts'
import type { Asked } from './question.ts'
import { isPlain, rulesIn, type Turn } from './turns.ts'

/** A statement has no more than this part of the time of an evaluation, so that one that is never done leaves enough for others. */
const MOST_OF_ALL = 1 / 4
/** And no less than this one, unless less is left: with less for each of many rules none of them might be answered. */
const LEAST_OF_ALL = 1 / 12
/** And no less than so many scans of the data take. */
const SCANS = 3
/** With less than so many times what it had, a rule is not asked again. */
const WORTH_ANOTHER = 1.5

/** The time of one evaluation, and what each statement may have of it. */
export class PassTime {
  readonly #clock: Clock
  readonly #allMs: number
  readonly #startedMs: number

  constructor(clock: Clock, allMs: number) {
    this.#clock = clock
    this.#allMs = allMs
    this.#startedMs = clock.elapsed()
  }

  get isOver(): boolean {
    return this.#leftMs <= 0
  }

  /** The most that any statement may have. */
  get statementMs(): number {
    return Math.floor(Math.min(DEFAULT_LIMITS.timeoutMs, this.#allMs * MOST_OF_ALL))
  }

  /**
   * What a turn may have, where so many other rules are still to be asked and one scan of the data takes so long; undefined where it is
   * not worth while. What only reads the data may have as much as there is: it takes long only where all others would take longer.
   */
  limitFor(turn: Turn, others: number, scanMs: number): number | undefined {
    const rules = rulesIn(turn).length
    const share = (this.#leftMs * rules) / (rules + others)
    const wantedMs =
      turn.isFirst || isPlain(turn)
        ? this.statementMs
        : Math.max(share, this.#allMs * LEAST_OF_ALL, turn.isSuspect ? 0 : scanMs * SCANS)
    const limitMs = Math.floor(Math.min(wantedMs, this.statementMs, this.#leftMs))
    return isWorth(turn, limitMs) ? limitMs : undefined
  }

  /** Whether there is so much time that a turn could have notably more of it than it had. */
  isEnoughFor(turn: Turn): boolean {
    return isWorth(turn, Math.min(this.statementMs, this.#leftMs))
  }

  get #leftMs(): number {
    return this.#allMs - (this.#clock.elapsed() - this.#startedMs)
  }

  /** What is said of a rule for which there was not enough time: how much it had, and what can be done. */
  tooLate({ type }: Asked, hadMs = 0): Judgement {
    const [all, had] = [this.#allMs, hadMs].map((ms) => `${Math.round(ms / 100) / 10} s`)
    const advice = `Keep the data as Parquet, ${LESS[type] ?? 'give the rule less to read'}`
    if (hadMs >= DEFAULT_LIMITS.timeoutMs) {
      const message = `The rule was asked by itself and took longer than ${had}, the most that a statement may take. ${advice}, or evaluate it when less else runs.`
      return notJudged('error', { code: 'timeout', message })
    }
    const what =
      hadMs === 0
        ? `The ${all} that an evaluation may take were over before it came to this rule.`
        : `The rule was asked by itself and took longer than ${had}, what it could have of the ${all} that an evaluation may take.`
    const message = `${what} ${advice}, evaluate it by a schedule of its own or when less else runs, or raise QUALITY_EVALUATION_SECONDS.`
    return notJudged('error', { code: 'timeout', message })
  }
}

const isWorth = ({ hadMs = 0 }: Turn, limitMs: number): boolean => limitMs > 0 && limitMs >= hadMs * WORTH_ANOTHER

const SAMPLE = 'give the rule a `sample`'
const CONDITION = 'have it check fewer rows with `where`'

/** How rules can be made to read less. */
const LESS: Readonly<Partial<Record<RuleType, string>>> = {
  notNull: SAMPLE,
  range: SAMPLE,
  allowedValues: SAMPLE,
  regex: SAMPLE,
  distribution: SAMPLE,
  unique: CONDITION,
  referential: CONDITION,
  sql: 'have its query read less'
}
