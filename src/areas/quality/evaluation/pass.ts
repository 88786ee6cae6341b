import { DataError } from '../../../data/errors.ts'
import type { Mask } from '../../../data/mask.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Guard } from '../../classification/index.ts'
import type { Expectation } from '../anomalies/detect.ts'
import type { Anomaly } from '../anomalies/follow.ts'
import { type FirstBaseline, firstBaseline } from '../drift/first-baseline.ts'
import { isAboutUnread, isOfOne } from './blame.ts'
import { Columns } from './columns.ts'
import { type Compiled, compile, DATASET } from './compile.ts'
import { type Judgement, judge } from './judge.ts'
import { areSame, type KnownColumns, typesSql } from './known-columns.ts'
import { OneDataset, type Queried } from './one-dataset.ts'
import { isText } from './own-scan.ts'
import { PassTime } from './pass-time.ts'
import type { Asked, Question } from './question.ts'
import { PASSING, refusalOf } from './refusal.ts'
import { requireSameKind, requireSameKindNow } from './same-kind.ts'
import type { RowsQuery, Sampled, SampleRow } from './sample.ts'
import { addSamples } from './sample-adding.ts'
import { matchSchema } from './schema-match.ts'
import { isSecret } from './secrecy.ts'
import { type Counted, statementOf } from './statement.ts'
import { firstTurns, isOfSeveralScans, partsOf, RULES_AT_ONCE, rulesIn, type Turn, Turns } from './turns.ts'
import { Unaskable } from './unaskable.ts'

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
  readonly plane: Queried
  readonly guard: Pick<Guard, 'maskForAll'>
  readonly known: KnownColumns
  /** How long an evaluation may take: after that no more statements are begun. */
  readonly evaluationMs: number
  /** A registered schema of records, as JSON Schema. */
  schemaOf(id: string, version: number | undefined): Promise<object>
  /** Called with how many rules are answered so far. */
  settled?(done: number): void
}

/** Of text that takes longer to be asked all at once, those that are cheap are asked first the next time. */
const SLOW_MS = 5000
/** Where one scan of text takes longer, what needs several is asked one by one. */
const QUICK_MS = 1000

const ONE_ROW = { maxRows: 1 }

const compiledOf = (questions: readonly Question[]): Compiled[] => questions.map(({ compiled }) => compiled)

/** One evaluation of the rules of one dataset. */
export class Pass {
  readonly #needs: PassNeeds
  readonly #dataset: string
  readonly #signal: AbortSignal
  readonly #time: PassTime
  readonly #turns = new Turns()
  /** Columns that can't be read. */
  readonly #unread = new Set<string>()
  /** How long the first scan of text took: others take no less. */
  #scanMs = 0
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
    this.#time = new PassTime(needs.clock, needs.evaluationMs)
    this.#aliases.set(dataset, DATASET)
  }

  /** The outcome of each rule, by its id. A rule that can't be asked spoils none of the others. */
  async run(all: readonly Asked[]): Promise<ReadonlyMap<string, Outcome>> {
    const { plane, guard } = this.#needs
    this.#mask = await guard.maskForAll([this.#dataset])
    const rules = all.map((rule) => this.#veiled(rule))
    await using data = new OneDataset(plane, this.#dataset, this.#signal)
    const found = await this.#askKnown(rules)
    if (found !== 'answered') await this.#askAnew(rules, data, found === 'failed')
    return this.#outcomes
  }

  /** Asks with the columns as they are now. */
  async #askAnew(rules: readonly Asked[], data: OneDataset, hasFailed: boolean): Promise<void> {
    const { known } = this.#needs
    let columns: Columns
    try {
      const described = await data.describe()
      known.set(this.#dataset, described)
      columns = new Columns(described)
    } catch (error) {
      const judgement = refusalOf(error, this.#mask)
      for (const { id } of rules) this.#settle(id, judgement)
      return
    }
    const questions: Question[] = []
    const learners: Asked[] = []
    for (const rule of rules) {
      const prepared = await this.#prepare(rule, columns, data)
      if (prepared === 'learns') learners.push(rule)
      else if (prepared !== undefined) questions.push({ rule, compiled: prepared })
    }
    const turns = firstTurns(this.#dataset, questions, learners)
    this.#turns.add(hasFailed ? turns.flatMap((turn) => (turn.questions.length > 1 ? partsOf(turn) : [turn])) : turns)
    for (let turn = this.#turns.take(); turn !== undefined; turn = this.#turns.take()) {
      await this.#take(turn, columns, data)
    }
    const isRead = ({ name }: DataColumn) => !this.#unread.has(name)
    await this.#addSamples(questions, columns.all.filter(isRead), data)
  }

  /** Asks with the columns as they were the last time, if they still are so. */
  async #askKnown(rules: readonly Asked[]): Promise<'answered' | 'changed' | 'failed'> {
    const { known, clock, plane } = this.#needs
    const all = known.get(this.#dataset)
    if (all === undefined || rules.length > RULES_AT_ONCE) return 'changed'
    const columns = new Columns(all)
    try {
      const questions = rules.flatMap((rule) => {
        const compiled = compile(rule, columns, (dataset) => this.#aliasOf(dataset), known.spansOf(this.#dataset))
        const others = known.get(rule.config.to?.dataset ?? '')
        if (others !== undefined) requireSameKind(rule.config, columns, new Columns(others))
        return compiled === undefined ? [] : [{ rule, compiled }]
      })
      // Others are about all columns, also those that are new.
      if (questions.length < rules.length) return 'changed'
      const startedMs = clock.elapsed()
      const { sql, relations, read, spans } = statementOf(this.#dataset, compiledOf(questions), typesSql(all))
      await using session = await plane.session({ relations, signal: this.#signal })
      const limits = { ...ONE_ROW, timeoutMs: this.#time.statementMs }
      const [row = []] = await (await session.query({ sql, limits })).rows()
      if (!areSame(all, row.at(-1))) return 'changed'
      const counted = read(row)
      // Keys that are not as they were: described anew, nothing is known of them.
      if (counted === undefined) return 'changed'
      known.setSpans(this.#dataset, spans(row))
      this.#judge(questions, counted, startedMs)
      if (isText(this.#dataset) && clock.elapsed() - startedMs > SLOW_MS) known.forget(this.#dataset)
      await this.#addSamples(questions, columns.all, session)
      return 'answered'
    } catch (error) {
      // What is wrong is found out with the columns as they are now.
      if (error instanceof Unaskable) return 'changed'
      if (error instanceof DataError && !PASSING.has(error.code)) return 'failed'
      throw error
    }
  }

  /** What is to be asked; nothing where the rule is answered by now. */
  async #prepare(rule: Asked, columns: Columns, data: OneDataset): Promise<Compiled | 'learns' | undefined> {
    try {
      const compiled = compile(rule, columns, (dataset) => this.#aliasOf(dataset))
      const { known } = this.#needs
      if (rule.type === 'referential') await requireSameKindNow({ data, known }, this.#dataset, rule, columns)
      if (compiled !== undefined) return compiled
      if (rule.type === 'distribution') return 'learns'
      const schema = await this.#needs.schemaOf(rule.config.schemaId ?? '', rule.config.version)
      this.#settle(rule.id, matchSchema(schema, columns.all))
    } catch (error) {
      this.#settle(rule.id, refusalOf(error, this.#mask))
    }
    return undefined
  }

  /** Values of a column that is confidential now are not named, although its baseline is open. */
  #veiled(rule: Asked): Asked {
    if (rule.baseline === undefined || !isSecret(this.#mask, rule.config.column ?? '')) return rule
    return { ...rule, baseline: { ...rule.baseline, isOpen: false } }
  }

  /** Has a rule make its first baseline. */
  async #learn({ id, config }: Asked, columns: Columns, data: OneDataset, timeoutMs: number): Promise<Judgement> {
    const column = columns.find(config.column ?? '') as DataColumn
    const order = { dataset: this.#dataset, column, timeoutMs }
    const { judgement, learned } = await firstBaseline(data, order, config, this.#signal)
    if (learned !== undefined) this.learned.set(id, { ...learned, isSecret: isSecret(this.#mask, column.name) })
    return judgement
  }

  /** The same data have one name in all statements. */
  #aliasOf(dataset: string): string {
    return this.#aliases.getOrInsertComputed(dataset, () =>
      this.#aliases.size === 1 ? 'other' : `other${this.#aliases.size}`
    )
  }

  /** Asks what it is the turn of, if there is time. */
  async #take(turn: Turn, columns: Columns, data: OneDataset): Promise<void> {
    if (this.#scanMs > QUICK_MS && isOfSeveralScans(turn)) return this.#turns.add(partsOf(turn))
    const startedMs = this.#needs.clock.elapsed()
    const limitMs = this.#time.limitFor(turn, this.#turns.rulesBeside(turn), this.#scanMs)
    if (limitMs === undefined) {
      this.#settleLate(turn)
      return
    }
    try {
      if (turn.learns !== undefined) {
        this.#settle(turn.learns.id, await this.#learn(turn.learns, columns, data, limitMs), this.#since(startedMs))
        return
      }
      this.#judge(turn.questions, await this.#count(turn.questions, data, limitMs), startedMs)
      if (isText(this.#dataset)) this.#noteSpeed(this.#since(startedMs))
    } catch (error) {
      this.#afterFailure(turn, error, limitMs, this.#since(startedMs))
    }
  }

  #settleLate(turn: Turn): void {
    for (const rule of rulesIn(turn)) this.#settle(rule.id, this.#time.tooLate(rule, turn.hadMs), turn.hadMs)
  }

  /** Of text that takes long, nothing is remembered: what is cheap is asked first the next time too. */
  #noteSpeed(elapsedMs: number): void {
    this.#scanMs ||= elapsedMs
    if (elapsedMs > SLOW_MS) this.#needs.known.forget(this.#dataset)
  }

  /** Has what can't be asked together asked in parts: so the rule that is to blame is found. */
  #afterFailure(turn: Turn, error: unknown, limitMs: number, elapsedMs: number): void {
    const judgement = refusalOf(error, this.#mask)
    const { questions, isFirst } = turn
    if (error instanceof DataError && error.column !== undefined) this.#unread.add(error.column)
    if (questions.length <= 1 && judgement.reason?.code === 'timeout') {
      const late = { ...turn, hadMs: limitMs }
      if (this.#time.isEnoughFor(late)) this.#turns.add([late])
      else this.#settleLate(late)
      return
    }
    const isAlone = questions.length <= 1 || !isOfOne(error, compiledOf(questions))
    const [blamed = [], others = []] = [true, false].map((is) =>
      questions.filter(({ compiled }) => isAboutUnread(error, compiled) === is)
    )
    for (const { id } of isAlone ? rulesIn(turn) : blamed.map(({ rule }) => rule))
      this.#settle(id, judgement, elapsedMs)
    if (isAlone) return
    this.#turns.add(blamed.length > 0 ? [{ questions: others, isFirst }] : partsOf(turn))
  }

  #judge(questions: readonly Question[], counted: readonly Counted[], startedMs: number): void {
    const { clock } = this.#needs
    const elapsedMs = this.#since(startedMs)
    for (const [at, { rule, compiled }] of questions.entries()) {
      this.#settle(rule.id, judge(rule, counted[at] as Counted, clock.now()), elapsedMs, compiled)
    }
  }

  #since(startedMs: number): number {
    return Math.round(this.#needs.clock.elapsed() - startedMs)
  }

  /** What the rows come to. */
  async #count(questions: readonly Question[], data: OneDataset, timeoutMs: number): Promise<Counted[]> {
    const { sql, relations, read, spans } = statementOf(this.#dataset, compiledOf(questions))
    const answer = await data.query({ sql, relations, limits: { ...ONE_ROW, timeoutMs } })
    const [row = []] = await answer.rows()
    this.#needs.known.setSpans(this.#dataset, spans(row))
    return read(row) ?? []
  }

  #settle(id: string, judgement: Judgement, elapsedMs = 0, compiled?: Compiled): void {
    const failing = compiled?.failing
    const relations = { [DATASET]: this.#dataset, ...compiled?.others }
    const failingRowsQuery = failing === undefined ? null : { sql: failing, relations }
    this.#outcomes.set(id, { ...judgement, sample: [], failingRowsQuery, elapsedMs })
    this.#needs.settled?.(this.#outcomes.size)
  }

  async #addSamples(questions: readonly Question[], columns: readonly DataColumn[], plane: Sampled): Promise<void> {
    const isLate = () => this.#time.isOver
    const needs = { plane, mask: this.#mask, signal: this.#signal, isLate }
    await addSamples(needs, columns, questions, this.#outcomes)
  }
}
