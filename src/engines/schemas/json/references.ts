import { type Effort, SchemaFault } from '../fault.ts'
import { type DocumentIndex, escapeName, type Resource, resolveAddress } from './document.ts'
import { formOf, ignoresBesideRef, knownDocument } from './drafts.ts'
import {
  isNode,
  isSchema,
  type JsonSchema,
  own,
  REFERENCE_KEYWORDS,
  type ReferenceKeyword,
  type SchemaNode
} from './model.ts'

export type Targets = Map<SchemaNode, Partial<Record<ReferenceKeyword, JsonSchema>>>

/** Finds what every reference leads to. What is only found by following them is looked at as well. */
export class References {
  readonly targets: Targets = new Map()
  readonly #index: DocumentIndex
  readonly #root: Resource
  /** Dependencies by the very words that `$ref` has for them. */
  readonly #byName: ReadonlyMap<string, Resource>

  constructor(index: DocumentIndex, root: Resource, byName: ReadonlyMap<string, Resource>) {
    this.#index = index
    this.#root = root
    this.#byName = byName
  }

  resolveAll(): Targets {
    // The list grows while it is walked.
    for (const node of this.#index.referring) {
      const { resource } = this.#index.located.get(node) as { resource: Resource }
      const targets: Partial<Record<ReferenceKeyword, JsonSchema>> = {}
      for (const keyword of REFERENCE_KEYWORDS) {
        const reference = own(node, keyword)
        if (typeof reference !== 'string' || formOf(keyword, resource.draft) === undefined) continue
        targets[keyword] = this.#resolve(node, keyword, reference, resource)
      }
      this.targets.set(node, targets)
    }
    return this.targets
  }

  #resolve(node: SchemaNode, keyword: ReferenceKeyword, reference: string, from: Resource): JsonSchema {
    const hash = reference.indexOf('#')
    const address = hash === -1 ? reference : reference.slice(0, hash)
    const fragment = hash === -1 ? '' : decode(reference.slice(hash + 1))
    const resource = this.#byName.get(reference) ?? (address === '' ? from : this.#find(address, from))
    const found =
      resource === undefined ? undefined : this.#within(this.#byName.has(reference) ? '' : fragment, resource)
    if (found === undefined) throw this.#missing(node, keyword, reference, address !== '' && resource === undefined)
    return this.#dynamic(keyword, fragment, found, resource as Resource)
  }

  #find(address: string, from: Resource): Resource | undefined {
    const named = this.#byName.get(address)
    if (named !== undefined) return named
    const uri = resolveAddress(address, from.uri)
    if (uri === undefined) return undefined
    return this.#index.resources.get(uri) ?? this.#byName.get(uri) ?? this.#known(uri)
  }

  #known(uri: string): Resource | undefined {
    const document = knownDocument(uri)
    if (document === undefined) return undefined
    return this.#index.addDocument(document.schema, document.draft, uri, uri)
  }

  #within(fragment: string, resource: Resource): JsonSchema | undefined {
    if (fragment === '') return resource.root
    if (!fragment.startsWith('/')) return resource.anchors.get(fragment)
    let [value, home, pointer] = [resource.root as unknown, resource, this.#pointerOf(resource)]
    for (const part of fragment.slice(1).split('/')) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
      value = (value as SchemaNode)[name]
      pointer = `${pointer}/${escapeName(name)}`
      home = (isNode(value) ? this.#index.located.get(value)?.resource : undefined) ?? home
    }
    if (!isSchema(value)) return undefined
    if (isNode(value) && !this.#index.located.has(value)) this.#index.addReferredTo(value, pointer, home)
    return value
  }

  #pointerOf(resource: Resource): string {
    return isNode(resource.root) ? (this.#index.located.get(resource.root)?.pointer ?? '') : ''
  }

  /**
   * Dynamic references lead to the outermost schema of that name on the way to them. Every way starts at the root, so
   * where the root has the name it is the root; otherwise the nearest is taken.
   */
  #dynamic(keyword: ReferenceKeyword, fragment: string, found: JsonSchema, resource: Resource): JsonSchema {
    if (keyword === '$dynamicRef' && resource.dynamicAnchors.has(fragment) && this.#root.dynamicAnchors.has(fragment)) {
      return this.#root.anchors.get(fragment) ?? found
    }
    if (keyword !== '$recursiveRef') return found
    return isRecursive(resource.root) && isRecursive(this.#root.root) ? this.#root.root : found
  }

  #missing(node: SchemaNode, keyword: ReferenceKeyword, reference: string, isElsewhere: boolean): SchemaFault {
    const { pointer, resource } = this.#index.located.get(node) as { pointer: string; resource: Resource }
    const name = reference.length > 200 ? `${reference.slice(0, 200)}…` : reference
    const what = isElsewhere
      ? `"${name}" is not among the references of the schema; add it to them under that name`
      : `"${name}" leads nowhere; there is no schema at that place`
    return new SchemaFault('missing_reference', what, {
      pointer: `${pointer}/${keyword}`,
      dependency: resource.dependency
    })
  }
}

function isRecursive(schema: JsonSchema): boolean {
  return isNode(schema) && own(schema, '$recursiveAnchor') === true
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

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
