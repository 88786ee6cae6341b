import { own, type SchemaNode } from '../../model.ts'
import { decimalOf } from '../decimal.ts'
import { RANGES, rangeOf } from './ranges.ts'
import type { At, Walk } from './walk.ts'

/** No shape says these, whatever the type. */
const NEVER_SAID = [
  ...['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...[
    'minItems',
    'maxItems',
    'uniqueItems',
    'contains',
    'minContains',
    'maxContains',
    'minProperties',
    'maxProperties'
  ],
  ...['propertyNames', 'dependentRequired', 'dependentSchemas', 'not', 'if', 'then', 'else', 'unevaluatedItems'],
  ...['contentMediaType', 'examples', 'readOnly', 'writeOnly', 'deprecated']
]
const MAX_SHOWN_CHARS = 60

export function loseKeywords(nodes: readonly SchemaNode[], walk: Walk, at: At): void {
  for (const node of nodes) {
    for (const keyword of NEVER_SAID) {
      if (Object.hasOwn(node, keyword) && !isSaid(node, keyword)) {
        walk.lose(node, keyword, `"${keyword}"${shown(own(node, keyword))} is left out.`)
      }
    }
    if (Object.hasOwn(node, 'default') && !at.isField) walk.lose(node, 'default', 'The default is left out.')
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return typeof value === 'object' || text.length > MAX_SHOWN_CHARS ? '' : ` (${text})`
}

/** Where it follows from the shape: the bounds of a size, the pattern of a decimal. */
function isSaid(node: SchemaNode, keyword: string): boolean {
  if (keyword === 'pattern') return decimalOf(own(node, 'format'), own(node, 'pattern')) !== undefined
  if (own(node, keyword) === false) return keyword !== 'not' && keyword !== 'contains' && keyword !== 'propertyNames'
  if (keyword !== 'minimum' && keyword !== 'maximum') return false
  const range =
    RANGES.find((each) => each.format === own(node, 'format')) ?? rangeOf(own(node, 'minimum'), own(node, 'maximum'))
  return range !== undefined && own(node, keyword) === (keyword === 'minimum' ? range.least : range.most)
}
