import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import type { Mask } from '../../../data/mask.ts'
import { Problem } from '../../../errors.ts'
import { type Judgement, notJudged } from './judge.ts'
import { messageOf } from './secrecy.ts'
import { Unaskable } from './unaskable.ts'

/** The caller is to be told, and nothing is to be written of the rules. */
export const PASSING: ReadonlySet<DataErrorCode> = new Set(['cancelled', 'closed', 'busy'])
const GONE: ReadonlySet<DataErrorCode> = new Set(['not_found', 'nothing_matches'])

/** What is to be said of rules where reading the data fails; throws what is not about rules. */
export function refusalOf(error: unknown, mask: Mask | undefined): Judgement {
  if (error instanceof Unaskable) {
    const status = error.code === 'column_missing' ? 'notEvaluated' : 'error'
    return notJudged(status, { code: error.code, message: error.message })
  }
  if (error instanceof Problem && error.code === 'not_found') {
    return notJudged('notEvaluated', {
      code: 'schema_missing',
      message: 'There is no such schema, or no such version of it.'
    })
  }
  if (!(error instanceof DataError) || PASSING.has(error.code)) throw error
  if (GONE.has(error.code)) return notJudged('notEvaluated', { code: 'no_data', message: error.message })
  return notJudged('error', { code: error.code, message: messageOf(mask, error) })
}
