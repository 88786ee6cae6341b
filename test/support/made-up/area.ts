import './errors.ts'
import { declareArea } from '../../../src/area.ts'
import { wholeNumber } from '../../../src/env-reading.ts'
import { ok } from '../../../src/finding.ts'
import { HealthProblem } from '../../../src/http/health-problem.ts'
import { metricText } from '../../../src/http/metric-text.ts'

declare module '../../../src/config.ts' {
  interface Config {
    readonly maxThings?: number
  }
}

declare module '../../../src/engines/bus/index.ts' {
  interface Events {
    'thing.created': { readonly id: string }
  }
}

declare module '../../../src/http/permissions.ts' {
  interface Permissions {
    things: 'read' | 'write'
  }
}

/** An area for tests only: a folder, and a line in the list of areas. */
export const things = declareArea({
  name: 'things',
  about: 'Things that only tests have.',
  paths: ['/api/things'],
  permissions: ['things:read', 'things:write'],
  settings: {
    maxThings: { name: 'MAX_THINGS', default: '3', about: 'Most things', read: wholeNumber(1, 10) }
  },
  migrations: {
    ids: ['things/001-things'],
    load: async () => (await import('./migrations.ts')).thingMigrations
  },
  jobs: { 'things.polish': {} },
  checks: ({ metadata }) => [
    {
      name: 'things',
      vital: false,
      async run() {
        const broken = await metadata.db.selectFrom('things').select('id').where('name', '=', 'broken').execute()
        if (broken.length > 0) throw new HealthProblem(`${broken.length} things are broken`)
      }
    }
  ],
  metrics: ({ metadata }) => [
    {
      name: 'things',
      async render() {
        const things = await metadata.db.selectFrom('things').select('id').execute()
        return metricText('millrace_things', 'gauge', 'Things', [{ value: things.length }])
      }
    }
  ],
  examine: async () => [ok('things', 'all of them are well')],
  keptFiles: {
    folder: 'things/kept',
    tables: ['things'],
    namesIn: async (database) =>
      new Map(
        database
          .prepare('select id, name from things')
          .all()
          .map(({ id, name }) => [`${name}`, `thing ${id}`])
      )
  },
  load: async () => (await import('./body.ts')).thingsBody
})
