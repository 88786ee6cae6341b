import { referencesOf } from './candidates.ts'
import type { SchemaRow } from './migrations.ts'
import type { CompatibilityMode, SchemaSummary, SchemaVersion } from './schema.ts'
import type { Counts } from './store.ts'
import type { FullVersion } from './version-store.ts'

const NONE: Counts = { versions: 0, latest: null }

export function toSummary(row: SchemaRow, inherited: CompatibilityMode, counts: Counts = NONE): SchemaSummary {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    compatibility: row.compatibility ?? inherited,
    description: row.description,
    tags: JSON.parse(row.tags),
    latestVersion: counts.latest,
    versionCount: counts.versions,
    version: row.version,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at
  }
}

export function toVersion(row: FullVersion): SchemaVersion {
  return {
    schemaId: row.schema_id,
    version: row.number,
    contentId: row.content_id,
    type: row.type,
    schema: row.text,
    fingerprint: row.fingerprint,
    references: referencesOf(row.refers_to),
    state: row.state,
    metadata: JSON.parse(row.metadata),
    revision: row.revision,
    createdBy: row.created_by,
    createdAt: row.created_at,
    deletedAt: row.deleted_at
  }
}

/** What the lineage calls it. */
export const referenceOf = ({ id }: Pick<SchemaRow, 'id'>): string => `schema://${id}`
