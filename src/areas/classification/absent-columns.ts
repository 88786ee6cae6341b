import { DataError } from '../../data/errors.ts'
import { isPattern } from '../../data/glob.ts'
import { isMasked } from '../../data/mask.ts'
import type { DataPlane } from '../../data/plane.ts'
import { parseReference } from '../../data/reference.ts'
import { mayRead } from '../../http/data-rights.ts'
import type { Actor } from '../../http/permissions.ts'
import type { Guard } from './clearance/guard.ts'
import type { LabelWarning, ResourceTag } from './schema.ts'

/** Data that take longer to open are not looked at: a label does not depend on it. */
const LOOK_MS = 5000
const MAX_NAMED = 10

interface Needs {
  readonly plane: Pick<DataPlane, 'query'>
  readonly guard: Pick<Guard, 'maskOf'>
  readonly ending: AbortSignal
}

/**
 * What is hardly meant about a label: columns that the data do not have now. Nobody is told of columns of data that they may
 * not read, and those of a pattern are not looked for in each of its objects.
 */
export async function absentColumns(
  { plane, guard, ending }: Needs,
  actor: Actor,
  { resource, columns = [] }: ResourceTag
): Promise<LabelWarning[]> {
  if (typeof resource !== 'string' || columns.length === 0) return []
  const reference = parseReference(resource)
  if ('problem' in reference || isPattern(reference.path) || !mayRead(actor, reference)) return []
  if ((await guard.maskOf(actor, [reference])) !== undefined) return []
  try {
    const answer = await plane.query({
      sql: 'FROM described LIMIT 0',
      relations: { described: resource },
      limits: { timeoutMs: LOOK_MS },
      signal: ending
    })
    await answer.close()
    const absent = columns.filter((label) => !answer.columns.some(({ name }) => isMasked([label], name)))
    return absent.length === 0 ? [] : [notInData(resource, absent)]
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return error.code === 'nothing_matches' || error.code === 'not_found' ? [nothingThere(resource)] : []
  }
}

function notInData(resource: string, absent: readonly string[]): LabelWarning {
  const more = absent.length > MAX_NAMED ? ` and ${absent.length - MAX_NAMED} more` : ''
  const named = `${absent.slice(0, MAX_NAMED).join(', ')}${more}`
  const message = `${resource} has no column ${named} now; the level counts once it has, so look whether the name is meant`
  return { code: 'no_such_column', message }
}

const nothingThere = (resource: string): LabelWarning => ({
  code: 'nothing_matches',
  message: `There is no ${resource} yet; the level counts once there is`
})
