import type { AreaBody, AreaNeeds, Services } from '../../area.ts'
import { Intake } from '../../http/intake.ts'
import { influxRoutes } from './influx-routes.ts'
import { Queries } from './queries.ts'
import { queryRoutes } from './query-routes.ts'
import { Sources } from './service.ts'
import { SourceFinder } from './source-finder.ts'
import { sourceRoutes } from './source-routes.ts'
import { findSource, findSourceByName } from './store.ts'
import { tagRoutes } from './tag-routes.ts'
import { Tags } from './tags.ts'
import { upkeep } from './upkeep.ts'
import { writeRoutes } from './write-routes.ts'
import { Writes } from './writes.ts'

declare module '../../area.ts' {
  interface Services {
    catalog: {
      sourceExists(id: string): Promise<boolean>
      isNameOfSource(name: string): Promise<boolean>
      /** The units of these tags, for those that have one. */
      units(sourceId: string, tags: readonly string[]): Promise<Readonly<Record<string, string>>>
    }
  }
}

export async function catalogBody(given: AreaNeeds): Promise<AreaBody> {
  const { bus, jobs, config, metadata } = given
  const [classification, lineage] = await Promise.all([given.service('classification'), given.service('lineage')])
  const needs = { ...given, ...config, classification, guard: classification.guard, lineage }
  const sources = new Sources(needs)
  const tags = new Tags(needs)
  const finder = new SourceFinder({ ...needs, sources })
  const intake = new Intake({
    maxBytes: needs.maxWriteBytes,
    tooLarge: `A write may have ${needs.maxWriteBytes} bytes (MAX_WRITE_BYTES); divide this one.`,
    busy: 'series_busy'
  })
  const writes = new Writes({ ...needs, intake })
  return {
    routes: [
      ...sourceRoutes(sources),
      ...tagRoutes(tags),
      ...writeRoutes(writes, finder),
      ...influxRoutes({ writes, finder, intake }),
      ...queryRoutes(new Queries({ ...needs, tags }))
    ],
    service: {
      sourceExists: async (id) => (await findSource(metadata.db, id)) !== undefined,
      isNameOfSource: async (name) => (await findSourceByName(metadata.db, name)) !== undefined,
      units: (sourceId, names) => tags.units(sourceId, names)
    } satisfies Services['catalog'],
    jobs: upkeep(needs),
    async start() {
      finder.start()
      // Jobs that a change has enqueued begin now rather than with the next look at the queue.
      for (const pattern of ['catalog-source.*', 'catalog-tag.deleted'] as const)
        bus.subscribe(pattern, () => jobs.wake())
    }
  }
}
