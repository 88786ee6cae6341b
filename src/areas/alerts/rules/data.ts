import { isPattern } from '../../../data/glob.ts'
import { isNode } from '../../lineage/index.ts'
import type { ParsedCondition } from './conditions.ts'

/** The data that a condition reads: of points, one tag, or the source where it is a pattern of them. */
export function dataOf(condition: ParsedCondition): string[] {
  switch (condition.kind) {
    case 'event':
      return []
    case 'sql':
      return Object.values(condition.relations)
    case 'points': {
      const source = `series://${condition.sourceId}`
      const tag = `${source}/${condition.tag}`
      // A source or a tag may have a name that no reference can have.
      return [...(isPattern(condition.tag) ? [] : [tag]), source].filter(isNode).slice(0, 1)
    }
  }
}
