import type { Clock } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { type Finding, type Installation, ok, warn } from '../../../finding.ts'
import { QuotedData } from '../../classification/index.ts'
import { outputReference } from '../lineage/references.ts'
import { inputReferences, outputReferences } from '../rights/references.ts'
import type { RunError } from '../store/rows.ts'
import type { PipelineState } from '../store/states.ts'
import { conditionOf, isLasting, POSITION_LOST } from './condition.ts'
import { findOldReaders } from './old-readers.ts'

const SUBJECT = 'pipelines'
/** Pipelines that are named one by one; of the others only the number is told. */
const MAX_NAMED = 5
/** Pipelines with an error that are looked at. */
const MAX_LOOKED_AT = 1000
const MAX_MESSAGE_CHARS = 300

/** Pipelines that should run and do not, those that do not get on, and the dead letters that wait. */
export async function checkPipelines(installation: Installation): Promise<Finding[]> {
  const { metadata, clock } = installation
  if (metadata === undefined || !(await areThere(metadata.db))) return []
  const { db } = metadata
  const { byState } = await conditionOf(db, clock.now())
  const wrong = [
    ...(await findFailed(db, clock, byState.failed)),
    ...(await findTroubled(db, clock)),
    ...(await findWaiting(db)),
    ...(await findOldReaders(installation, db))
  ]
  if (wrong.length > 0) return wrong
  const states = Object.entries(byState).flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]))
  return [ok(SUBJECT, states.length === 0 ? 'none yet' : `${states.join(', ')}; no dead letters wait`)]
}

/** In a database of an older version they may not be. */
async function areThere(db: Db): Promise<boolean> {
  const names = new Set((await db.introspection.getTables()).map(({ name }) => name))
  return ['pipelines', 'pipeline_runs', 'pipeline_letter_counts'].every((name) => names.has(name))
}

async function findFailed(db: Db, clock: Clock, total: number): Promise<Finding[]> {
  const rows = await db
    .selectFrom('pipelines')
    .leftJoin('pipeline_runs', 'pipeline_runs.id', 'pipelines.run_id')
    .select(['pipelines.id', 'pipelines.name', 'pipelines.error', 'pipeline_runs.ended_at'])
    .where('pipelines.status', '=', 'failed')
    .orderBy('pipeline_runs.ended_at', 'desc')
    .limit(MAX_NAMED)
    .execute()
  const words = new Words(db, clock)
  const found: Finding[] = []
  for (const { id, name, error, ended_at } of rows) {
    const start = `POST /api/pipelines/${id}/start`
    const isLost = error !== null && (JSON.parse(error) as RunError).code === POSITION_LOST
    const mend = isLost
      ? `${start} with {"from": "beginning"} reads everything again`
      : `correct that, then ${start} goes on from its checkpoint`
    const why = await words.of(id, error)
    found.push(warn(SUBJECT, `${JSON.stringify(name)} failed at ${ended_at ?? 'some time'}${why}: ${mend}`))
  }
  return [...found, ...others(total, 'have failed', 'failed')]
}

async function findTroubled(db: Db, clock: Clock): Promise<Finding[]> {
  const rows = await db
    .selectFrom('pipelines')
    .select(['id', 'name', 'error'])
    .where('status', 'in', ['starting', 'running'])
    .where('error', 'is not', null)
    .limit(MAX_LOOKED_AT)
    .execute()
  const lasting = rows.filter(({ error }) => isLasting(JSON.parse(error as string) as RunError, clock.now()))
  const words = new Words(db, clock)
  const found: Finding[] = []
  for (const { id, name, error } of lasting.slice(0, MAX_NAMED)) {
    const { since, attempts } = JSON.parse(error as string) as RunError
    const tried = `${JSON.stringify(name)} tries the same since ${since}, ${attempts} times`
    found.push(warn(SUBJECT, `${tried}${await words.of(id, error)}: it goes on by itself once that works`))
  }
  return [...found, ...others(lasting.length, 'try the same again and again', 'running')]
}

async function findWaiting(db: Db): Promise<Finding[]> {
  const rows = await db
    .selectFrom('pipeline_letter_counts')
    .innerJoin('pipelines', 'pipelines.id', 'pipeline_letter_counts.pipeline_id')
    .select((select) => ['pipelines.id', 'pipelines.name', select.fn.sum<number>('waiting').as('waiting')])
    .groupBy(['pipelines.id', 'pipelines.name'])
    .orderBy('waiting', 'desc')
    .limit(MAX_NAMED)
    .execute()
  return rows.map(({ id, name, waiting }) => {
    const mend = `GET /api/pipelines/${id}/dead-letters/summary says why; replay or delete them`
    return warn(SUBJECT, `${JSON.stringify(name)} has ${waiting} dead letter(s) that wait: ${mend}`)
  })
}

function others(total: number, what: string, state: PipelineState): Finding[] {
  if (total <= MAX_NAMED) return []
  return [warn(SUBJECT, `${total - MAX_NAMED} more ${what}: GET /api/pipelines?status=${state} has them`)]
}

/** In place of a message that may quote data which have a level. */
const HIDDEN = 'what it says may quote data that have a level: see the pipeline, as somebody who may see them'

/** What errors of pipelines say. Some of it may come from another server, and some may quote records. */
class Words {
  readonly #db: Db
  readonly #quoted: QuotedData

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#quoted = new QuotedData({ db, clock, outputsOf: (id) => outputReferences(db, id) })
  }

  async of(pipelineId: string, text: string | null): Promise<string> {
    if (text === null) return ''
    const { code, message, nodeId } = JSON.parse(text) as RunError
    const data = [...(await inputReferences(this.#db, pipelineId)), outputReference(pipelineId)]
    const words = (await this.#quoted.isHidden(data)) ? HIDDEN : message
    const shown = words.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, MAX_MESSAGE_CHARS)
    return `${nodeId === null ? '' : `, node ${JSON.stringify(nodeId)}`}, ${code} (${shown})`
  }
}
