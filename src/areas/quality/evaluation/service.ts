import type { DataPlane } from '../../../data/plane.ts'
import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import type { Change } from '../../../http/changes.ts'
import type { Anomaly } from '../anomalies/follow.ts'
import { type Measured, measure } from '../anomalies/measure.ts'
import { forgetBefore, insertMeasurements, relearn } from '../anomalies/store.ts'
import { baselinesOf, firstBaselineRow } from '../baselines/known.ts'
import { insertFirstBaseline } from '../baselines/store.ts'
import type { BaselineRow, ResultRow, RuleRow } from '../migrations.ts'
import { insertResults } from '../results/store.ts'
import { readDefinition } from '../rules/definition.ts'
import type { Run } from '../runs/run.ts'
import type { UnderWay } from '../runs/under-way.ts'
import { type Move, saveScore } from '../scores/saving.ts'
import { type Cause, STATUSES, type Status } from '../words.ts'
import { notJudged } from './judge.ts'
import { KnownColumns } from './known-columns.ts'
import { type Outcome, Pass, type PassNeeds } from './pass.ts'

interface Needs extends Omit<PassNeeds, 'guard' | 'known' | 'plane'> {
  readonly plane: Pick<DataPlane, 'query' | 'session' | 'describe' | 'lineage'>
  readonly underWay: UnderWay
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly vault: Vault
  guard(): Promise<PassNeeds['guard']>
  /** What depends on a dataset, in words; empty where nothing does. */
  downstreamOf(dataset: string): Promise<string>
}

/** What brought an evaluation about. */
export interface Origin {
  readonly cause: Cause
  /** The user; null where nobody has asked for it. */
  readonly startedBy: string | null
}

/** An evaluation that took place and is to be written down. */
export interface Evaluated {
  readonly id: string
  readonly dataset: string
  readonly rows: readonly ResultRow[]
  readonly elapsedMs: number
  /** Who has cancelled it, in words: no rule was evaluated then. */
  readonly cancelled: string | undefined
  readonly changes: readonly [Change]
  /** Writes results, what rules have come to, and the score. */
  commit(tx: Db): Promise<void>
}

export class Evaluations {
  readonly #needs: Needs
  readonly #known = new KnownColumns()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Asks rules, which are all of one dataset. Nothing is written before `commit`. */
  evaluate(rules: readonly RuleRow[], { cause, startedBy }: Origin, signal: AbortSignal): Promise<Evaluated> {
    const { makeId, underWay } = this.#needs
    const dataset = rules[0]?.dataset ?? ''
    const facts = { id: makeId('qev'), kind: 'evaluation', dataset, cause, startedBy } as const
    return underWay.during(facts, (run) => {
      run.expect(rules.length)
      return this.#evaluate(run, rules, signal)
    })
  }

  async #evaluate(run: Run, rules: readonly RuleRow[], signal: AbortSignal): Promise<Evaluated> {
    const { metadata, clock, makeId, vault } = this.#needs
    const { id, dataset, cause } = run.facts
    const startedMs = clock.elapsed()
    const { outcomes, learned, cancelled } = await this.#ask(run, rules, signal)
    const atMs = clock.now()
    const measured = await measure(metadata.db, rules, outcomes, atMs)
    const rows = rules.map((rule) =>
      this.#resultOf(
        rule,
        { ...(outcomes.get(rule.id) as Outcome), ...measured.get(rule.id)?.told },
        { id, cause, atMs }
      )
    )
    const first = rules.flatMap((rule) => {
      const baseline = learned.get(rule.id)
      return baseline === undefined ? [] : [firstBaselineRow({ vault, clock, makeId }, rule, baseline)]
    })
    const downstream = rows.some((row, at) => isNewFailure(rules[at], row))
      ? await this.#needs.downstreamOf(dataset)
      : ''
    const after = { id, dataset, cause, ...countsOf(rows), ...(cancelled !== undefined && { cancelled }) }
    return {
      id,
      dataset,
      rows,
      elapsedMs: Math.round(clock.elapsed() - startedMs),
      cancelled,
      changes: [{ type: 'quality-evaluation', id, after }],
      commit: (tx) => this.#write(tx, { dataset, asked: rules, rows, downstream, measured, first })
    }
  }

  /** All rules are answered, or where somebody cancels it none is: half of an evaluation would look like a whole one. */
  async #ask(run: Run, rules: readonly RuleRow[], signal: AbortSignal): Promise<Answered> {
    const { metadata, guard, vault, plane, clock } = this.#needs
    const startedMs = clock.elapsed()
    const watched = { plane: run.watched(plane), settled: run.settled }
    const needs = { ...this.#needs, ...watched, known: this.#known, guard: await guard() }
    const baselines = await baselinesOf(metadata.db, vault, rules)
    const asked = rules.map((row) => ({
      id: row.id,
      type: row.type,
      ...readDefinition(row),
      baseline: baselines.get(row.id)
    }))
    const pass = new Pass(needs, run.facts.dataset, AbortSignal.any([signal, run.signal]))
    try {
      const outcomes = await pass.run(asked)
      if (run.reason === undefined) return { outcomes, learned: pass.learned, cancelled: undefined }
    } catch (error) {
      if (run.reason === undefined) throw error
    }
    const judgement = notJudged('notEvaluated', { code: 'cancelled', message: run.reason })
    const elapsedMs = Math.round(clock.elapsed() - startedMs)
    const outcome: Outcome = { ...judgement, sample: [], failingRowsQuery: null, elapsedMs }
    return { outcomes: new Map(rules.map(({ id }) => [id, outcome])), learned: new Map(), cancelled: run.reason }
  }

  #resultOf(
    rule: RuleRow,
    outcome: Outcome,
    evaluation: { readonly id: string; readonly cause: Cause; readonly atMs: number }
  ): ResultRow {
    return {
      id: this.#needs.makeId('qres'),
      rule_id: rule.id,
      rule_name: rule.name,
      evaluation_id: evaluation.id,
      cause: evaluation.cause,
      dataset: rule.dataset,
      status: outcome.status,
      severity: rule.severity,
      dimension: rule.dimension,
      outcome: JSON.stringify(outcome),
      evaluated_at: toIso(evaluation.atMs)
    }
  }

  /** A rule that was changed or deleted meanwhile is as it was: what was asked is no longer its question. */
  async #write(tx: Db, { dataset, asked, rows, downstream, measured, first }: Written): Promise<void> {
    await insertResults(tx, rows)
    const current = await tx
      .selectFrom('quality_rules')
      .selectAll()
      .where('dataset', '=', dataset)
      .orderBy('id')
      .forUpdate()
      .execute()
    const byId = new Map(current.map((row) => [row.id, row]))
    const moves: Move[] = []
    const kept = new Set<string>()
    for (const [at, row] of rows.entries()) {
      const rule = byId.get(row.rule_id)
      if (rule === undefined || rule.version !== asked[at]?.version) continue
      kept.add(rule.id)
      const isChanged = rule.status !== row.status
      const anomaly = measured.get(rule.id)?.told.anomaly
      if (isChanged) moves.push({ ruleId: rule.id, ruleName: rule.name, from: rule.status, to: row.status })
      const change = {
        status: row.status,
        evaluated_at: row.evaluated_at,
        result_id: row.id,
        ...(anomaly !== undefined && anomalyColumns(anomaly)),
        ...(isChanged && { status_since: row.evaluated_at }),
        ...(isNewFailure(rule, row) && { failing_since: row.evaluated_at, downstream }),
        ...(isKept(row.status) && { failing_since: null, downstream: '' })
      }
      await tx.updateTable('quality_rules').set(change).where('id', '=', rule.id).execute()
    }
    for (const row of first) if (kept.has(row.rule_id ?? '')) await insertFirstBaseline(tx, row)
    await this.#remember(
      tx,
      rows.filter(({ rule_id }) => kept.has(rule_id)),
      measured
    )
    await saveScore(tx, this.#needs, dataset, moves)
  }

  async #remember(tx: Db, rows: readonly ResultRow[], measured: Written['measured']): Promise<void> {
    const own = rows.flatMap(({ id, rule_id }) => {
      const found = measured.get(rule_id)
      return found === undefined ? [] : [{ ...found, row: { id, rule_id, ...found.row } }]
    })
    await insertMeasurements(
      tx,
      own.map(({ row }) => row)
    )
    for (const { row, learnsFromMs, keepsFromMs } of own) {
      if (learnsFromMs !== null) await relearn(tx, row.rule_id, learnsFromMs)
      else if (keepsFromMs !== null) await forgetBefore(tx, row.rule_id, keepsFromMs)
    }
  }
}

/** What became of rules, and the baselines that some have made. */
interface Answered {
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly learned: Pass['learned']
  /** Who has cancelled it, in words. */
  readonly cancelled: string | undefined
}

/** All that an evaluation writes. */
interface Written {
  readonly dataset: string
  readonly asked: readonly RuleRow[]
  readonly rows: readonly ResultRow[]
  readonly downstream: string
  /** By the ids of rules. */
  readonly measured: ReadonlyMap<string, Measured>
  readonly first: readonly BaselineRow[]
}

const anomalyColumns = (anomaly: Anomaly | null) => ({
  anomaly: anomaly === null ? null : JSON.stringify(anomaly),
  anomalous_since: anomaly?.since ?? null
})

const isNewFailure = (rule: RuleRow | undefined, { status }: ResultRow): boolean =>
  status === 'failed' && rule?.failing_since === null

const isKept = (status: Status): boolean => status === 'passed' || status === 'warned'

/** How many rules came to what. */
export function countsOf(rows: readonly ResultRow[]): Readonly<Partial<Record<Status, number>>> {
  const counts = STATUSES.map((status) => [status, rows.filter((row) => row.status === status).length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}
