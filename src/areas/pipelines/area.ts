import type { Area, AreaNeeds } from '../../area.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { pipelineMigrations } from './migrations.ts'

export const pipelines: Area = {
  name: 'pipelines',
  about: 'Graphs of nodes through which records flow, their runs, and what became of the records.',
  paths: ['/api/pipelines'],
  migrations: pipelineMigrations,
  jobs: {
    'pipelines.drop-files': {},
    'pipelines.prune': { everyMs: 3600_000, isNeeded: hasPipelines }
  },
  // Runs go on where they were; and where there are other replicas, theirs may have to be taken over.
  startsEarly: async ({ config, metadata }) => config.databaseUrl !== undefined || (await hasPipelines(metadata.db)),
  findUsers: async (...asked) => (await import('./uses.ts')).usersOf(...asked),
  checks: (needs) => [{ name: 'pipelines', vital: false, run: () => checkPipelines(needs) }],
  metrics: (needs) => ({
    name: 'pipelines',
    render: async () => (await import('./metrics.ts')).renderPipelineMetrics(needs, needs.loaded('pipelines'))
  }),
  load: async () => (await import('./body.ts')).pipelinesBody
}

async function hasPipelines(db: Db): Promise<boolean> {
  return (await db.selectFrom('pipelines').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function checkPipelines({ metadata, clock, loaded }: AreaNeeds): Promise<void> {
  const { conditionOf, requireWell } = await import('./condition.ts')
  const keepDying = loaded('pipelines')?.totals.keepDying(clock.now()) ?? false
  requireWell(await conditionOf(metadata.db, clock.now()), keepDying)
}
