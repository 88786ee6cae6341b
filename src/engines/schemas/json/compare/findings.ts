import type { Effort } from '../../effort.ts'
import type { Difference, Rule } from '../../format.ts'
import { RULES } from '../rules.ts'

/** Rules about what is said of values beside which are allowed. */
const ANNOTATIONS: ReadonlySet<Rule> = new Set([
  RULES.annotation_changed,
  RULES.default_changed,
  RULES.description_changed,
  RULES.id_changed,
  RULES.title_changed
])

/** So many are repeated wherever a schema is used; beyond that, each is said once. */
const MAX_REPEATED = 200

/** The differences of two schemas, with paths that start at them. Those further in are not copied: many share them. */
export class Findings {
  /** Whether a value that one allows may be refused by the other. */
  breaks = false
  /** Whether it is not, but on a condition. */
  assumes = false
  /** Whether they ask the very same of values. */
  isSame = true
  readonly #found: (Difference | { readonly inner: Findings; readonly path: string })[] = []

  get isEmpty(): boolean {
    return this.#found.length === 0
  }

  add(rule: Rule, path: string, before?: unknown, after?: unknown): void {
    this.#found.push({ rule, path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
    if (rule.breaks) this.breaks = true
    if (rule.assumes !== undefined) this.assumes = true
    if (!ANNOTATIONS.has(rule)) this.isSame = false
  }

  include(inner: Findings, path: string): void {
    if (inner.isEmpty) return
    this.#found.push({ inner, path })
    this.breaks ||= inner.breaks
    this.assumes ||= inner.assumes
    this.isSame &&= inner.isSame
  }

  /** All of them. What schemas share that are used in many places would be endless if it were said for each. */
  list(effort: Effort): Difference[] {
    const found: Difference[] = []
    const seen = new Set<Findings>()
    const visit = (findings: Findings, path: string) => {
      effort.spend()
      if (seen.has(findings) && found.length >= MAX_REPEATED) return
      seen.add(findings)
      for (const each of findings.#found) {
        if ('inner' in each) visit(each.inner, path + each.path)
        else found.push(path === '' ? each : { ...each, path: path + each.path })
      }
    }
    visit(this, '')
    return found
  }
}
