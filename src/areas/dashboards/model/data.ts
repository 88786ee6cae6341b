import { isPattern } from '../../../data/glob.ts'
import { parseReference } from '../../../data/reference.ts'
import type { Resource } from '../../../http/in-use.ts'
import { isNode } from '../../lineage/index.ts'
import { kindOf } from './check.ts'
import type { Content, Panel, PanelQuery } from './schema.ts'

/** The name of the only reference of a query in its SQL. */
const ONLY = 'input'

/** The data references of a query by the names that its SQL has for them. */
export function relationsOf({
  reference,
  references
}: Pick<PanelQuery, 'reference' | 'references'>): Readonly<Record<string, string>> {
  return references ?? (reference === undefined ? {} : { [ONLY]: reference })
}

/** The data that a dashboard reads, as references: of points their tags, or the source where a tag is a pattern or a variable. */
export function dataOf({ panels, variables }: Pick<Content, 'panels' | 'variables'>): string[] {
  const found = new Set<string>()
  for (const panel of panels) for (const reference of dataOfPanel(panel)) found.add(reference)
  for (const { query } of variables) {
    for (const reference of Object.values(relationsOf(query ?? {}))) found.add(reference)
  }
  return [...found]
}

function dataOfPanel(panel: Panel): string[] {
  const { query = {} } = panel
  if (kindOf(panel) !== 'points') return Object.values(relationsOf(query))
  const { sourceId = '', tags } = query
  if (sourceId.includes('$')) return []
  const source = `series://${sourceId}`
  if (tags === undefined || tags.some((tag) => isPattern(tag) || tag.includes('$'))) return [source].filter(isNode)
  return tags.map((tag) => `${source}/${tag}`).filter(isNode)
}

/** Resources of other areas that a dashboard names. */
export function resourcesOf(content: Pick<Content, 'panels' | 'variables'>): Pick<Resource, 'type' | 'id'>[] {
  const found = new Map<string, Pick<Resource, 'type' | 'id'>>()
  for (const text of dataOf(content)) {
    const parsed = parseReference(text)
    if ('problem' in parsed) continue
    const type = RESOURCES[parsed.scheme as keyof typeof RESOURCES]
    if (type !== undefined) found.set(`${type} ${parsed.owner}`, { type, id: parsed.owner })
  }
  return [...found.values()]
}

const RESOURCES = { series: 'catalog-source', object: 'bucket', connector: 'connector', pipeline: 'pipeline' } as const
