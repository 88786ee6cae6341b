import { sql } from 'kysely'
import type { Happening } from '../../area.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { HealthProblem } from '../../http/health-problem.ts'
import { metricText } from '../../http/metric-text.ts'
import type { ConnectorStatus } from './migrations.ts'

/** One more than alert rules take. */
const MAX_HAPPENINGS = 1001
const MAX_NAMED = 3
const STATUSES: readonly ConnectorStatus[] = ['untested', 'healthy', 'failing']

/** Connectors whose last test failed. */
export async function failingConnectors(db: Db): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await db
    .selectFrom('connectors')
    .select(['id', 'name', 'source_id', 'last_test'])
    .where('status', '=', 'failing')
    .orderBy('id')
    .limit(MAX_HAPPENINGS)
    .execute()
  const happenings = rows.map(({ id, name, source_id, last_test }) => ({
    connector: id,
    connectorName: name,
    sourceId: source_id,
    code: codeIn(last_test)
  }))
  return { happenings, cursor: '' }
}

/** Says which connectors fail, since when and why. */
export async function checkConnectors(db: Db): Promise<void> {
  const rows = await db
    .selectFrom('connectors')
    .select(['id', 'name', 'status_since', 'last_test'])
    .where('status', '=', 'failing')
    .orderBy('status_since')
    .limit(MAX_NAMED + 1)
    .execute()
  if (rows.length === 0) return
  const named = rows
    .slice(0, MAX_NAMED)
    .map(({ id, name, status_since, last_test }) => `${name} (${id}, ${codeIn(last_test)} since ${status_since})`)
  const others = rows.length > MAX_NAMED ? ' and others' : ''
  throw new HealthProblem(
    `connectors fail their test: ${named.join(', ')}${others}; POST /api/connectors/{id}/test tells more`
  )
}

export async function renderConnectors(db: Db): Promise<string> {
  const rows = await db
    .selectFrom('connectors')
    .select(['status', sql<number>`count(*)`.as('connectors')])
    .groupBy('status')
    .execute()
  const counts = new Map(rows.map(({ status, connectors }) => [status, Number(connectors)]))
  return metricText(
    'millrace_connectors',
    'gauge',
    'Connectors by what came of their last test',
    STATUSES.map((status) => ({ labels: { status }, value: counts.get(status) ?? 0 }))
  )
}

/** Why the last test failed. */
export function codeIn(lastTest: string | null): string {
  const { checks = [] } = JSON.parse(lastTest ?? '{}') as { checks?: { ok: boolean; code: string | null }[] }
  return checks.find(({ ok }) => !ok)?.code ?? ''
}
