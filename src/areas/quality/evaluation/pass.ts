import { DataError } from '../../../data/errors.ts'
import type { Mask } from '../../../data/mask.ts'
import type { DataPlane } from '../../../data/plane.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Guard } from '../../classification/index.ts'
import type { Expectation } from '../anomalies/detect.ts'
import type { Anomaly } from '../anomalies/follow.ts'
import type { KnownBaseline } from '../drift/drift.ts'
import { type FirstBaseline, firstBaseline } from '../drift/first-baseline.ts'
import type { Definition } from '../rules/definition.ts'
import type { RuleType } from '../words.ts'
import { isAboutUnread, isOfOne } from './blame.ts'
import { Columns } from './columns.ts'
import { type Compiled, compile, DATASET, wrongOf } from './compile.ts'
import { type Judgement, judge, notJudged } from './judge.ts'
import { areSame, type KnownColumns, typesSql } from './known-columns.ts'
import { PASSING, refusalOf } from './refusal.ts'
import { requireSameKind, requireSameKindNow } from './same-kind.ts'
import { type RowsQuery, type Sampled, type SampleRow, sampleOfSql, samplesOf } from './sample.ts'
import { matchSchema } from './schema-match.ts'
import { isSecret } from './secrecy.ts'
import { type Counted, statementOf } from './statement.ts'
import { Unaskable } from './unaskable.ts'

export interface Asked extends Omit<Definition, 'anomalies'> {
  readonly id: string
  readonly type: RuleType
  /** Of `distribution`; undefined while there is none. */
  readonly baseline?: KnownBaseline | undefined
}

/** What an evaluation came to for one rule. */
export interface Outcome extends Judgement {
  readonly sample: readonly SampleRow[]
  readonly failingRowsQuery: RowsQuery | null
  /** Of the statement that answered it, which it may have shared with others. */
  readonly elapsedMs: number
  /** What was expected after the evaluations before; null while there are too few of them. */
  readonly expected?: Expectation | null
  readonly anomaly?: Anomaly | null
}

export interface PassNeeds {
  readonly clock: Clock
  readonly plane: Pick<DataPlane, 'query' | 'session' | 'describe'>
  readonly guard: Pick<Guard, 'maskForAll'>
  readonly known: KnownColumns
  /** A registered schema of records, as JSON Schema. */
  schemaOf(id: string, version: number | undefined): Promise<object>
  /** Called with how many rules are answered so far. */
  settled?(done: number): void
}

/** One statement holds so many rules at most. */
const RULES_AT_ONCE = 100
/** When no more statements are begun: rules that spoil those of others are looked for until then. */
const BUDGET_MS = 120_000

const ONE_ROW = { maxRows: 1 }

interface Question {
  readonly rule: Asked
  readonly compiled: Compiled
}

const compiledOf = (questions: readonly Question[]): Compiled[] => questions.map(({ compiled }) => compiled)

/** One evaluation of the rules of one dataset. */
export class Pass {
  readonly #needs: PassNeeds
  readonly #dataset: string
  readonly #signal: AbortSignal
  readonly #startedMs: number
  readonly #outcomes = new Map<string, Outcome>()
  /** What rules have learned that had no baseline yet, by their ids. */
  readonly learned = new Map<string, FirstBaseline & { readonly isSecret: boolean }>()
  readonly #aliases = new Map<string, string>()
  /** What may not be seen by everybody who may see results. */
  #mask: Mask | undefined = 'all'

  constructor(needs: PassNeeds, dataset: string, signal: AbortSignal) {
    this.#needs = needs
    this.#dataset = dataset
    this.#signal = signal
    this.#startedMs = needs.clock.elapsed()
    this.#aliases.set(dataset, DATASET)
  }

  /** The outcome of each rule, by its id. A rule that can't be asked spoils none of the others. */
  async run(all: readonly Asked[]): Promise<ReadonlyMap<string, Outcome>> {
    const { plane, guard, known } = this.#needs
    this.#mask = await guard.maskForAll([this.#dataset])
    const rules = all.map((rule) => this.#veiled(rule))
    if (await this.#askKnown(rules)) return this.#outcomes
    let columns: Columns
    try {
      const described = await plane.describe(this.#dataset, this.#signal)
      known.set(this.#dataset, described)
      columns = new Columns(described)
    } catch (error) {
      const judgement = refusalOf(error, this.#mask)
      for (const { id } of rules) this.#settle(id, judgement)
      return this.#outcomes
    }
    const questions: Question[] = []
    for (const rule of rules) questions.push(...(await this.#prepare(rule, columns)))
    for (let from = 0; from < questions.length; from += RULES_AT_ONCE) {
      await this.#ask(questions.slice(from, from + RULES_AT_ONCE))
    }
    await this.#addSamples(questions, columns)
    return this.#outcomes
  }

  /** Asks with the columns as they were the last time; answers whether they still are so, and all went well. */
  async #askKnown(rules: readonly Asked[]): Promise<boolean> {
    const { known, clock, plane } = this.#needs
    const all = known.get(this.#dataset)
    if (all === undefined || rules.length > RULES_AT_ONCE) return false
    const columns = new Columns(all)
    try {
      const questions = rules.flatMap((rule) => {
        const compiled = compile(rule, columns, (dataset) => this.#aliasOf(dataset), known.spansOf(this.#dataset))
        const others = known.get(rule.config.to?.dataset ?? '')
        if (others !== undefined) requireSameKind(rule.config, columns, new Columns(others))
        return compiled === undefined ? [] : [{ rule, compiled }]
      })
      // Others are about all columns, also those that are new.
      if (questions.length < rules.length) return false
      const startedMs = clock.elapsed()
      const { sql, relations, read, spans } = statementOf(this.#dataset, compiledOf(questions), typesSql(all))
      await using session = await plane.session({ relations, signal: this.#signal })
      const [row = []] = await (await session.query({ sql, limits: ONE_ROW })).rows()
      if (!areSame(all, row.at(-1))) return false
      const counted = read(row)
      // Keys that are not as they were: described anew, nothing is known of them.
      if (counted === undefined) return false
      known.setSpans(this.#dataset, spans(row))
      this.#judge(questions, counted, Math.round(clock.elapsed() - startedMs))
      await this.#addSamples(questions, columns, session)
      return true
    } catch (error) {
      // What is wrong is found out with the columns as they are now.
      if (error instanceof Unaskable || (error instanceof DataError && !PASSING.has(error.code))) return false
      throw error
    }
  }

  async #prepare(rule: Asked, columns: Columns): Promise<Question[]> {
    try {
      const compiled = compile(rule, columns, (dataset) => this.#aliasOf(dataset))
      if (rule.type === 'referential') await requireSameKindNow(this.#needs, this.#dataset, rule, columns, this.#signal)
      if (compiled !== undefined) return [{ rule, compiled }]
      if (rule.type === 'distribution') {
        this.#settle(rule.id, await this.#learn(rule, columns))
        return []
      }
      const schema = await this.#needs.schemaOf(rule.config.schemaId ?? '', rule.config.version)
      this.#settle(rule.id, matchSchema(schema, columns.all))
    } catch (error) {
      this.#settle(rule.id, refusalOf(error, this.#mask))
    }
    return []
  }

  /** Values of a column that is confidential now are not named, although its baseline is open. */
  #veiled(rule: Asked): Asked {
    if (rule.baseline === undefined || !isSecret(this.#mask, rule.config.column ?? '')) return rule
    return { ...rule, baseline: { ...rule.baseline, isOpen: false } }
  }

  /** Has a rule make its first baseline, if there is still time. */
  async #learn({ id, config }: Asked, columns: Columns): Promise<Judgement> {
    const { plane, clock } = this.#needs
    if (clock.elapsed() - this.#startedMs > BUDGET_MS) return notJudged('error', OUT_OF_TIME)
    const column = columns.find(config.column ?? '') as DataColumn
    const { judgement, learned } = await firstBaseline(plane, this.#dataset, column, config, this.#signal)
    if (learned !== undefined) this.learned.set(id, { ...learned, isSecret: isSecret(this.#mask, column.name) })
    return judgement
  }

  /** The same data have one name in all statements. */
  #aliasOf(dataset: string): string {
    return this.#aliases.getOrInsertComputed(dataset, () =>
      this.#aliases.size === 1 ? 'other' : `other${this.#aliases.size}`
    )
  }

  /** Asks all of them at once, and where that fails each half by itself: so the one that is to blame is found. */
  async #ask(questions: readonly Question[]): Promise<void> {
    if (questions.length === 0) return
    const { clock } = this.#needs
    const startedMs = clock.elapsed()
    if (startedMs - this.#startedMs > BUDGET_MS) {
      for (const { rule } of questions) this.#settle(rule.id, notJudged('error', OUT_OF_TIME))
      return
    }
    try {
      const counted = await this.#count(questions)
      this.#judge(questions, counted, Math.round(clock.elapsed() - startedMs))
    } catch (error) {
      const judgement = refusalOf(error, this.#mask)
      if (questions.length === 1 || !isOfOne(error, compiledOf(questions))) {
        const elapsedMs = Math.round(clock.elapsed() - startedMs)
        for (const { rule } of questions) this.#settle(rule.id, judgement, elapsedMs)
        return
      }
      const [unread = [], others = []] = [true, false].map((is) =>
        questions.filter(({ compiled }) => isAboutUnread(error, compiled) === is)
      )
      if (unread.length > 0) {
        const elapsedMs = Math.round(clock.elapsed() - startedMs)
        for (const { rule } of unread) this.#settle(rule.id, judgement, elapsedMs)
        return await this.#ask(others)
      }
      const half = Math.ceil(questions.length / 2)
      await this.#ask(questions.slice(0, half))
      await this.#ask(questions.slice(half))
    }
  }

  #judge(questions: readonly Question[], counted: readonly Counted[], elapsedMs: number): void {
    for (const [at, { rule, compiled }] of questions.entries()) {
      this.#settle(rule.id, judge(rule, counted[at] as Counted, this.#needs.clock.now()), elapsedMs, compiled)
    }
  }

  /** What the rows come to. */
  async #count(questions: readonly Question[]): Promise<Counted[]> {
    const { plane, known } = this.#needs
    const { sql, relations, read, spans } = statementOf(this.#dataset, compiledOf(questions))
    const answer = await plane.query({ sql, relations, limits: ONE_ROW, signal: this.#signal })
    const [row = []] = await answer.rows()
    known.setSpans(this.#dataset, spans(row))
    return read(row) ?? []
  }

  #settle(id: string, judgement: Judgement, elapsedMs = 0, compiled?: Compiled): void {
    const failing = compiled?.failing
    const relations = { [DATASET]: this.#dataset, ...compiled?.others }
    const failingRowsQuery = failing === undefined ? null : { sql: failing, relations }
    this.#outcomes.set(id, { ...judgement, sample: [], failingRowsQuery, elapsedMs })
    this.#needs.settled?.(this.#outcomes.size)
  }

  /** A sample that can't be had is no reason to doubt what was counted. */
  async #addSamples(
    questions: readonly Question[],
    columns: Columns,
    plane: Sampled = this.#needs.plane
  ): Promise<void> {
    const failing = questions.flatMap(({ rule, compiled }) => {
      const outcome = this.#outcomes.get(rule.id)
      const query = outcome?.failingRowsQuery
      return outcome === undefined || !query || outcome.rowsFailed === 0 ? [] : [{ rule, compiled, outcome, query }]
    })
    const [own, shared] = [
      failing.filter(({ rule }) => rule.type === 'sql'),
      failing.filter(({ rule }) => rule.type !== 'sql')
    ]
    const keep = ({ rule, outcome }: (typeof failing)[number], sample: readonly SampleRow[] | undefined) =>
      this.#outcomes.set(rule.id, { ...outcome, sample: sample ?? [] })
    await this.#orNothing(async () => {
      const wanted = shared.map(({ query, compiled, outcome }) => ({
        query,
        wrong: wrongOf(compiled),
        count: outcome.rowsFailed,
        checked: outcome.rowsChecked
      }))
      const samples = await samplesOf({ plane }, columns.all, this.#mask, wanted, this.#signal)
      for (const [at, one] of shared.entries()) keep(one, samples[at])
    })
    for (const one of own) {
      await this.#orNothing(async () => keep(one, await sampleOfSql({ plane }, this.#mask, one.query, this.#signal)))
    }
  }

  async #orNothing(work: () => Promise<unknown>): Promise<void> {
    if (this.#needs.clock.elapsed() - this.#startedMs > BUDGET_MS) return
    try {
      await work()
    } catch (error) {
      if (!(error instanceof DataError) || error.code === 'cancelled' || error.code === 'closed') throw error
    }
  }
}

const OUT_OF_TIME = {
  code: 'timeout',
  message: `The evaluation took over ${BUDGET_MS / 1000} s before it came to this rule. Evaluate fewer rules at a time, or when less else runs; keep the data as Parquet, or give rules a sample.`
}
