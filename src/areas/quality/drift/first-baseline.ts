import type { DataPlane } from '../../../data/plane.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { conditionOf } from '../evaluation/compile.ts'
import { type Judgement, nothingToCheck, notJudged } from '../evaluation/judge.ts'
import type { RuleConfig } from '../rules/schema.ts'
import { type Learned, learn } from './learn.ts'

/** The baseline that a rule makes for itself. */
export interface FirstBaseline extends Learned {
  readonly column: string
}

/** What comes of a rule that has nothing to compare with yet: from now on it has, unless it names a baseline that is gone. */
export async function firstBaseline(
  plane: Pick<DataPlane, 'query'>,
  dataset: string,
  column: DataColumn,
  config: RuleConfig,
  signal: AbortSignal
): Promise<{ judgement: Judgement; learned?: FirstBaseline }> {
  if ((config.baseline ?? 'first') !== 'first') return { judgement: notJudged('notEvaluated', MISSING) }
  const order = { dataset, column, where: conditionOf(config), sample: config.sample }
  const learned = await learn(plane, order, signal)
  if (learned === undefined) return { judgement: nothingToCheck() }
  return { judgement: notJudged('notEvaluated', MADE), learned: { ...learned, column: column.name } }
}

const MADE = {
  code: 'baseline_made',
  message: 'The rule has made its baseline of these rows; those of the next evaluation are compared with it.'
}
const MISSING = {
  code: 'baseline_missing',
  message: 'There is no such baseline any more: make one, and name it in the rule.'
}
