import { createHash } from 'node:crypto'
import { parseReference } from '../../../data/reference.ts'
import type { Manners } from '../evaluation/states.ts'
import type { RuleRow } from '../migrations.ts'
import { type ParsedCondition, parsedCondition } from './conditions.ts'
import type { Condition, Rule, RuleUpdate } from './schema.ts'
import { spanMs } from './spans.ts'

/** What a rule says, as it is kept. */
export type Definition = Pick<
  Rule,
  | 'conditions'
  | 'join'
  | 'labels'
  | 'annotations'
  | 'for'
  | 'keepFiringFor'
  | 'noData'
  | 'noDataFor'
  | 'onError'
  | 'channels'
  | 'escalation'
>

const UNSAID: Definition = {
  conditions: [],
  join: 'and',
  labels: {},
  annotations: {},
  for: null,
  keepFiringFor: null,
  noData: 'nodata',
  noDataFor: null,
  onError: 'error',
  channels: [],
  escalation: []
}

/** The definition with what a request says of it, on top of what was said before. */
export function definitionOf(body: RuleUpdate, before: Definition = UNSAID): Definition {
  const conditions = body.condition === undefined ? body.conditions : [body.condition]
  return {
    conditions: conditions ?? before.conditions,
    join: body.join ?? before.join,
    labels: body.labels ?? before.labels,
    annotations: body.annotations ?? before.annotations,
    for: body.for === undefined ? before.for : body.for,
    keepFiringFor: body.keepFiringFor === undefined ? before.keepFiringFor : body.keepFiringFor,
    noData: body.noData ?? before.noData,
    noDataFor: body.noDataFor === undefined ? before.noDataFor : body.noDataFor,
    onError: body.onError ?? before.onError,
    channels: body.channels ?? before.channels,
    escalation: body.escalation ?? before.escalation
  }
}

/** What was written before rules had something to say, or by an older version, says nothing of it. */
export const readDefinition = ({ definition }: Pick<RuleRow, 'definition'>): Definition => ({
  ...UNSAID,
  ...JSON.parse(definition)
})

export function mannersOf(definition: Definition): Manners {
  const span = (text: string | null) => (text === null ? 0 : (spanMs(text) ?? 0))
  return {
    forMs: span(definition.for),
    keepFiringForMs: span(definition.keepFiringFor),
    noData: definition.noData,
    noDataForMs: span(definition.noDataFor),
    onError: definition.onError
  }
}

export const parsedConditions = ({ conditions }: Definition): ParsedCondition[] => conditions.map(parsedCondition)

/** The sources and buckets that the conditions read. */
export function resourcesOf(conditions: readonly Condition[]): { type: 'bucket' | 'catalog-source'; id: string }[] {
  const found = new Map<string, { type: 'bucket' | 'catalog-source'; id: string }>()
  for (const { sourceId, reference, references } of conditions) {
    if (sourceId !== undefined) found.set(`series ${sourceId}`, { type: 'catalog-source', id: sourceId })
    for (const text of [...(reference === undefined ? [] : [reference]), ...Object.values(references ?? {})]) {
      const parsed = parseReference(text)
      if ('problem' in parsed) continue
      const { scheme, owner: id } = parsed
      if (scheme === 'series') found.set(`series ${id}`, { type: 'catalog-source', id })
      if (scheme === 'object') found.set(`object ${id}`, { type: 'bucket', id })
    }
  }
  return [...found.values()]
}

/** Where within its interval a rule is evaluated: the same for one rule, spread evenly over many. */
export function phaseOf(id: string, intervalMs: number): number {
  return createHash('sha256').update(id).digest().readUInt32BE() % intervalMs
}
