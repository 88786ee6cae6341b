import type { AlertEvent } from '../../../area.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { RunningJob } from '../../../engines/jobs/index.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { ParsedCondition } from '../rules/conditions.ts'
import { parsedConditions, readDefinition } from '../rules/definition.ts'
import { asked } from './asking.ts'
import { EventReader } from './events.ts'
import { type HidingNeeds, hidden } from './hiding.ts'
import type { Evaluated } from './judging.ts'
import { type PointsCondition, type PointsNeeds, readPoints } from './points.ts'
import { type Found, join } from './readings.ts'
import { type RecordingNeeds, record } from './recording.ts'
import { readSql, type SqlCondition, type SqlNeeds } from './sql.ts'
import { dueRules } from './store.ts'
import type { Totals } from './totals.ts'

export interface EvaluatorNeeds extends PointsNeeds, SqlNeeds, RecordingNeeds, HidingNeeds {
  readonly metadata: Metadata
  readonly alertEvents: ReadonlyMap<string, AlertEvent>
  readonly totals: Totals
  readonly clock: Clock
}

type Committing = Pick<RunningJob<null>, 'signal' | 'commit'>

/** Rules that are read, evaluated and written together. */
const BATCH = 2000
const QUERIES_AT_ONCE = 2
/** Readings that are written in one transaction, or a few more. */
const READINGS_AT_ONCE = 5000

/** Evaluates the rules that are due; on several replicas whoever has the lease does it. */
export class Evaluator {
  readonly #needs: EvaluatorNeeds

  constructor(needs: EvaluatorNeeds) {
    this.#needs = needs
  }

  /** The rules that are due and read no SQL; those that need the same data are evaluated together. */
  async evaluateDue(committing: Committing): Promise<void> {
    await this.#eachBatch(false, committing, (drafts, nowMs) => this.#evaluate(drafts, nowMs, committing))
  }

  /** Those that read SQL. Each query is written as soon as it is known: one that takes long makes no others late. */
  async evaluateSqlDue(committing: Committing): Promise<void> {
    await this.#eachBatch(true, committing, async (drafts, nowMs) => {
      const groups = [
        ...Map.groupBy(drafts, ({ conditions }) => JSON.stringify(conditions.filter(isSql).map(askedBy))).values()
      ]
      const work = async () => {
        for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
          await this.#evaluate(group, nowMs, committing)
        }
      }
      await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, work))
    })
  }

  async #eachBatch(
    readsSql: boolean,
    { signal }: Committing,
    evaluate: (drafts: readonly Draft[], nowMs: number) => Promise<void>
  ): Promise<void> {
    const { metadata, clock } = this.#needs
    const nowMs = clock.now()
    while (!signal.aborted) {
      const rules = await dueRules(metadata.db, nowMs, readsSql, BATCH)
      const drafts = rules.map((rule): Draft => {
        const definition = readDefinition(rule)
        return { rule, definition, conditions: parsedConditions(definition) }
      })
      if (drafts.length > 0) await evaluate(drafts, nowMs)
      if (drafts.length < BATCH) return
    }
  }

  async #evaluate(drafts: readonly Draft[], nowMs: number, { signal, commit }: Committing): Promise<void> {
    const { clock, totals } = this.#needs
    const begunMs = clock.elapsed()
    const tell = await this.#read(drafts, nowMs, signal)
    const evaluated: Evaluated[] = []
    for (const draft of drafts) evaluated.push({ ...draft, ...(await tell(draft)) })
    for (const piece of pieces(evaluated)) {
      const durationMs = Math.round(clock.elapsed() - begunMs)
      await commit((tx) => record(tx, this.#needs, piece, nowMs, durationMs))
      totals.add(piece, durationMs)
    }
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
    return async ({ rule, conditions: own, definition }: Draft): Promise<Told> => {
      const [first] = own
      if (first?.kind === 'event') {
        const told = await asked(this.#needs, `event ${first.event}`, signal, () => events.read(first, rule.seen))
        return 'error' in told ? { found: told, seen: rule.seen } : told
      }
      const found = own.map((one) => (isSql(one) ? tables.get(one) : points.get(one as PointsCondition)) as Found)
      return { found: await hidden(this.#needs, own, join(found, definition.join)), seen: null }
    }
  }
}

/** Divides evaluations so that none of the transactions that write them gets long. */
function* pieces(evaluated: readonly Evaluated[]): Generator<readonly Evaluated[]> {
  let [piece, readings]: [Evaluated[], number] = [[], 0]
  for (const one of evaluated) {
    piece.push(one)
    readings += 'readings' in one.found ? one.found.readings.length : 1
    if (readings < READINGS_AT_ONCE) continue
    yield piece
    ;[piece, readings] = [[], 0]
  }
  if (piece.length > 0) yield piece
}

type Told = Pick<Evaluated, 'found' | 'seen'>
type Draft = Pick<Evaluated, 'rule' | 'definition'> & { readonly conditions: readonly ParsedCondition[] }

const isAboutPoints = (condition: ParsedCondition): condition is PointsCondition => condition.kind === 'points'
const isSql = (condition: ParsedCondition): condition is SqlCondition => condition.kind === 'sql'
const askedBy = ({ sql, relations }: SqlCondition) => [sql, relations]
