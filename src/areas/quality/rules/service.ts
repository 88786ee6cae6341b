import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { withData } from '../../../http/data-problems.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../../http/rows.ts'
import type { ColumnPlace, Lineage } from '../../lineage/index.ts'
import { forgetMeasurements } from '../anomalies/store.ts'
import { deleteBaselineOf } from '../baselines/store.ts'
import { Problem } from '../errors.ts'
import type { RuleRow } from '../migrations.ts'
import { saveScore } from '../scores/saving.ts'
import { type CheckNeeds, requireAskable } from './check.ts'
import { TYPES } from './config.ts'
import { definitionOf, readDefinition } from './definition.ts'
import { tellReads, tellRemoved } from './lineage.ts'
import { resourcesOf, triggersOf } from './resources.ts'
import type { Rule, RuleConfig, RuleCreate, RuleQuery, RuleUpdate } from './schema.ts'
import * as store from './store.ts'
import { factsOf, toRule, withoutQuotes } from './view.ts'

interface Needs extends CheckNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly lineage: Pick<Lineage, 'saw' | 'removed'>
  /** Aborts when the server is about to end. */
  readonly ending: AbortSignal
}

/** One evaluation asks all of them. */
const MAX_RULES_OF_DATASET = 500

const NOT_ANOMALOUS = { anomaly: null, anomalous_since: null }
const NOT_EVALUATED = {
  status: null,
  status_since: null,
  failing_since: null,
  evaluated_at: null,
  result_id: null,
  downstream: '',
  ...NOT_ANOMALOUS
}

export class Rules {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(actor: Actor, query: RuleQuery) {
    const { rows, total, nextCursor } = await store.listRules(this.#needs.metadata.db, query)
    const rules: Rule[] = []
    for (const row of rows) rules.push(await this.#shown(actor, row))
    return { rules, total, nextCursor }
  }

  async get(actor: Actor, id: string): Promise<Rule> {
    return this.#shown(actor, await orNotFound(store.findRule(this.#needs.metadata.db, id)))
  }

  /** A label may have come after the rule, in which somebody has written down what is in the data. */
  async #shown(actor: Actor, row: RuleRow): Promise<Rule> {
    const guard = await this.#needs.guard()
    return withoutQuotes(toRule(row), await guard.maskOf(actor, [row.dataset]))
  }

  /** Refuses what can't be asked, before there is a transaction: it takes a look at the data. Answers what it is about. */
  checkNew(actor: Actor, { dataset, type, ...body }: RuleCreate): Promise<ColumnPlace[]> {
    return this.#check(actor, { dataset, type, definition: definitionOf(body) })
  }

  async checkChanged(actor: Actor, id: string, body: RuleUpdate): Promise<ColumnPlace[]> {
    const row = await orNotFound(store.findRule(this.#needs.metadata.db, id))
    return this.#check(actor, {
      dataset: row.dataset,
      type: row.type,
      definition: definitionOf(body, readDefinition(row))
    })
  }

  #check(actor: Actor, asking: Parameters<typeof requireAskable>[2]): Promise<ColumnPlace[]> {
    return withData(() => requireAskable(this.#needs, actor, asking, this.#needs.ending))
  }

  /** With the columns that it looks at, for the lineage. */
  async create(tx: Db, actor: Actor, body: RuleCreate, columns: readonly ColumnPlace[]): Promise<Outcome<Rule>> {
    const { clock, makeId } = this.#needs
    if ((await store.countRules(tx, body.dataset)) >= MAX_RULES_OF_DATASET) {
      throw new Problem('too_many_rules')
    }
    const row: RuleRow = {
      id: makeId('qr'),
      name: body.name,
      description: body.description ?? '',
      dataset: body.dataset,
      type: body.type,
      definition: JSON.stringify(definitionOf(body)),
      severity: body.severity ?? 'error',
      dimension: body.dimension ?? TYPES[body.type].dimension,
      enabled: body.enabled === false ? 0 : 1,
      ...NOT_EVALUATED,
      created_by: actor.id,
      ...firstStamps(clock)
    }
    await orNameTaken(() => store.insertRule(tx, row))
    await this.#tie(tx, row, columns)
    return { answer: toRule(row), changes: [{ type: 'quality-rule', id: row.id, after: factsOf(row) }] }
  }

  /** Refuses whatever making the rule would refuse, and makes nothing. */
  async tryNew(actor: Actor, body: RuleCreate): Promise<null> {
    const columns = await this.checkNew(actor, body)
    return this.#undone((tx) => this.create(tx, actor, body, columns))
  }

  async tryChanged(actor: Actor, id: string, body: RuleUpdate): Promise<null> {
    const columns = await this.checkChanged(actor, id, body)
    return this.#undone((tx) => this.update(tx, id, body, columns))
  }

  /** Does it, and takes it back: so nothing is said to be possible that is not. */
  async #undone(work: (tx: Db) => Promise<unknown>): Promise<null> {
    const taken = new Error('It was only tried')
    try {
      await this.#needs.metadata.transaction(async (tx) => {
        await work(tx)
        throw taken
      })
    } catch (error) {
      if (error !== taken) throw error
    }
    return null
  }

  /** A rule that asks something else than before has not been evaluated. */
  async update(tx: Db, id: string, body: RuleUpdate, columns: readonly ColumnPlace[]): Promise<Outcome<Rule>> {
    const before = await orNotFound(store.lockRule(tx, id))
    const known = readDefinition(before)
    const wanted = definitionOf(body, known)
    const isAnother = JSON.stringify(wanted) !== JSON.stringify({ ...known, anomalies: wanted.anomalies })
    const row: RuleRow = {
      ...before,
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      definition: JSON.stringify(wanted),
      severity: body.severity ?? before.severity,
      dimension: body.dimension ?? before.dimension,
      enabled: body.enabled === undefined ? before.enabled : Number(body.enabled),
      ...(isAnother && NOT_EVALUATED),
      ...(!wanted.anomalies && NOT_ANOMALOUS),
      ...nextStamps(before, this.#needs.clock)
    }
    await orNameTaken(() => store.updateRule(tx, row))
    if (isAnother || !wanted.anomalies) await forgetMeasurements(tx, id)
    if (isOfOtherRows(known.config, wanted.config)) await deleteBaselineOf(tx, id)
    await this.#tie(tx, row, columns)
    await saveScore(tx, this.#needs, row.dataset, [])
    return {
      answer: toRule(row),
      changes: [{ type: 'quality-rule', id, before: factsOf(before), after: factsOf(row) }]
    }
  }

  async delete(tx: Db, id: string): Promise<Outcome<null>> {
    const row = await orNotFound(store.lockRule(tx, id))
    await store.deleteRule(tx, id)
    await forgetMeasurements(tx, id)
    await deleteBaselineOf(tx, id)
    await saveScore(tx, this.#needs, row.dataset, [])
    await tellRemoved(tx, this.#needs.lineage, row)
    return { answer: null, changes: [{ type: 'quality-rule', id, before: factsOf(row) }] }
  }

  async #tie(tx: Db, row: RuleRow, columns: readonly ColumnPlace[]): Promise<void> {
    await store.saveTies(tx, row.id, resourcesOf(row), triggersOf(row))
    await tellReads(tx, this.#needs.lineage, row, columns)
  }
}

/** Whether a rule is about other rows or another column than before: its own baseline is of those. */
const isOfOtherRows = (before: RuleConfig, after: RuleConfig): boolean =>
  before.column !== after.column || before.where !== after.where || before.sample !== after.sample
