import type { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import type { DocumentIndex } from './document-index.ts'
import { ignoresBesideRef } from './drafts.ts'
import { formOf } from './keywords.ts'
import { isNode, own, type SchemaNode } from './model.ts'
import type { Targets } from './references.ts'

/** Keywords whose schemas are about the same value as the schema they stand in. */
const LISTS = ['allOf', 'anyOf', 'oneOf']
const SINGLES = ['not', 'if', 'then', 'else']
const MAPS = ['dependentSchemas', 'dependencies']

/**
 * Refuses schemas that need themselves to say anything of a value: nobody could ever say whether a value fits. Walks
 * without recursion, since a chain of references can be as long as the text.
 */
export function refuseCircles(index: DocumentIndex, targets: Targets, effort: Effort): void {
  const states = new Map<SchemaNode, 'open' | 'done'>()
  for (const start of targets.keys()) {
    if (states.has(start)) continue
    const stack: { node: SchemaNode; next: SchemaNode[] }[] = [enter(start)]
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      effort.spend()
      const inner = top.next.pop()
      if (inner === undefined) {
        states.set(top.node, 'done')
        stack.pop()
      } else if (states.get(inner) === 'open') throw circle(index, top.node)
      else if (!states.has(inner)) stack.push(enter(inner))
    }
  }

  function enter(node: SchemaNode) {
    states.set(node, 'open')
    return { node, next: sameValue(index, targets, node) }
  }
}

function sameValue(index: DocumentIndex, targets: Targets, node: SchemaNode): SchemaNode[] {
  const draft = index.located.get(node)?.resource.draft ?? 'draft-07'
  const referred = Object.values(targets.get(node) ?? {})
  if (ignoresBesideRef(draft) && referred.length > 0) return referred.filter(isNode)
  const known = (keyword: string) => (formOf(keyword, draft) === undefined ? undefined : own(node, keyword))
  const lists = LISTS.flatMap((keyword) => (known(keyword) as unknown[] | undefined) ?? [])
  const maps = MAPS.flatMap((keyword) => Object.values((known(keyword) as SchemaNode | undefined) ?? {}))
  return [...referred, ...lists, ...maps, ...SINGLES.map(known)].filter(isNode)
}

function circle(index: DocumentIndex, node: SchemaNode): SchemaFault {
  const located = index.located.get(node)
  const message =
    'References lead back to the schema they stand in, with no property or item in between; break the circle'
  return new SchemaFault('invalid', message, { pointer: located?.pointer, dependency: located?.resource.dependency })
}
