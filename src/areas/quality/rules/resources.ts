import { parseReference } from '../../../data/reference.ts'
import type { Resource } from '../../../http/in-use.ts'
import type { RuleRow, RuleTriggerRow } from '../migrations.ts'
import { readDefinition } from './definition.ts'

const OWNERS = { object: 'bucket', series: 'catalog-source', pipeline: 'pipeline' } as const

/** The data that a rule reads. */
export function datasetsOf(row: Pick<RuleRow, 'dataset' | 'definition'>): string[] {
  const { to } = readDefinition(row).config
  return [...new Set([row.dataset, ...(to === undefined ? [] : [to.dataset])])]
}

/** What a rule names of other areas. */
export function resourcesOf(row: Pick<RuleRow, 'dataset' | 'definition'>): Resource[] {
  const { schemaId, baseline = 'first' } = readDefinition(row).config
  const found = new Map<string, Resource>()
  const add = (resource: Resource) => found.set(`${resource.type} ${resource.id}`, resource)
  if (schemaId !== undefined) add({ type: 'schema', id: schemaId })
  if (baseline !== 'first') add({ type: 'quality-baseline', id: baseline })
  for (const text of datasetsOf(row)) {
    const reference = parseReference(text)
    if ('problem' in reference || !Object.hasOwn(OWNERS, reference.scheme)) continue
    add({ type: OWNERS[reference.scheme as keyof typeof OWNERS], id: reference.owner })
  }
  return [...found.values()]
}

/** What has a rule evaluated by itself; one that is disabled has nothing. */
export function triggersOf(row: RuleRow): RuleTriggerRow[] {
  const reference = parseReference(row.dataset)
  if ('problem' in reference || row.enabled === 0) return []
  return readDefinition(row)
    .on.filter((trigger) => trigger === reference.scheme)
    .map((trigger) => ({ rule_id: row.id, trigger, owner: reference.owner, dataset: row.dataset, wanted_ms: null }))
}
