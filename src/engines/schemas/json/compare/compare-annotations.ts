import { textOf } from '../canonical.ts'
import { escapeName } from '../document-index.ts'
import { formOf } from '../keywords.ts'
import { type Draft, own, type SchemaNode } from '../model.ts'
import { RULES } from '../rules.ts'
import type { Tree } from '../tree.ts'
import type { Findings } from './findings.ts'

const RULE_OF_KEYWORD = new Map([
  ['$id', RULES.id_changed],
  ['id', RULES.id_changed],
  ['title', RULES.title_changed],
  ['description', RULES.description_changed],
  ['default', RULES.default_changed]
])
const OTHERS = new Set(['$comment', 'examples', 'readOnly', 'writeOnly', 'deprecated', '$schema'])
/** They hold what other keywords refer to, and are looked at where something does. */
const HOLDERS = new Set(['$defs', 'definitions', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary'])
const MAX_CHARS = 200

/** What is said of values without asking anything of them, and keywords that nobody knows. */
export function compareAnnotations(written: Tree, read: Tree, out: Findings): void {
  const [before, after] = [written.node, read.node]
  if (before === undefined || after === undefined) return
  const drafts: [Draft, Draft] = [written.home.draftOf(before), read.home.draftOf(after)]
  for (const name of Object.keys(before)) compareOne(name, before, after, drafts, out)
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) compareOne(name, before, after, drafts, out)
  }
}

function compareOne(name: string, before: SchemaNode, after: SchemaNode, drafts: [Draft, Draft], out: Findings): void {
  if (HOLDERS.has(name)) return
  const rule = RULE_OF_KEYWORD.get(name)
  const isAnnotation =
    rule !== undefined || OTHERS.has(name) || drafts.every((draft) => formOf(name, draft) === undefined)
  if (!isAnnotation) return
  const [one, other] = [own(before, name), own(after, name)]
  // It stands at the top only, and says nothing of what is further in.
  if (name === '$schema' && (one === undefined || other === undefined)) return
  if (one === other || (typeof one === typeof other && typeof one !== 'string' && textOf(one) === textOf(other))) return
  out.add(rule ?? RULES.annotation_changed, `/${escapeName(name)}`, cut(one), cut(other))
}

function cut(value: unknown): unknown {
  if (value === undefined) return undefined
  const text = typeof value === 'string' ? value : textOf(value)
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : value
}
