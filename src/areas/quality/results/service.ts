import { parseReference } from '../../../data/reference.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { withData } from '../../../http/data-problems.ts'
import { requireRead } from '../../../http/data-rights.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Performed } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import type { Guard } from '../../classification/index.ts'
import { invalidField, Problem } from '../errors.ts'
import type { Evaluations } from '../evaluation/service.ts'
import type { ResultRow, RuleRow } from '../migrations.ts'
import { datasetsOf } from '../rules/resources.ts'
import { findRule, rulesOf } from '../rules/store.ts'
import { timeOf } from '../times.ts'
import type { Evaluate, Evaluation, Result, ResultQuery } from './schema.ts'
import * as store from './store.ts'
import { toResult } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly evaluations: Evaluations
  guard(): Promise<Pick<Guard, 'requireAll' | 'maskOf'>>
  /** Aborts when the server is about to end. */
  readonly ending: AbortSignal
}

export class Results {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(actor: Actor, query: ResultQuery) {
    const { metadata, clock } = this.#needs
    const between = { from: timeOf('from', query.from, clock.now()), to: timeOf('to', query.to, clock.now()) }
    const { rows, total, nextCursor } = await store.listResults(metadata.db, query, between)
    return { results: await this.#show(actor, rows), total, nextCursor }
  }

  async get(actor: Actor, id: string): Promise<Result> {
    const [result] = await this.#show(actor, [await orNotFound(store.findResult(this.#needs.metadata.db, id))])
    return result as Result
  }

  async #show(actor: Actor, rows: readonly ResultRow[]): Promise<Result[]> {
    const guard = await this.#needs.guard()
    const results: Result[] = []
    for (const row of rows) results.push(toResult(row, actor, await guard.maskOf(actor, [row.dataset])))
    return results
  }

  async evaluateRule(actor: Actor, id: string): Promise<Performed<Result>> {
    const rule = await orNotFound(findRule(this.#needs.metadata.db, id))
    const { answer, ...performed } = await this.#evaluate(actor, [rule])
    return { ...performed, answer: answer.results[0] as Result }
  }

  async evaluateDataset(actor: Actor, { dataset, ruleIds }: Evaluate): Promise<Performed<Evaluation>> {
    const rules = await rulesOf(this.#needs.metadata.db, dataset, ruleIds)
    const found = new Set(rules.map(({ id }) => id))
    const stranger = ruleIds?.findIndex((id) => !found.has(id)) ?? -1
    if (stranger >= 0) throw invalidField(`/ruleIds/${stranger}`, 'names no rule of this dataset')
    if (rules.length === 0) throw new Problem('nothing_to_evaluate')
    return this.#evaluate(actor, rules)
  }

  async #evaluate(actor: Actor, rules: readonly RuleRow[]): Promise<Performed<Evaluation>> {
    const reference = parseReference(rules[0]?.dataset ?? '')
    if (!('problem' in reference)) requireRead(actor, reference)
    await (await this.#needs.guard()).requireAll(actor, rules.flatMap(datasetsOf))
    const { evaluations, ending } = this.#needs
    const { id, dataset, rows, elapsedMs, changes, commit } = await withData(() =>
      evaluations.evaluate(rules, { cause: 'request', startedBy: actor.id }, ending)
    )
    const results = await this.#show(actor, rows)
    return { answer: { id, dataset, results, elapsedMs }, changes, commit }
  }
}
