import type { AreaBody, AreaNeeds } from '../../area.ts'
import { versionOf } from '../../data/object-resolver.ts'
import { downstreamOf } from '../lineage/index.ts'
import { baselineRoutes } from './baselines/routes.ts'
import { Baselines } from './baselines/service.ts'
import { findBaseline } from './baselines/store.ts'
import { Evaluations } from './evaluation/service.ts'
import { profileRoutes } from './profile/routes.ts'
import { Profiles } from './profile/service.ts'
import { resultRoutes } from './results/routes.ts'
import { Results } from './results/service.ts'
import { DescribedColumns } from './rules/described.ts'
import { type NamedRule, namedRules } from './rules/named.ts'
import { ruleRoutes } from './rules/routes.ts'
import { Rules } from './rules/service.ts'
import { runRoutes } from './runs/routes.ts'
import { QualityRuns } from './runs/service.ts'
import { UnderWay } from './runs/under-way.ts'
import { scoreRoutes } from './scores/routes.ts'
import { Scores } from './scores/service.ts'
import { Listener } from './triggers/listener.ts'
import { wantedEvaluations } from './triggers/worker.ts'
import { pruneQuality } from './upkeep.ts'

declare module '../../area.ts' {
  interface Services {
    quality: {
      readonly evaluations: Evaluations
      /** What is known of the quality of data, by their references. */
      qualityOf: Scores['qualityOf']
      /** Those of these rules that there are, of whichever datasets. */
      rulesNamed(ids: readonly string[]): Promise<NamedRule[]>
    }
  }
}

export async function qualityBody(given: AreaNeeds): Promise<AreaBody> {
  const { clock, config, log, metadata, service } = given
  const underWay = new UnderWay({
    ...given,
    onError: (error) => log.error({ err: error }, 'quality could not write down what is under way')
  })
  const needs = {
    ...given,
    underWay,
    evaluationMs: config.qualityEvaluationSeconds * 1000,
    lineage: await service('lineage'),
    guard: async () => (await service('classification')).guard,
    schemaOf: async (id: string, version: number | undefined) => (await service('schemas')).asJsonSchema(id, version),
    baselineDataset: async (id: string) => (await findBaseline(metadata.db, id))?.dataset,
    downstreamOf: (dataset: string) => downstreamOf({ metadata, clock }, dataset)
  }
  const described = new DescribedColumns({
    ...given,
    versionOf: async (bucket, key) => {
      const found = await (await service('buckets')).opener.find(bucket)
      return found && (await versionOf(found, key))
    }
  })
  const evaluations = new Evaluations(needs)
  const scores = new Scores(needs)
  const onError = (error: unknown) => log.error({ err: error }, 'quality could not note what is to be evaluated')
  const listener = new Listener({ ...needs, onError })
  return {
    routes: [
      ...ruleRoutes(new Rules({ ...needs, described })),
      ...resultRoutes(new Results({ ...needs, evaluations })),
      ...scoreRoutes(scores),
      ...baselineRoutes(new Baselines(needs)),
      ...profileRoutes(new Profiles(needs)),
      ...runRoutes(new QualityRuns(needs))
    ],
    jobs: {
      'quality.evaluate-wanted': wantedEvaluations({ ...needs, evaluations }),
      'quality.prune': pruneQuality(clock, config.qualityKeepDays)
    },
    service: {
      evaluations,
      qualityOf: scores.qualityOf.bind(scores),
      rulesNamed: async (ids: readonly string[]) => namedRules(metadata.db, await needs.guard(), ids)
    },
    start: async () => {
      underWay.start()
      listener.start()
    },
    stop: async () => {
      await listener.stop()
      await underWay.stop()
    }
  }
}
