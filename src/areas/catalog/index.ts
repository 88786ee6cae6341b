import type { Bus } from '../../engines/bus/index.ts'
import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Jobs } from '../../engines/jobs/index.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import type { Series } from '../../engines/series/index.ts'
import type { AuditTrail } from '../../http/audit-trail.ts'
import type { Uses } from '../../http/in-use.ts'
import { Intake } from '../../http/intake.ts'
import type { Area } from '../../http/route.ts'
import type { Classification } from '../classification/index.ts'
import { influxRoutes } from './influx-routes.ts'
import { catalogMigrations } from './migrations.ts'
import { Queries } from './queries.ts'
import { queryRoutes } from './query-routes.ts'
import { Sources } from './service.ts'
import { SourceFinder } from './source-finder.ts'
import { sourceRoutes } from './source-routes.ts'
import { tagRoutes } from './tag-routes.ts'
import { Tags } from './tags.ts'
import { keepUp } from './upkeep.ts'
import { writeRoutes } from './write-routes.ts'
import { Writes } from './writes.ts'

export { withSeries } from './series-problems.ts'
export { findSource, findSourceByName } from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly bus: Bus
  readonly jobs: Jobs
  readonly audit: AuditTrail
  readonly classification: Classification
  readonly uses: Uses
  readonly maxWriteBytes: number
  readonly maxQueryPoints: number
  /** The engine that keeps the points, opened when first asked for. */
  series(): Promise<Series>
}

export function catalogArea(needs: Needs): Area {
  const { bus, jobs } = needs
  const sources = new Sources(needs)
  const tags = new Tags(needs)
  const finder = new SourceFinder({ ...needs, sources })
  const intake = new Intake({
    maxBytes: needs.maxWriteBytes,
    tooLarge: `A write may have ${needs.maxWriteBytes} bytes (MAX_WRITE_BYTES); divide this one.`,
    busy: 'series_busy'
  })
  const writes = new Writes({ ...needs, intake })
  keepUp(needs)
  return {
    name: 'catalog',
    about: 'Sources of points in time, their tags, writing to them and questions about them.',
    migrations: catalogMigrations,
    routes: [
      ...sourceRoutes(sources),
      ...tagRoutes(tags),
      ...writeRoutes(writes, finder),
      ...influxRoutes({ writes, finder, intake }),
      ...queryRoutes(new Queries({ ...needs, tags }))
    ],
    async start() {
      finder.start()
      // What a change has left to do begins now rather than with the next look at the queue.
      for (const pattern of ['catalog-source.*', 'catalog-tag.deleted']) bus.subscribe(pattern, () => jobs.wake())
    }
  }
}
