import { DataError } from '../../data/errors.ts'
import { isMasked } from '../../data/mask.ts'
import type { DataPlane } from '../../data/plane.ts'

const MAX_NAMED = 10

interface Needs {
  readonly plane: Pick<DataPlane, 'query'>
  readonly ending: AbortSignal
}

/** Those of the columns that the data do not have now, in words; undefined where there are none, or nobody can tell. */
export async function absentColumns(
  { plane, ending }: Needs,
  resource: string,
  columns: readonly string[],
  timeoutMs: number
): Promise<string | undefined> {
  try {
    const answer = await plane.query({
      sql: 'FROM described LIMIT 0',
      relations: { described: resource },
      limits: { timeoutMs },
      signal: ending
    })
    await answer.close()
    const absent = columns.filter((label) => !answer.columns.some(({ name }) => isMasked([label], name)))
    return absent.length === 0 ? undefined : inWords(absent)
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return undefined
  }
}

function inWords(absent: readonly string[]): string {
  const more = absent.length > MAX_NAMED ? ` and ${absent.length - MAX_NAMED} more` : ''
  return `${absent.slice(0, MAX_NAMED).join(', ')}${more}`
}
