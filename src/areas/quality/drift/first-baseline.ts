import { conditionOf } from '../evaluation/compile.ts'
import { type Judgement, nothingToCheck, notJudged } from '../evaluation/judge.ts'
import type { Sampled } from '../evaluation/sample.ts'
import type { RuleConfig } from '../rules/schema.ts'
import { type Learned, type LearnOrder, learn } from './learn.ts'

/** The baseline that a rule makes for itself. */
export interface FirstBaseline extends Learned {
  readonly column: string
}

/** What comes of a rule that has nothing to compare with yet: from now on it has, unless it names a baseline that is gone. */
export async function firstBaseline(
  plane: Sampled,
  { dataset, column, timeoutMs }: Pick<LearnOrder, 'dataset' | 'column' | 'timeoutMs'>,
  config: RuleConfig,
  signal: AbortSignal
): Promise<{ judgement: Judgement; learned?: FirstBaseline }> {
  if ((config.baseline ?? 'first') !== 'first') return { judgement: notJudged('notEvaluated', MISSING) }
  const order = { dataset, column, where: conditionOf(config), sample: config.sample, timeoutMs }
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
