import { alerts } from './areas/alerts/area.ts'
import { apiKeys } from './areas/api-keys/area.ts'
import { audit } from './areas/audit/area.ts'
import { buckets } from './areas/buckets/area.ts'
import { catalog } from './areas/catalog/area.ts'
import { classification } from './areas/classification/area.ts'
import { connectors } from './areas/connectors/area.ts'
import { dashboards } from './areas/dashboards/area.ts'
import { health } from './areas/health/area.ts'
import { integration } from './areas/integration/area.ts'
import { lineage } from './areas/lineage/area.ts'
import { pipelines } from './areas/pipelines/area.ts'
import { quality } from './areas/quality/area.ts'
import { scheduler } from './areas/scheduler/area.ts'
import { schemas } from './areas/schemas/area.ts'
import { storage } from './areas/storage/area.ts'
import { users } from './areas/users/area.ts'

// Some of the settings are declared by areas.
export { readConfig } from './config.ts'

/** Everything the product does. */
export const AREAS = [
  health,
  users,
  apiKeys,
  audit,
  classification,
  storage,
  buckets,
  catalog,
  pipelines,
  schemas,
  scheduler,
  alerts,
  lineage,
  quality,
  connectors,
  integration,
  dashboards
]
