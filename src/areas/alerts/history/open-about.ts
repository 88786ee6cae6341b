import { parseTextPattern } from '../../../data/glob.ts'
import { parseReference } from '../../../data/reference.ts'
import { type Db, slices } from '../../../engines/metadata/index.ts'
import type { AlertRow } from '../migrations.ts'
import type { ParsedCondition } from '../rules/conditions.ts'
import { parsedConditions, readDefinition } from '../rules/definition.ts'

export interface OpenAlerts {
  readonly count: number
  /** The first of them. */
  readonly ids: readonly string[]
}

const MAX_IDS = 10
/** Open alerts that are looked at for one question. */
const MAX_ALERTS = 10_000

const RULE = /^job:\/\/alert-rule\/(.+)$/su
const PIPELINE = /^(?:job:\/\/pipeline\/|pipeline:\/\/)([^/]+)$/su

type Open = Pick<AlertRow, 'id' | 'rule_id' | 'labels'>

/** The open alerts of rules, of rules that read data, and about pipelines; by the references of those. */
export async function openAlertsAbout(db: Db, references: readonly string[]): Promise<Map<string, OpenAlerts>> {
  const found = new Map<string, OpenAlerts>()
  const readers = await readersOf(db, references)
  const ruleOf = (reference: string) => RULE.exec(reference)?.[1]
  const named = references.flatMap((reference) => ruleOf(reference) ?? [])
  const byRule = Map.groupBy(await openOf(db, [...new Set([...named, ...readers.keys()])]), ({ rule_id }) => rule_id)
  const conditions = await conditionsOf(
    db,
    [...byRule.keys()].filter((id) => readers.has(id))
  )
  const pipelines = await openByLabel(
    db,
    references.flatMap((reference) => PIPELINE.exec(reference)?.[1] ?? [])
  )
  for (const reference of references) {
    const own = byRule.get(ruleOf(reference) ?? '') ?? []
    const about = pipelines.get(PIPELINE.exec(reference)?.[1] ?? '') ?? []
    const read = [...conditions].flatMap(([id, parsed]) => readOf(reference, parsed, byRule.get(id) ?? []))
    const ids = [...new Set([...own, ...about, ...read].map(({ id }) => id))].sort()
    if (ids.length > 0) found.set(reference, { count: ids.length, ids: ids.slice(0, MAX_IDS) })
  }
  return found
}

/** The rules that read the sources and buckets of references, with those. */
async function readersOf(db: Db, references: readonly string[]): Promise<Map<string, Set<string>>> {
  const owners = { 'catalog-source': new Set<string>(), bucket: new Set<string>() }
  for (const reference of references) {
    const parsed = parseReference(reference)
    if ('problem' in parsed) continue
    if (parsed.scheme === 'series') owners['catalog-source'].add(parsed.owner)
    if (parsed.scheme === 'object') owners.bucket.add(parsed.owner)
  }
  const rules = new Map<string, Set<string>>()
  for (const type of ['catalog-source', 'bucket'] as const) {
    for (const ids of slices([...owners[type]])) {
      const query = db
        .selectFrom('alert_rule_uses')
        .select(['rule_id', 'resource_id'])
        .where('resource_type', '=', type)
      for (const { rule_id, resource_id } of await query.where('resource_id', 'in', ids).execute()) {
        rules.getOrInsertComputed(rule_id, () => new Set()).add(resource_id)
      }
    }
  }
  return rules
}

async function openOf(db: Db, rules: readonly string[]): Promise<Open[]> {
  const found: Open[] = []
  for (const ids of slices(rules)) {
    const open = db.selectFrom('alerts').select(['id', 'rule_id', 'labels']).where('state', 'in', OPEN)
    found.push(
      ...(await open
        .where('rule_id', 'in', ids)
        .orderBy('id')
        .limit(MAX_ALERTS - found.length)
        .execute())
    )
    if (found.length >= MAX_ALERTS) break
  }
  return found
}

const OPEN = ['firing', 'acknowledged'] as const

async function openByLabel(db: Db, pipelines: readonly string[]): Promise<Map<string, Open[]>> {
  const found = new Map<string, Open[]>()
  for (const values of slices([...new Set(pipelines)])) {
    const rows = await db
      .selectFrom('alert_labels')
      .innerJoin('alerts', 'alerts.id', 'alert_labels.alert_id')
      .select(['alerts.id', 'rule_id', 'labels', 'alert_labels.value as pipeline'])
      .where('alert_labels.name', '=', 'pipeline')
      .where('alert_labels.value', 'in', values)
      .where('state', 'in', OPEN)
      .limit(MAX_ALERTS)
      .execute()
    for (const row of rows) found.getOrInsertComputed(row.pipeline, () => []).push(row)
  }
  return found
}

async function conditionsOf(db: Db, rules: readonly string[]): Promise<Map<string, ParsedCondition[]>> {
  const found = new Map<string, ParsedCondition[]>()
  for (const ids of slices(rules)) {
    const rows = await db.selectFrom('alert_rules').select(['id', 'definition']).where('id', 'in', ids).execute()
    for (const row of rows) found.set(row.id, parsedConditions(readDefinition(row)))
  }
  return found
}

/** Those of the alerts of a rule that are about the data: of points, about the tag, where the data are one. */
function readOf(reference: string, conditions: readonly ParsedCondition[], alerts: readonly Open[]): readonly Open[] {
  const parsed = parseReference(reference)
  if ('problem' in parsed) return []
  const { scheme, owner, path } = parsed
  const isRead = conditions.some((condition) => {
    if (condition.kind === 'sql') return Object.values(condition.relations).some((read) => overlap(read, reference))
    if (condition.kind === 'event' || scheme !== 'series' || condition.sourceId !== owner) return false
    return path === '' || parseTextPattern(condition.tag).matches(path)
  })
  if (!isRead) return []
  return scheme !== 'series' || path === '' ? alerts : alerts.filter(({ labels }) => isAbout(labels, path))
}

/** One of them is the other, or all that the other is a part of. */
const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

function isAbout(labels: string, tag: string): boolean {
  const { tag: own = tag } = JSON.parse(labels) as Record<string, string>
  return own === tag
}
