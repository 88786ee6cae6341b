import { declareArea } from '../../area.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { SettingFault } from '../../env-reading.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'classification-level.created': { readonly id: string }
    'classification-level.updated': { readonly id: string }
    'classification-level.deleted': { readonly id: string }
    'classification.created': { readonly id: string }
    'classification.updated': { readonly id: string }
    'classification.deleted': { readonly id: string }
    'classification-kind.updated': { readonly id: string }
    'classification-scan.created': { readonly id: string }
    'classification-scan.updated': { readonly id: string }
    'classification-suggestion.created': { readonly id: string }
    'classification-suggestion.updated': { readonly id: string }
    'classification-suggestion.deleted': { readonly id: string }
    'classification-clearance.updated': { readonly id: string }
  }
}

declare module '../../config.ts' {
  interface Config {
    /** Whether objects are looked at when they are uploaded. */
    readonly classifyUploads: boolean
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    classification:
      | 'classification-level'
      | 'classification'
      | 'classification-kind'
      | 'classification-suggestion'
      | 'classification-clearance'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    classification: 'read' | 'write' | 'admin'
  }
}

export const classification = declareArea({
  name: 'classification',
  about: 'Levels of secrecy, what has which, who may see it, and what detectors suggest.',
  paths: ['/api/classification'],
  permissions: ['classification:read', 'classification:write', 'classification:admin'],
  settings: {
    classifyUploads: {
      name: 'CLASSIFY_UPLOADS',
      default: 'false',
      about: 'Whether a sample of each uploaded CSV, JSON or Parquet object is looked at for sensitive data',
      read: (text) => {
        if (text === 'true' || text === 'false') return text === 'true'
        throw new SettingFault(`must be true or false, not '${text}'`)
      }
    }
  },
  migrations: {
    ids: [
      'classification/001-classification',
      'classification/002-suggestions',
      'classification/003-clearance',
      'classification/004-inherited',
      'classification/005-first-marks'
    ],
    load: async () => (await import('./migrations.ts')).classificationMigrations
  },
  jobs: {
    // One at a time: each takes a process, and nobody waits for it.
    'classification.scan-upload': { concurrency: 1 },
    'classification.follow': { everyMs: 2000, isNeeded: (db) => hasRows(db.selectFrom('classification_marks')) }
  },
  checks: ({ metadata, clock }) => [
    {
      name: 'classification',
      vital: false,
      run: async () => (await import('./inheritance/condition.ts')).requireFollowing(metadata.db, clock.now())
    }
  ],
  scheduleTargets: {
    classification: async (needs) => (await import('./suggestions/schedule-target.ts')).classificationTarget(needs)
  },
  metrics: (needs) => [
    {
      name: 'classification',
      render: async () =>
        (await import('./suggestions/condition.ts')).renderClassificationMetrics(needs, needs.loaded('classification'))
    },
    {
      name: 'classification-inherited',
      render: async () =>
        (await import('./inheritance/condition.ts')).renderInheritanceMetrics(needs.metadata.db, needs.clock.now())
    }
  ],
  examine: async (installation) => [
    ...(await (await import('./suggestions/condition.ts')).checkSuggestions(installation)),
    ...(await (await import('./inheritance/condition.ts')).checkInheritance(installation))
  ],
  alertEvents: {
    'classification-suggestion.created': {
      about:
        'Detectors have found sensitive data of a kind that nobody has decided about; it is over when somebody has accepted or rejected all suggestions of it.',
      labels: ['resource', 'kind'],
      since: async (db) => (await import('./suggestions/waiting.ts')).openSuggestions(db)
    }
  },
  load: async () => (await import('./body.ts')).classificationBody
})
