import { DataError } from '../../../data/errors.ts'
import type { Mask } from '../../../data/mask.ts'
import type { DataPlane } from '../../../data/plane.ts'
import { parseReference } from '../../../data/reference.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { withData } from '../../../http/data-problems.ts'
import { requireRead } from '../../../http/data-rights.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Guard } from '../../classification/index.ts'
import { invalidField, Problem } from '../errors.ts'
import { Columns } from '../evaluation/columns.ts'
import { DATASET } from '../evaluation/compile.ts'
import { KnownColumns } from '../evaluation/known-columns.ts'
import type { PassNeeds } from '../evaluation/pass.ts'
import { isSecret } from '../evaluation/secrecy.ts'
import { CONDITION_FORM, readCondition } from '../rules/condition.ts'
import type { Run } from '../runs/run.ts'
import type { UnderWay } from '../runs/under-way.ts'
import type { Profile, ProfileOrder } from './schema.ts'
import { suggestionsFor } from './suggestions/suggest.ts'
import { Survey } from './survey.ts'

interface Needs extends Omit<PassNeeds, 'guard' | 'known' | 'plane'> {
  readonly metadata: Metadata
  readonly makeId: MakeId
  readonly underWay: UnderWay
  readonly plane: Pick<DataPlane, 'query' | 'session' | 'describe' | 'lineage'>
  guard(): Promise<Pick<Guard, 'requireAll' | 'maskForAll'>>
  /** Aborts when the server is about to end. */
  readonly ending: AbortSignal
}

const MAX_COLUMNS = 1000

/** What data look like. Nothing of it is kept. */
export class Profiles {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** `signal` aborts when nobody waits for the answer any more. */
  async profile(actor: Actor, order: ProfileOrder, signal: AbortSignal): Promise<Profile> {
    const reference = parseReference(order.dataset)
    if ('problem' in reference) throw invalidField('/dataset', reference.problem)
    requireRead(actor, reference)
    await (await this.#needs.guard()).requireAll(actor, [reference])
    const { makeId, underWay, ending } = this.#needs
    const { dataset } = order
    const facts = { id: makeId('qrun'), kind: 'profile', dataset, cause: 'request', startedBy: actor.id } as const
    return withData(() =>
      underWay.during(facts, (run) =>
        run.orCancelled((until) => this.#profile(run, order, until), AbortSignal.any([signal, ending]))
      )
    )
  }

  async #profile(run: Run, order: ProfileOrder, signal: AbortSignal): Promise<Profile> {
    const { clock } = this.#needs
    const plane = run.watched(this.#needs.plane)
    const { dataset } = order
    const startedMs = clock.elapsed()
    const guard = await this.#needs.guard()
    const mask = await guard.maskForAll([dataset])
    const all = await describeData(plane, order, signal)
    await this.#requireOpen(order, all, mask, signal)
    const some = chosen(order, all)
    run.expect(some.length)
    const { rows, columns } = await new Survey({ clock, plane, settled: run.settled }, order, mask, signal).run(some)
    const elapsedMs = () => Math.round(clock.elapsed() - startedMs)
    if (order.suggest !== true) return { dataset, rows, columns, elapsedMs: elapsedMs() }
    const known = new KnownColumns()
    known.set(dataset, all)
    const needs = { ...this.#needs, plane, db: this.#needs.metadata.db, guard, known }
    const suggestions = await suggestionsFor(needs, order, { rows, columns }, signal)
    return { dataset, rows, columns, suggestions, elapsedMs: elapsedMs() }
  }

  /** By counting the rows for one guess after another, a condition would tell what may not be shown. */
  async #requireOpen(
    { where }: ProfileOrder,
    all: readonly DataColumn[],
    mask: Mask | undefined,
    signal: AbortSignal
  ): Promise<void> {
    if (where === undefined || mask === undefined) return
    const names = all.map(({ name }) => name)
    const { columns } = await readCondition(this.#needs.plane, where, names, signal)
    const secret = columns?.find((name) => isSecret(mask, name))
    if (columns !== undefined && secret === undefined) return
    throw invalidField(
      '/where',
      secret === undefined
        ? 'must be simpler: some of the data are confidential, and it can’t be told whether it is about these'
        : `must not be about ${secret}, which is confidential`
    )
  }
}

/** The columns of the data. A condition that is none, or is about something else, is refused here. */
async function describeData(
  plane: Needs['plane'],
  { dataset, where }: ProfileOrder,
  signal: AbortSignal
): Promise<readonly DataColumn[]> {
  if (where === undefined) return plane.describe(dataset, signal)
  const { isWhole } = await readCondition(plane, where, [], signal)
  if (!isWhole) throw invalidField('/where', CONDITION_FORM)
  try {
    const sql = `SELECT * FROM ${DATASET} WHERE (\n${where}\n) LIMIT 0`
    const answer = await plane.query({ sql, relations: { [DATASET]: dataset }, signal })
    await answer.close()
    return answer.columns
  } catch (error) {
    const isOfCondition = error instanceof DataError && (error.code === 'sql_error' || error.code === 'sql_refused')
    throw isOfCondition ? invalidField('/where', error.message) : error
  }
}

/** The columns that are asked for, in the order of the data. */
function chosen({ columns: names }: ProfileOrder, all: readonly DataColumn[]): readonly DataColumn[] {
  const columns = new Columns(all)
  const wanted = names?.map((name, at) => {
    const found = columns.find(name)
    if (found === undefined) throw invalidField(`/columns/${at}`, columns.missing(name))
    return found
  })
  const some = wanted === undefined ? all : all.filter((column) => wanted.includes(column))
  if (some.length <= MAX_COLUMNS) return some
  const detail = `The data have ${some.length} columns; name up to ${MAX_COLUMNS} of them in \`columns\`.`
  throw new Problem('unprocessable', { detail })
}
