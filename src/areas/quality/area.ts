import './errors.ts'
import { type AreaNeeds, declareArea } from '../../area.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { wholeNumber } from '../../env-reading.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'quality-rule.created': { readonly id: string }
    'quality-rule.updated': { readonly id: string }
    'quality-rule.deleted': { readonly id: string }
    'quality-baseline.created': { readonly id: string }
    'quality-baseline.deleted': { readonly id: string }
    'quality-evaluation.created': { readonly id: string }
    'quality-run.updated': { readonly id: string }
  }
}

declare module '../../config.ts' {
  interface Config {
    readonly qualityKeepDays: number
    readonly qualityEvaluationSeconds: number
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    quality: 'quality-rule' | 'quality-result' | 'quality-baseline' | 'quality-run'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    quality: 'read' | 'write'
  }
}

export const quality = declareArea({
  name: 'quality',
  about: 'Rules that data have to keep, what came of every evaluation, and scores with what has moved them.',
  paths: ['/api/quality'],
  permissions: ['quality:read', 'quality:write'],
  settings: {
    qualityKeepDays: {
      name: 'QUALITY_KEEP_DAYS',
      default: '90',
      about: 'Days that results of quality rules and old scores are kept; the last result of a rule stays',
      read: wholeNumber(1, 3650)
    },
    qualityEvaluationSeconds: {
      name: 'QUALITY_EVALUATION_SECONDS',
      default: '120',
      about:
        'How long the rules of a dataset may take together to be evaluated; those that are not answered by then say so',
      read: wholeNumber(10, 540)
    }
  },
  migrations: {
    ids: ['quality/001-rules', 'quality/002-results', 'quality/004-baselines', 'quality/005-runs'],
    load: async () => (await import('./migrations.ts')).qualityMigrations
  },
  jobs: {
    'quality.evaluate-wanted': {
      everyMs: 5000,
      isNeeded: (db) => hasRows(db.selectFrom('quality_rule_triggers').where('wanted_ms', 'is not', null))
    },
    'quality.prune': {
      everyMs: 3600_000,
      isNeeded: async (db) =>
        (await hasRows(db.selectFrom('quality_results'))) || (await hasRows(db.selectFrom('quality_runs')))
    }
  },
  findUsers: async (...asked) => (await import('./rules/store.ts')).usersOf(...asked),
  // Rules may wait for something to happen, those of other replicas too, and it is heard of only by those who listen.
  startsEarly: async ({ config, metadata }) =>
    config.databaseUrl !== undefined || (await hasRows(metadata.db.selectFrom('quality_rule_triggers'))),
  scheduleTargets: {
    quality: async (needs) => (await import('./schedule-target.ts')).qualityTarget(needs)
  },
  checks: (needs) => [{ name: 'quality', vital: false, run: () => checkQuality(needs) }],
  metrics: ({ metadata }) => [
    {
      name: 'quality',
      render: async () => (await import('./health/metrics.ts')).renderQualityMetrics(metadata)
    }
  ],
  examine: async (installation) => (await import('./health/examine.ts')).checkQuality(installation),
  alertEvents: {
    'quality-rule.failed': {
      about:
        'Data do not keep a quality rule; it is over when they do, or the rule is changed, disabled or deleted, and not when it can’t be evaluated.',
      labels: ['dataset', 'qualityRule', 'qualityRuleName', 'qualitySeverity', 'downstream'],
      since: async (db) => (await import('./happenings.ts')).failingRules(db)
    },
    'quality-rule.anomalous': {
      about:
        'What a quality rule measures is far from what its history leads to expect; it is over when it is as expected, has been so for long enough to be usual, or the rule is changed, disabled or deleted.',
      labels: ['dataset', 'qualityRule', 'qualityRuleName', 'qualitySeverity', 'anomaly'],
      since: async (db) => (await import('./happenings.ts')).anomalousRules(db)
    },
    'quality-rule.without-data': {
      about:
        'There is nothing to ask a quality rule of: no such data, no rows or not the column (`missing` says which); it is over when there is, or the rule is changed, disabled or deleted.',
      labels: ['dataset', 'qualityRule', 'qualityRuleName', 'qualitySeverity', 'missing'],
      since: async (db) => (await import('./happenings.ts')).rulesWithoutData(db)
    },
    'quality-rule.unanswered': {
      about: 'A quality rule can’t be evaluated; it is over when it can, or is changed, disabled or deleted.',
      labels: ['dataset', 'qualityRule', 'qualityRuleName', 'qualitySeverity'],
      since: async (db) => (await import('./happenings.ts')).unansweredRules(db)
    }
  },
  load: async () => (await import('./body.ts')).qualityBody
})

async function checkQuality({ metadata }: AreaNeeds): Promise<void> {
  const { conditionOf, requireWell } = await import('./health/condition.ts')
  requireWell(await conditionOf(metadata.db))
}
