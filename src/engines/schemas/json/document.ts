import { type Effort, SchemaFault } from '../fault.ts'
import { draftOf, type Form, formOf, ignoresBesideRef, isAtLeast } from './drafts.ts'
import { type Draft, isNode, isPattern, type JsonSchema, own, REFERENCE_KEYWORDS, type SchemaNode } from './model.ts'

/** A schema with an address of its own, and what it calls its parts. */
export interface Resource {
  readonly uri: string
  readonly root: JsonSchema
  readonly draft: Draft
  readonly dependency: string | undefined
  readonly anchors: Map<string, SchemaNode>
  readonly dynamicAnchors: Set<string>
}

interface Located {
  readonly pointer: string
  readonly resource: Resource
}

/** Relative addresses are relative to this where a schema has no address. */
const NOWHERE = 'schema://local/'

export function resolveAddress(address: string, base: string): string | undefined {
  return URL.parse(address, base)?.href.replace(/#.*$/, '')
}

/** All schemas within documents: where they stand, what they are called, whether their keywords are right. */
export class DocumentIndex {
  readonly located = new Map<SchemaNode, Located>()
  readonly resources = new Map<string, Resource>()
  /** Those with a reference, in the order in which they stand. */
  readonly referring: SchemaNode[] = []
  readonly #effort: Effort

  constructor(effort: Effort) {
    this.#effort = effort
  }

  addDocument(root: unknown, draft: Draft, dependency: string | undefined, name = ''): Resource {
    const fault = faultOfSchema(root, draft)
    if (fault !== undefined) throw new SchemaFault('invalid', `The schema ${fault}`, { pointer: '', dependency })
    const uri = resolveAddress(name, NOWHERE) ?? NOWHERE
    const resource = makeResource(uri, root as JsonSchema, draft, dependency)
    this.resources.set(uri, resource)
    if (isNode(root)) this.#addRoot(root, resource)
    return resource
  }

  #addRoot(root: SchemaNode, outer: Resource): void {
    const resource = this.#resourceOf(root, '', outer)
    this.#add(root, '', resource === outer ? outer : resource)
  }

  /** A schema that is one because something refers to it, such as one below a keyword that nobody knows. */
  addReferredTo(node: SchemaNode, pointer: string, resource: Resource): void {
    this.#add(node, pointer, this.#resourceOf(node, pointer, resource))
  }

  #add(node: SchemaNode, pointer: string, resource: Resource): void {
    this.#effort.spend()
    if (this.located.has(node)) return
    this.located.set(node, { pointer, resource })
    const hasOnlyRef = ignoresBesideRef(resource.draft) && typeof own(node, '$ref') === 'string'
    if (REFERENCE_KEYWORDS.some((keyword) => formOf(keyword, resource.draft) && Object.hasOwn(node, keyword))) {
      this.referring.push(node)
    }
    if (!hasOnlyRef) addAnchors(node, resource)
    if (resource.draft === 'draft-04') refuseLoneFlags(node, pointer, resource)
    for (const name of Object.keys(node)) {
      const form = formOf(name, resource.draft)
      if (form !== undefined) this.#addKeyword(name, form, node[name], `${pointer}/${escapeName(name)}`, resource)
    }
  }

  #addKeyword(name: string, form: Form, value: unknown, pointer: string, resource: Resource): void {
    const { draft, dependency } = resource
    const fault = faultOfKeyword(form, value, draft)
    if (fault !== undefined) throw new SchemaFault('invalid', `"${name}" ${fault}`, { pointer, dependency })
    if (form === 'schema') this.#addBelow(value, name, pointer, resource)
    else if (form === 'list' || (form === 'schema-or-list' && Array.isArray(value))) {
      for (const [i, each] of (value as unknown[]).entries()) this.#addBelow(each, name, `${pointer}/${i}`, resource)
    } else if (form === 'schema-or-list') this.#addBelow(value, name, pointer, resource)
    else if (form === 'map' || form === 'map-of-schemas-or-names') {
      for (const [key, each] of Object.entries(value as SchemaNode)) {
        const inner = `${pointer}/${escapeName(key)}`
        if (name === 'patternProperties' && !isPattern(key)) {
          throw new SchemaFault('invalid', `"${key.slice(0, 100)}" is not a regular expression`, {
            pointer: inner,
            dependency
          })
        }
        if (form === 'map' || !isNames(each)) this.#addBelow(each, key, inner, resource)
      }
    }
  }

  #addBelow(value: unknown, name: string, pointer: string, resource: Resource): void {
    const fault = faultOfSchema(value, resource.draft)
    if (fault !== undefined) {
      throw new SchemaFault('invalid', `"${name.slice(0, 100)}" ${fault}`, { pointer, dependency: resource.dependency })
    }
    if (isNode(value)) this.#add(value, pointer, this.#resourceOf(value, pointer, resource))
  }

  /** The resource a node is in: its own where it has an address. */
  #resourceOf(node: SchemaNode, pointer: string, outer: Resource): Resource {
    if (ignoresBesideRef(outer.draft) && typeof own(node, '$ref') === 'string') return outer
    const id = own(node, outer.draft === 'draft-04' ? 'id' : '$id')
    if (typeof id !== 'string' || id === '' || id.startsWith('#')) return outer
    const uri = resolveAddress(id, outer.uri)
    if (uri === undefined) {
      const message = `"${id.slice(0, 100)}" is not an address; write one such as https://example.com/order.json`
      throw new SchemaFault('invalid', message, { pointer: `${pointer}/$id`, dependency: outer.dependency })
    }
    const draft = pointer === '' ? outer.draft : (draftOf(node, pointer, outer.dependency) ?? outer.draft)
    const resource = makeResource(uri, node, draft, outer.dependency)
    if (pointer !== '' && this.resources.has(uri)) {
      const message = `Two schemas have the address "${id.slice(0, 100)}"; give each its own`
      throw new SchemaFault('invalid', message, { pointer: `${pointer}/$id`, dependency: outer.dependency })
    }
    if (!this.resources.has(uri)) this.resources.set(uri, resource)
    if (pointer === '') this.resources.set(outer.uri, resource)
    return resource
  }
}

function makeResource(uri: string, root: JsonSchema, draft: Draft, dependency: string | undefined): Resource {
  return { uri, root, draft, dependency, anchors: new Map(), dynamicAnchors: new Set() }
}

function addAnchors(node: SchemaNode, resource: Resource): void {
  const id = own(node, resource.draft === 'draft-04' ? 'id' : '$id')
  const names = [typeof id === 'string' && id.startsWith('#') ? id.slice(1) : '']
  if (isAtLeast(resource.draft, '2019-09')) names.push(text(own(node, '$anchor')))
  if (resource.draft === '2020-12') {
    const name = text(own(node, '$dynamicAnchor'))
    names.push(name)
    if (name !== '') resource.dynamicAnchors.add(name)
  }
  for (const name of names) if (name !== '' && !resource.anchors.has(name)) resource.anchors.set(name, node)
}

/** Draft 04 says by a flag beside a bound that the bound is exclusive. */
function refuseLoneFlags(node: SchemaNode, pointer: string, { dependency }: Resource): void {
  for (const bound of ['minimum', 'maximum']) {
    const flag = `exclusive${bound === 'minimum' ? 'Minimum' : 'Maximum'}`
    if (!Object.hasOwn(node, flag) || Object.hasOwn(node, bound)) continue
    throw new SchemaFault('invalid', `"${flag}" needs "${bound}" beside it`, {
      pointer: `${pointer}/${flag}`,
      dependency
    })
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A name as it stands in a JSON pointer. */
export function escapeName(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** What a value has to be, where it is not; undefined where all is well. Schemas within are checked on their own. */
function faultOfKeyword(form: Form, value: unknown, draft: Draft): string | undefined {
  return CHECKS[form](value, draft)
}

type Check = (value: unknown, draft: Draft) => string | undefined

const CHECKS: Record<Form, Check> = {
  any: () => undefined,
  text: (value) => (typeof value === 'string' ? undefined : 'has to be a text'),
  flag: (value) => (typeof value === 'boolean' ? undefined : 'has to be true or false'),
  flags: (value) => (isNode(value) ? undefined : 'has to be an object'),
  number: (value) => (typeof value === 'number' ? undefined : 'has to be a number'),
  positive: (value) => (typeof value === 'number' && value > 0 ? undefined : 'has to be a number above 0'),
  count: (value) => (Number.isInteger(value) && (value as number) >= 0 ? undefined : 'has to be a whole number from 0'),
  names: (value) => (isNames(value) ? undefined : 'has to be a list of texts, each once'),
  'map-of-names': (value) =>
    isNode(value) && Object.values(value).every(isNames) ? undefined : 'has to be an object of lists of texts',
  values: (value) => (Array.isArray(value) ? undefined : 'has to be a list'),
  type: (value) => {
    const all = Array.isArray(value) ? value : [value]
    const isRight = all.length > 0 && all.every((each) => TYPES.includes(each)) && new Set(all).size === all.length
    return isRight ? undefined : `has to be one of ${TYPES.join(', ')}, or a list of them, each once`
  },
  pattern: (value) => {
    if (typeof value !== 'string') return 'has to be a text'
    return isPattern(value) ? undefined : 'is not a regular expression'
  },
  anchor: (value) =>
    typeof value === 'string' && /^[A-Za-z_][-\w.:]*$/.test(value)
      ? undefined
      : 'has to be a name of letters and digits',
  schema: (value, draft) => faultOfSchema(value, draft),
  'schema-or-list': (value, draft) => (Array.isArray(value) ? undefined : faultOfSchema(value, draft)),
  list: (value) => (Array.isArray(value) && value.length > 0 ? undefined : 'has to be a list of one schema or more'),
  map: (value) => (isNode(value) ? undefined : 'has to be an object of schemas'),
  'map-of-schemas-or-names': (value) => (isNode(value) ? undefined : 'has to be an object')
}

/** What a schema has to be. Draft 04 knows true and false in few places only; nobody minds them elsewhere. */
function faultOfSchema(value: unknown, draft: Draft): string | undefined {
  if (isNode(value) || typeof value === 'boolean') return undefined
  return draft === 'draft-04'
    ? 'has to be a schema, which is an object'
    : 'has to be a schema: an object, true or false'
}

function isNames(value: unknown): value is string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return false
  return new Set(value).size === value.length
}
