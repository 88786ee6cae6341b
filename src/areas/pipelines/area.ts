import './errors.ts'
import { availableParallelism } from 'node:os'
import { type AreaNeeds, declareArea } from '../../area.ts'
import { type Db, hasRows } from '../../engines/metadata/index.ts'
import { wholeNumber } from '../../env-reading.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'pipeline.created': { readonly id: string }
    'pipeline.updated': { readonly id: string }
    'pipeline.deleted': { readonly id: string }
    'pipeline-dead-letters.updated': { readonly id: string }
    'pipeline-log.written': { readonly id: string }
    'pipeline-run.ended': {
      readonly id: string
      readonly pipelineId: string
      readonly status: string
    }
  }
}

declare module '../../config.ts' {
  interface Config {
    /** Memory of the SQL of all pipelines together. */
    readonly pipelineMemoryMb: number
    /** Processes that run pipelines, at most. */
    readonly pipelineProcesses: number
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    pipelines: 'pipeline'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    pipelines: 'read' | 'write'
  }
}

export const pipelines = declareArea({
  name: 'pipelines',
  about: 'Graphs of nodes through which records flow, their runs, and what became of the records.',
  paths: ['/api/pipelines'],
  permissions: ['pipelines:read', 'pipelines:write'],
  settings: {
    pipelineMemoryMb: {
      name: 'PIPELINE_MEMORY_MB',
      default: '1024',
      about: 'Memory of the SQL of all pipelines together, in MiB',
      read: wholeNumber(64, 1024 * 1024)
    },
    pipelineProcesses: {
      name: 'PIPELINE_PROCESSES',
      default: '',
      about: 'Most processes that run pipelines; without it twice as many as there are processor cores',
      read: (text) => (text === '' ? 2 * availableParallelism() : wholeNumber(1, 1024)(text))
    }
  },
  migrations: {
    ids: [
      'pipelines/001-pipelines',
      'pipelines/002-dead-letters-and-logs',
      'pipelines/003-dead-letters-to-work-with',
      'pipelines/004-uses',
      'pipelines/005-run-warnings',
      'pipelines/006-states',
      'pipelines/007-ended-runs'
    ],
    load: async () => (await import('./migrations.ts')).pipelineMigrations
  },
  jobs: {
    'pipelines.drop-files': {},
    'pipelines.forget-reader': {},
    'pipelines.prune': { everyMs: 3600_000, isNeeded: hasPipelines }
  },
  // Runs go on where they were; where there may be other replicas, theirs may have to be taken over; and a store for what
  // pipelines keep that can't be used is better known now than with the first run.
  startsEarly: async ({ config, metadata }) =>
    config.databaseUrl !== undefined || config.objectsUrl !== undefined || (await hasPipelines(metadata.db)),
  findUsers: async (...asked) => (await import('./definition/uses.ts')).usersOf(...asked),
  scheduleTargets: {
    pipeline: async (needs) => (await import('./lifecycle/schedule-target.ts')).pipelineTarget(needs)
  },
  checks: (needs) => [{ name: 'pipelines', vital: false, run: () => checkPipelines(needs) }],
  metrics: (needs) => [
    {
      name: 'pipelines',
      render: async () => (await import('./health/metrics.ts')).renderPipelineMetrics(needs, needs.loaded('pipelines'))
    }
  ],
  examine: async (installation) => (await import('./health/examine.ts')).checkPipelines(installation),
  keptFiles: {
    folder: 'pipelines/kept',
    tables: ['pipeline_checkpoints'],
    namesIn: async (database) => (await import('./upkeep/kept-names.ts')).keptNamesIn(database)
  },
  alertEvents: {
    'pipeline-run.failed': {
      about: 'A run of a pipeline failed; it is over when the pipeline is started again.',
      labels: ['pipeline', 'pipelineName'],
      since: async (...asked) => (await import('./health/failed-runs.ts')).failedRuns(...asked)
    }
  },
  load: async () => (await import('./body.ts')).pipelinesBody
})

function hasPipelines(db: Db): Promise<boolean> {
  return hasRows(db.selectFrom('pipelines'))
}

async function checkPipelines({ metadata, clock, loaded }: AreaNeeds): Promise<void> {
  const { conditionOf, requireWell } = await import('./health/condition.ts')
  const keepDying = loaded('pipelines')?.totals.keepDying(clock.now()) ?? false
  requireWell(await conditionOf(metadata.db, clock.now()), keepDying)
}
