import type { AlertEvent } from '../../../area.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../../http/rows.ts'
import type { Guard } from '../../classification/index.ts'
import type { Lineage } from '../../lineage/index.ts'
import { closeAlertsOf } from '../history/closing.ts'
import type { RuleRow } from '../migrations.ts'
import type { Notices } from '../notices.ts'
import { isSameRouting, saveChannels } from './channels.ts'
import { requireSound } from './conditions.ts'
import { dataOf } from './data.ts'
import { type Definition, definitionOf, parsedConditions, phaseOf, readDefinition, resourcesOf } from './definition.ts'
import { tellReads, tellRemoved } from './lineage.ts'
import {
  DEFAULT_INTERVAL_S,
  type InstanceQuery,
  type Rule,
  type RuleCreate,
  type RuleQuery,
  type RuleUpdate
} from './schema.ts'
import * as store from './store.ts'
import { factsOf, toInstance, toRule } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly notices: Notices
  readonly alertEvents: ReadonlyMap<string, AlertEvent>
  readonly lineage: Pick<Lineage, 'saw' | 'removed'>
  guard(): Promise<Pick<Guard, 'requireAll'>>
}

export class Rules {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  events() {
    const declared = [...this.#needs.alertEvents]
    return { events: declared.map(([name, { about, labels }]) => ({ name, about, labels: [...labels] })) }
  }

  async list(query: RuleQuery) {
    const { rows, total, nextCursor } = await store.listRules(this.#needs.metadata.db, query)
    return { rules: rows.map(toRule), total, nextCursor }
  }

  async get(id: string): Promise<Rule> {
    return toRule(await orNotFound(store.findRule(this.#needs.metadata.db, id)))
  }

  async instances(id: string, query: InstanceQuery) {
    const { db } = this.#needs.metadata
    // A cursor that is none is told first, as everywhere.
    const { rows, total, nextCursor } = await store.listInstances(db, id, query)
    await orNotFound(store.findRule(db, id))
    return { instances: rows.map(toInstance), total, nextCursor }
  }

  /** A rule reads as the platform: whoever makes or changes one has to be allowed to see the data. */
  async requireClearance(actor: Actor, body: RuleUpdate, id?: string): Promise<void> {
    const known = id === undefined ? undefined : await orNotFound(store.findRule(this.#needs.metadata.db, id))
    const definition = this.defined(body, known && readDefinition(known))
    await (await this.#needs.guard()).requireAll(actor, parsedConditions(definition).flatMap(dataOf))
  }

  async create(tx: Db, actor: Actor, body: RuleCreate): Promise<Outcome<Rule>> {
    const { clock, makeId } = this.#needs
    const definition = this.defined(body)
    const id = makeId('alr')
    const interval_ms = (body.intervalSeconds ?? DEFAULT_INTERVAL_S) * 1000
    const row: RuleRow = {
      id,
      name: body.name,
      description: body.description ?? '',
      definition: JSON.stringify(definition),
      severity: body.severity ?? 'warning',
      enabled: body.enabled === false ? 0 : 1,
      reads_sql: readsSql(definition),
      interval_ms,
      phase_ms: phaseOf(id, interval_ms),
      next_ms: clock.now(),
      ...NOT_EVALUATED,
      created_by: actor.id,
      ...firstStamps(clock)
    }
    await orNameTaken(() => store.insertRule(tx, row))
    await store.saveUses(tx, id, resourcesOf(definition.conditions))
    await saveChannels(tx, id, definition)
    await tellReads(tx, this.#needs.lineage, row)
    return { answer: toRule(row), changes: [{ type: 'alert-rule', id, after: factsOf(row) }] }
  }

  /**
   * Instances and open alerts stay as they are: the next evaluation, which comes at once, judges them by what the rule
   * says now. Only a rule that is disabled ends them, because nobody would.
   */
  async update(tx: Db, id: string, body: RuleUpdate): Promise<Outcome<Rule>> {
    const { clock, notices } = this.#needs
    const before = await orNotFound(store.lockRule(tx, id))
    const known = readDefinition(before)
    const definition = this.defined(body, known)
    const interval_ms = body.intervalSeconds === undefined ? before.interval_ms : body.intervalSeconds * 1000
    const enabled = body.enabled === undefined ? before.enabled : Number(body.enabled)
    const row: RuleRow = {
      ...before,
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      definition: JSON.stringify(definition),
      severity: body.severity ?? before.severity,
      enabled,
      reads_sql: readsSql(definition),
      interval_ms,
      phase_ms: phaseOf(id, interval_ms),
      next_ms: clock.now(),
      ...(enabled === 0 && NOT_EVALUATED),
      ...nextStamps(before, clock)
    }
    await orNameTaken(() => store.updateRule(tx, row))
    await store.saveUses(tx, id, resourcesOf(definition.conditions))
    if (enabled === 0) await closeAlertsOf(tx, { clock, notices }, id, 'rule-disabled')
    if (!isSameRouting(known, definition)) {
      await saveChannels(tx, id, definition)
      await notices.rerouted(tx, id)
    }
    await tellReads(tx, this.#needs.lineage, row)
    return { answer: toRule(row), changes: [{ type: 'alert-rule', id, before: factsOf(before), after: factsOf(row) }] }
  }

  async delete(tx: Db, id: string): Promise<Outcome<null>> {
    const { clock, notices } = this.#needs
    const row = await orNotFound(store.lockRule(tx, id))
    await closeAlertsOf(tx, { clock, notices }, id, 'rule-deleted')
    await store.deleteRule(tx, id)
    await tellRemoved(tx, this.#needs.lineage, row)
    return { answer: null, changes: [{ type: 'alert-rule', id, before: factsOf(row) }] }
  }

  /** The definition of a rule that is asked for; throws everything that is wrong with it. */
  defined(body: RuleUpdate, before?: Definition): Definition {
    const definition = definitionOf(body, before)
    requireSound(body, definition.conditions, [...this.#needs.alertEvents.keys()])
    return definition
  }
}

const NOT_EVALUATED = { state: null, evaluated_at: null, duration_ms: null, error: null, seen: null }

const readsSql = ({ conditions }: Definition): number => Number(conditions.some(({ sql }) => sql !== undefined))
