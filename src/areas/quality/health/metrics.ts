import type { Metadata } from '../../../engines/metadata/index.ts'
import { metricText } from '../../../http/metric-text.ts'
import { coverageOf } from '../scores/score.ts'
import { overallScore } from '../scores/store.ts'
import { conditionOf } from './condition.ts'

/** No number has a dataset or a rule as a label: there may be many thousands. */
export async function renderQualityMetrics({ db }: Metadata): Promise<string> {
  const condition = await conditionOf(db)
  const { score, datasets } = await overallScore(db)
  const coverage = coverageOf(condition)
  return [
    metricText(
      'millrace_quality_rules',
      'gauge',
      'Enabled quality rules by what they have come to',
      Object.entries(condition).map(([status, value]) => ({ labels: { status }, value }))
    ),
    metricText('millrace_quality_datasets', 'gauge', 'Datasets that have a score', [{ value: datasets }]),
    metricText(
      'millrace_quality_score',
      'gauge',
      'The mean of the scores of all datasets, from 0 to 100; none while there is none',
      score === null ? [] : [{ value: Math.round(score) / 100 }]
    ),
    metricText(
      'millrace_quality_coverage',
      'gauge',
      'In percent, how many of the enabled rules the scores stand on; none while there are none',
      coverage === null ? [] : [{ value: coverage }]
    )
  ].join('')
}
