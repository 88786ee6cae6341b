import { nearestName } from '../../../data/nearest-name.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import type { LetterFilter } from '../protocol/run-spec.ts'
import type { PipelineRow } from '../store/rows.ts'
import { nodesOf, versionOf } from '../store/versions.ts'
import { listCounts } from './store.ts'

/** Codes that dead letters may have at any time, whether there are any or not. */
const CODES = new Set([
  'bad_name',
  'invalid_record',
  'invalid_value',
  'late',
  'no_such_column',
  'no_time',
  'no_timestamp',
  'no_topic',
  'no_value',
  'not_a_record',
  'not_json',
  'not_object',
  'not_utf8',
  'out_of_range',
  'refused',
  'refused_by_policy',
  'too_deep',
  'too_long',
  'too_many_fields',
  'unreadable_line',
  'unreadable_object',
  'unsendable',
  'wrong_type'
])
const MAX_KINDS = 200
const MAX_NAMED = 20

/** Refuses a filter by a name that is misspelt: with nothing to find, nobody would notice. `place` is where it was sent. */
export async function requireKnownNames(
  db: Db,
  pipeline: PipelineRow,
  { nodeId, code }: Pick<LetterFilter, 'nodeId' | 'code'>,
  place: '/query' | ''
): Promise<void> {
  if (nodeId === undefined && code === undefined) return
  const kinds = await listCounts(db, pipeline.id, MAX_KINDS)
  const errors: FieldError[] = []
  if (nodeId !== undefined && !kinds.some((kind) => kind.node_id === nodeId)) {
    const nodes = nodesOf(await versionOf(db, pipeline)).map(({ id }) => id)
    const isKnown = nodes.includes(nodeId) || (await hasLetters(db, pipeline.id, 'node_id', nodeId))
    if (!isKnown)
      errors.push({ pointer: `${place}/nodeId`, message: `is no node of the pipeline; ${among(nodeId, nodes)}` })
  }
  if (code !== undefined && !CODES.has(code) && !kinds.some((kind) => kind.code === code)) {
    const codes = [...new Set(kinds.map((kind) => kind.code))]
    const isKnown = await hasLetters(db, pipeline.id, 'code', code)
    if (!isKnown)
      errors.push({ pointer: `${place}/code`, message: `is the code of no dead letter; ${among(code, codes)}` })
  }
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
}

/** Says what there is, the one that may be meant first. */
function among(written: string, names: readonly string[]): string {
  if (names.length === 0) return 'there are none that wait'
  const meant = nearestName(written, names)
  const others = names.filter((name) => name !== meant).slice(0, MAX_NAMED)
  return `there is ${[...(meant === undefined ? [] : [meant]), ...others].join(', ')}`
}

async function hasLetters(db: Db, pipelineId: string, column: 'node_id' | 'code', value: string): Promise<boolean> {
  const found = await db
    .selectFrom('pipeline_dead_letters')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where(column, '=', value)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
