import { isPattern, type KeyPattern, mayMeet, parsePattern, parseTextPattern } from '../../../data/glob.ts'
import { type DataReference, parseReference } from '../../../data/reference.ts'
import type { Label } from './labels.ts'

/** Labels of one owner that are told apart; of one with more, the strictest counts for all that it has. */
export const MAX_LABELS = 10_000

/** Whether what was labelled is the data, or contains them: its name then tells of nothing that is beside or in them. */
export function covers({ resource }: Pick<Label, 'resource'>, { scheme, owner, path }: DataReference): boolean {
  const labelled = parseReference(resource)
  if ('problem' in labelled) return resource.slice(resource.indexOf(':') + 1) === owner
  if (labelled.scheme !== scheme || labelled.owner !== owner) return false
  if (labelled.path === '' || labelled.path === '**' || labelled.path === path) return true
  if (path === '' || isPattern(path) || !isPattern(labelled.path)) return false
  return patternOf(labelled).matches(path)
}

/** Only keys of objects have folders; elsewhere a slash is a character like others. */
const patternOf = ({ scheme, path }: Pick<DataReference, 'scheme' | 'path'>): KeyPattern =>
  scheme === 'object' ? parsePattern(path) : parseTextPattern(path)

/** The labels of one bucket, source, pipeline or other owner of data, to be asked with every read. */
export class OwnerLabels {
  readonly #all: readonly Label[]
  /** Of the owner as a whole. */
  readonly #whole: Label[] = []
  readonly #exact = new Map<string, Label[]>()
  readonly #patterns: { readonly path: string; readonly pattern: KeyPattern; readonly label: Label }[] = []

  /** They come the strictest first. */
  constructor(labels: readonly Label[]) {
    const [strictest] = labels
    const isTooMany = labels.length > MAX_LABELS && strictest !== undefined
    this.#all = isTooMany ? [{ ...strictest, columns: [] }] : labels
    if (isTooMany) this.#whole.push(...this.#all)
    else for (const label of labels) this.#file(label)
  }

  get size(): number {
    return this.#all.length
  }

  /** The rank of the strictest label; less than any rank where there is none. */
  get strictest(): number {
    return this.#all[0]?.rank ?? -1
  }

  /**
   * The labels of what contains the data, of the data themselves, and of what is a part of them. A path of objects is a pattern
   * as well as a key, unless it `isKey`. Two patterns have something in common unless they begin or end otherwise.
   */
  touching(path: string, isKey: boolean): readonly Label[] {
    if (path === '') return this.#all
    const found = [...this.#whole, ...(this.#exact.get(path) ?? [])]
    const asked = !isKey && isPattern(path) ? parsePattern(path) : undefined
    for (const { path: own, pattern, label } of this.#patterns) {
      if (own !== path && (asked === undefined ? pattern.matches(path) : mayMeet(own, path))) found.push(label)
    }
    if (asked === undefined) return found
    for (const [own, labels] of this.#exact) {
      if (own !== path && !isPattern(own) && asked.matches(own)) found.push(...labels)
    }
    return found
  }

  #file(label: Label): void {
    const reference = parseReference(label.resource)
    if ('problem' in reference || reference.path === '') {
      this.#whole.push(label)
      return
    }
    const { path } = reference
    const known = this.#exact.get(path)
    if (known === undefined) this.#exact.set(path, [label])
    else known.push(label)
    if (!isPattern(path)) return
    this.#patterns.push({ path, pattern: patternOf(reference), label })
  }
}
