import type { AlertEvent } from '../../../area.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { RunningJob } from '../../../engines/jobs/index.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { RuleRow } from '../migrations.ts'
import type { ParsedCondition } from '../rules/conditions.ts'
import { parsedConditions, readDefinition } from '../rules/definition.ts'
import { EventReader } from './events.ts'
import type { Evaluated } from './judging.ts'
import { type PointsCondition, type PointsNeeds, readPoints } from './points.ts'
import { type Found, join } from './readings.ts'
import { type RecordingNeeds, record } from './recording.ts'
import { readSql, type SqlCondition, type SqlNeeds } from './sql.ts'
import { dueRules } from './store.ts'
import type { Totals } from './totals.ts'

export interface EvaluatorNeeds extends PointsNeeds, SqlNeeds, RecordingNeeds {
  readonly metadata: Metadata
  readonly alertEvents: ReadonlyMap<string, AlertEvent>
  readonly totals: Totals
  readonly clock: Clock
}

type Lease = Pick<RunningJob<null>, 'signal' | 'commit'>

/** Rules that are read, evaluated and written together. */
const BATCH = 2000

/** Evaluates the rules that are due; on several replicas whoever has the lease does it. */
export class Evaluator {
  readonly #needs: EvaluatorNeeds

  constructor(needs: EvaluatorNeeds) {
    this.#needs = needs
  }

  async evaluateDue(lease: Lease): Promise<void> {
    const { metadata, clock } = this.#needs
    const nowMs = clock.now()
    for (;;) {
      if (lease.signal.aborted) return
      const rules = await dueRules(metadata.db, nowMs, BATCH)
      if (rules.length > 0) await this.#evaluateTogether(rules, nowMs, lease)
      if (rules.length < BATCH) return
    }
  }

  /**
   * What is about points, what happens, and each kind of data that SQL reads are written apart, as soon as they are
   * known: a query that takes long makes no others late.
   */
  async #evaluateTogether(rules: readonly RuleRow[], nowMs: number, lease: Lease): Promise<void> {
    const begunMs = this.#needs.clock.elapsed()
    const drafts = rules.map((rule) => {
      const definition = readDefinition(rule)
      return { rule, definition, conditions: parsedConditions(definition) }
    })
    const [slow, quick] = [drafts.filter(isSlow), drafts.filter((draft) => !isSlow(draft))]
    const finish = async (some: typeof drafts, found: (draft: Draft) => Promise<Pick<Evaluated, 'found' | 'seen'>>) => {
      const evaluated: Evaluated[] = []
      for (const draft of some) evaluated.push({ ...draft, ...(await found(draft)) })
      if (evaluated.length === 0) return
      const durationMs = Math.round(this.#needs.clock.elapsed() - begunMs)
      await lease.commit((tx) => record(tx, this.#needs, evaluated, nowMs, durationMs))
      this.#needs.totals.add(evaluated, durationMs)
    }
    await Promise.all([
      this.#read(quick, nowMs, lease.signal).then((found) => finish(quick, found)),
      this.#read(slow, nowMs, lease.signal).then((found) => finish(slow, found))
    ])
  }

  /** Asks for all that these rules need, and answers a function that tells what each was found to say. */
  async #read(drafts: readonly Draft[], nowMs: number, signal: AbortSignal) {
    const { metadata, alertEvents } = this.#needs
    const conditions = drafts.flatMap((draft) => draft.conditions)
    const [points, tables] = await Promise.all([
      readPoints(this.#needs, conditions.filter(isAboutPoints), nowMs, signal),
      readSql(this.#needs, conditions.filter(isSql), signal)
    ])
    const events = new EventReader(alertEvents, metadata.db, nowMs)
    return async ({ rule, conditions: own, definition }: Draft): Promise<Pick<Evaluated, 'found' | 'seen'>> => {
      const [first] = own
      if (first?.kind === 'event') return events.read(first, rule.seen)
      const found = own.map((one) => (isSql(one) ? tables.get(one) : points.get(one as PointsCondition)) as Found)
      return { found: join(found, definition.join), seen: null }
    }
  }
}

type Draft = Pick<Evaluated, 'rule' | 'definition'> & { readonly conditions: readonly ParsedCondition[] }

const isAboutPoints = (condition: ParsedCondition): condition is PointsCondition => condition.kind === 'points'
const isSql = (condition: ParsedCondition): condition is SqlCondition => condition.kind === 'sql'
const isSlow = ({ conditions }: Pick<Draft, 'conditions'>) => conditions.some(isSql)
