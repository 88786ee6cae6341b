import { own, type SchemaNode } from '../../model.ts'
import type { PlainSchema } from '../plain.ts'

const NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/
const HOLDERS = new Set(['$defs', 'definitions', 'schemas'])

/** What the first of schemas that hold at once calls itself, or what it is called where it stands. */
export function nameOf([head]: readonly SchemaNode[], plain: PlainSchema): string | undefined {
  if (head === undefined) return undefined
  const title = own(head, 'title')
  if (typeof title === 'string') return tidyName(title)
  const place = plain.placeOf(head)
  if (place === undefined) return undefined
  const steps = place.pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (HOLDERS.has(steps.at(-2) ?? '')) return tidyName(steps.at(-1) ?? '')
  if (place.pointer !== '' || place.dependency === undefined) return undefined
  return tidyName(
    (place.dependency.split(/[/#]/).findLast((part) => part !== '') ?? '').replace(/(?:\.schema)?\.json$/, '')
  )
}

/** As other languages can say it: `order item` becomes `OrderItem`. */
export function tidyName(text: string): string | undefined {
  if (NAME.test(text)) return text
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  if (name === '') return undefined
  return /^[0-9]/.test(name) ? `_${name}` : name
}

/** Hands out each name once: what comes later gets a number. */
export class Names {
  readonly #taken = new Set<string>()
  readonly #names = new Map<string, string>()

  of(key: string, wish: string): string {
    const known = this.#names.get(key)
    if (known !== undefined) return known
    let name = wish
    for (let number = 2; this.#taken.has(name); number++) name = `${wish}${number}`
    this.#taken.add(name)
    this.#names.set(key, name)
    return name
  }
}
