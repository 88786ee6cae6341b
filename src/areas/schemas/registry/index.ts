import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Route } from '../../../http/route.ts'
import type { Candidates } from '../candidates.ts'
import type { Registration } from '../registration.ts'
import type { Schemas } from '../service.ts'
import type { Versions } from '../versions.ts'
import { Checks } from './checks.ts'
import { REGISTRY, toRegistryRefusal } from './manners.ts'
import { Registrations, Removals } from './registrations.ts'
import { schemaRoutes, serverRoutes } from './schema-routes.ts'
import { Settings } from './settings.ts'
import { settingsRoutes } from './settings-routes.ts'
import { registerRoutes, subjectRoutes } from './subject-routes.ts'
import { Contents, Lists, Subjects } from './subjects.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly candidates: Candidates
  readonly registration: Registration
  readonly schemas: Schemas
  readonly versions: Versions
}

/** The API of Confluent Schema Registry over the schemas of the area. */
export function registryRoutes(needs: Needs): Route[] {
  const lists = new Lists(needs)
  return [
    ...serverRoutes(),
    ...schemaRoutes(new Contents(needs), lists),
    ...subjectRoutes({ subjects: new Subjects(needs), lists, removals: new Removals(needs) }),
    ...registerRoutes({ ...needs, registrations: new Registrations(needs), checks: new Checks(needs) }),
    ...settingsRoutes(new Settings(needs))
  ].map(asRegistryRoute)
}

/** Puts an operation below the path of the registry, and has its refusals said as Confluent's registry says them. */
function asRegistryRoute(route: Route): Route {
  const { read, change } = route
  return {
    ...route,
    path: `/schema-registry${route.path}`,
    foreign: REGISTRY,
    ...(read && { read: translated(read) }),
    ...(change && {
      change: {
        ...change,
        run: translated(change.run),
        ...(change.gather && { gather: translated(change.gather) })
      }
    })
  }
}

function translated<C, T>(work: (context: C) => T | Promise<T>): (context: C) => Promise<T> {
  return async (context) => {
    try {
      return await work(context)
    } catch (error) {
      throw toRegistryRefusal(error)
    }
  }
}
