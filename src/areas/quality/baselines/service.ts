import type { DataPlane } from '../../../data/plane.ts'
import { parseReference } from '../../../data/reference.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import { withData } from '../../../http/data-problems.ts'
import { requireRead } from '../../../http/data-rights.ts'
import type { Uses } from '../../../http/in-use.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome, Performed } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import type { Guard } from '../../classification/index.ts'
import { learn } from '../drift/learn.ts'
import { rowsOf, shapeKindOf } from '../drift/shape.ts'
import { invalidField, Problem } from '../errors.ts'
import { Columns } from '../evaluation/columns.ts'
import { conditionOf } from '../evaluation/compile.ts'
import { isSecret, unspoken } from '../evaluation/secrecy.ts'
import type { BaselineRow } from '../migrations.ts'
import { conditionFaults, refuse } from '../rules/check.ts'
import type { Run } from '../runs/run.ts'
import type { UnderWay } from '../runs/under-way.ts'
import type { Baseline, BaselineCreate, BaselineQuery } from './schema.ts'
import { keptShape } from './sealing.ts'
import * as store from './store.ts'
import { factsOf, toBaseline } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly vault: Vault
  readonly plane: Pick<DataPlane, 'query' | 'session' | 'describe' | 'lineage'>
  readonly uses: Uses
  readonly underWay: UnderWay
  guard(): Promise<Pick<Guard, 'requireAll' | 'maskForAll' | 'maskOf'>>
  /** Aborts when the server is about to end. */
  readonly ending: AbortSignal
}

/** Beside those that rules make for themselves. */
const MAX_BASELINES_OF_DATASET = 500

export class Baselines {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(actor: Actor, query: BaselineQuery) {
    const { rows, total, nextCursor } = await store.listBaselines(this.#needs.metadata.db, query)
    return { baselines: await this.#show(actor, rows), total, nextCursor }
  }

  async get(actor: Actor, id: string): Promise<Baseline> {
    const [baseline] = await this.#show(actor, [await orNotFound(store.findBaseline(this.#needs.metadata.db, id))])
    return baseline as Baseline
  }

  async #show(actor: Actor, rows: readonly BaselineRow[]): Promise<Baseline[]> {
    const guard = await this.#needs.guard()
    const shown: Baseline[] = []
    for (const row of rows) shown.push(toBaseline(row, actor, await guard.maskOf(actor, [row.dataset])))
    return shown
  }

  async create(actor: Actor, body: BaselineCreate): Promise<Performed<Baseline>> {
    const reference = parseReference(body.dataset)
    if ('problem' in reference) throw invalidField('/dataset', reference.problem)
    requireRead(actor, reference)
    await (await this.#needs.guard()).requireAll(actor, [reference])
    const { makeId, underWay, ending } = this.#needs
    const { dataset } = body
    const facts = { id: makeId('qrun'), kind: 'baseline', dataset, cause: 'request', startedBy: actor.id } as const
    const row = await withData(() =>
      underWay.during(facts, (run) => run.orCancelled((until) => this.#learned(run, actor, body, until), ending))
    )
    return {
      answer: (await this.#show(actor, [row]))[0] as Baseline,
      changes: [{ type: 'quality-baseline', id: row.id, after: factsOf(row) }],
      commit: async (tx) => {
        if ((await store.countBaselines(tx, row.dataset)) >= MAX_BASELINES_OF_DATASET) {
          throw new Problem('too_many_baselines')
        }
        await store.insertBaseline(tx, row)
      }
    }
  }

  /** One that a rule has made for itself is made anew when the rule is evaluated next. */
  async delete(tx: Db, id: string): Promise<Outcome<null>> {
    const row = await orNotFound(store.findBaseline(tx, id))
    await this.#needs.uses.requireUnused(tx, { type: 'quality-baseline', id }, 'have it compare with another baseline')
    await store.deleteBaseline(tx, id)
    return { answer: null, changes: [{ type: 'quality-baseline', id, before: factsOf(row) }] }
  }

  async #learned(run: Run, actor: Actor, body: BaselineCreate, signal: AbortSignal): Promise<BaselineRow> {
    const { clock, makeId, vault, guard } = this.#needs
    const { dataset } = body
    const plane = run.watched(this.#needs.plane)
    run.expect(1)
    refuse(await conditionFaults({ ...this.#needs, plane }, body, '/where', signal))
    const mask = await (await guard()).maskForAll([dataset])
    const column = columnOf(new Columns(await plane.describe(dataset, signal)), body.column)
    const order = { dataset, column, where: conditionOf(body) }
    const learned = await unspoken(mask, () => learn(plane, order, signal))
    if (learned === undefined) {
      throw new Problem('unprocessable', { detail: `There is no row that has a value in ${column.name}.` })
    }
    const id = makeId('qb')
    return {
      id,
      rule_id: null,
      dataset,
      column_name: column.name,
      kind: learned.cells.kind,
      condition: body.where ?? '',
      row_count: rowsOf(learned.shape),
      ...keptShape(vault, id, learned, isSecret(mask, column.name)),
      created_by: actor.id,
      created_at: clock.iso()
    }
  }
}

function columnOf(columns: Columns, name: string): DataColumn {
  const column = columns.find(name)
  if (column === undefined) throw invalidField('/column', columns.missing(name))
  if (shapeKindOf(column) !== undefined) return column
  throw invalidField(
    '/column',
    `The column ${column.name} is ${column.type}; a baseline is of numbers, times, texts or truth values.`
  )
}
