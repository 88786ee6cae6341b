import type { AreaBody, AreaNeeds } from '../../area.ts'
import { Candidates } from './candidates.ts'
import { Registration } from './registration.ts'
import { registryRoutes } from './registry/index.ts'
import { Review } from './review.ts'
import { reviewRoutes, schemaRoutes, toolRoutes } from './routes.ts'
import { Schemas } from './service.ts'
import { RegisteredSchemas, Tools } from './tools.ts'
import { SchemaUsers } from './users.ts'
import { versionRoutes } from './version-routes.ts'
import { Versions } from './versions.ts'

declare module '../../area.ts' {
  interface Services {
    schemas: RegisteredSchemas
  }
}

export function schemasBody(needs: AreaNeeds): AreaBody {
  const registered = new RegisteredSchemas(needs.metadata)
  const { tasks } = registered
  const candidates = new Candidates({ ...needs, tasks })
  const registration = new Registration({ ...needs, tasks })
  const users = new SchemaUsers(needs.uses)
  const schemas = new Schemas({ ...needs, registration, users })
  const versions = new Versions({ ...needs, candidates, registration, users })
  return {
    routes: [
      ...toolRoutes(new Tools({ ...needs, tasks, guard: async () => (await needs.service('classification')).guard })),
      ...schemaRoutes(schemas, candidates),
      ...versionRoutes(versions),
      ...registryRoutes({ ...needs, candidates, registration, schemas, versions }),
      ...reviewRoutes(new Review({ ...needs, candidates, tasks }))
    ],
    service: registered,
    stop: () => tasks.close()
  }
}
