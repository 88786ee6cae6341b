import type { DataPlane } from '../../data/plane.ts'
import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import type { Uses } from '../../http/in-use.ts'
import type { Area } from '../../http/route.ts'
import { Candidates } from './candidates.ts'
import { schemasMigrations } from './migrations.ts'
import type { RegisteredSchemas } from './registered.ts'
import { Registration } from './registration.ts'
import { registryRoutes } from './registry/index.ts'
import { Review } from './review.ts'
import { reviewRoutes } from './review-routes.ts'
import { schemaRoutes } from './routes.ts'
import { Schemas } from './service.ts'
import { toolRoutes } from './tool-routes.ts'
import { Tools } from './tools.ts'
import { SchemaUsers } from './users.ts'
import { versionRoutes } from './version-routes.ts'
import { Versions } from './versions.ts'

export { RegisteredSchemas } from './registered.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly plane: Pick<DataPlane, 'query'>
  readonly registered: RegisteredSchemas
  readonly uses: Uses
}

export function schemasArea(needs: Needs): Area {
  const { workshop } = needs.registered
  const candidates = new Candidates({ ...needs, workshop })
  const registration = new Registration({ ...needs, workshop })
  const users = new SchemaUsers(needs.uses)
  const schemas = new Schemas({ ...needs, registration, users })
  const versions = new Versions({ ...needs, candidates, registration, users })
  return {
    name: 'schemas',
    about:
      'Schemas of data in Avro, JSON Schema and Protobuf, their versions, and which of them get on with each other.',
    migrations: schemasMigrations,
    routes: [
      ...toolRoutes(new Tools({ ...needs, workshop })),
      ...schemaRoutes(schemas, candidates),
      ...versionRoutes(versions),
      ...registryRoutes({ ...needs, candidates, registration, schemas, versions }),
      ...reviewRoutes(new Review({ ...needs, candidates, workshop }))
    ],
    stop: () => workshop.close()
  }
}
