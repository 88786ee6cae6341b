import type { Loss, RecordShape, Shape } from '../../format.ts'

interface PendingMessage {
  readonly name: string
  readonly record: RecordShape
  readonly path: string
}

const MAX_LOSSES = 1_000

/** A `.proto` text that is being written, message after message. */
export class Draft {
  readonly lost: Loss[] = []
  /** Enums of one name and the same values are one, wherever they are used first. */
  readonly enums = new Map<string, { readonly holder: string; readonly name: string }>()
  readonly #imports = new Set<string>()
  readonly #taken = new Set<string>()
  readonly #messages: string[] = []
  readonly #left: PendingMessage[] = []
  readonly #known = new Map<string, { readonly name: string; readonly record: RecordShape }>()
  readonly #package: string | undefined

  constructor(packageName: string | undefined) {
    this.#package = packageName
  }

  lose(path: string, message: string): void {
    if (this.lost.length < MAX_LOSSES) this.lost.push({ path, message })
  }

  import(path: string): void {
    this.#imports.add(path)
  }

  typeName(wanted: string): string {
    return unique(wanted, this.#taken)
  }

  add(message: string): void {
    this.#messages.push(message)
  }

  /** Puts a record on the list of messages to write after the current one. */
  later(name: string, record: RecordShape, path: string): void {
    this.#left.push({ name, record, path })
  }

  next(): PendingMessage | undefined {
    return this.#left.shift()
  }

  /** The message for a record; one of the same name and content is the same. */
  known(fullName: string, record: RecordShape): string | undefined {
    const known = this.#known.get(fullName)
    return known !== undefined && isSameShape(known.record, record) ? known.name : undefined
  }

  remember(fullName: string, record: RecordShape, name: string): void {
    if (!this.#known.has(fullName)) this.#known.set(fullName, { name, record })
  }

  /** The name of the message for an enclosing record. */
  named(fullName: string): string | undefined {
    return this.#known.get(fullName)?.name
  }

  /**
   * The name of a type of another package, with a leading dot where a part of our own package could be taken for it.
   */
  external(fullName: string): string {
    const first = fullName.slice(0, fullName.indexOf('.'))
    return this.#package?.split('.').includes(first) ? `.${fullName}` : fullName
  }

  text(): string {
    const parts = ['syntax = "proto3";']
    if (this.#package !== undefined) parts.push(`package ${this.#package};`)
    if (this.#imports.size > 0)
      parts.push(
        [...this.#imports]
          .sort()
          .map((path) => `import "${path}";`)
          .join('\n')
      )
    return `${[...parts, ...this.#messages].join('\n\n')}\n`
  }
}

/** The message that is being written. */
export interface Holder {
  readonly draft: Draft
  readonly name: string
  /** Names of fields and of what is declared beside them. */
  readonly names: Set<string>
  /** The names that fields must have in JSON (`wanted`), and those they get without `json_name`. */
  readonly wanted: ReadonlySet<string>
  readonly jsonNames: Set<string>
  readonly lines: string[]
  readonly types: string[]
  readonly path: string
  count: number
}

export interface WrittenType {
  readonly text: string
  readonly options: readonly string[]
  readonly isRepeated: boolean
  readonly isMap: boolean
  readonly isMessage: boolean
}

/** `unit price` → `unit_price`: what may stand for a name in Protobuf. */
export function identifier(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

/** `unit_price` → `UnitPrice`. */
export function pascalCase(text: string): string {
  const name = identifier(text).replace(/(?:^|_+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
  return /^[A-Za-z]/.test(name) ? name : `T${name}`
}

/** `UnitPrice` → `unit_price`. */
export function snakeCase(text: string): string {
  return identifier(text.replace(/([a-z0-9])([A-Z])/g, '$1_$2')).toLowerCase()
}

/** A name that is not taken yet, and takes it. */
export function unique(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  taken.add(free)
  return free
}

export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** The part of a full name that can be a package; undefined where there is none. */
export function packageOf(name: string): string | undefined {
  const end = name.lastIndexOf('.')
  const parts = end === -1 ? [] : name.slice(0, end).split('.')
  return parts.length > 0 && parts.every((part) => /^[A-Za-z_]\w*$/.test(part)) ? parts.join('.') : undefined
}

/** Whether two shapes say the same, one of them perhaps by naming a record where the other spells it out. */
function isSameShape(a: Shape, b: Shape): boolean {
  if (a === b) return true
  const [nameOfA, nameOfB] = [recordName(a), recordName(b)]
  if (a.kind === 'recursion' || b.kind === 'recursion') return nameOfA !== undefined && nameOfA === nameOfB
  if (a.kind === 'list' && b.kind === 'list') return isSameShape(a.items, b.items)
  if (a.kind === 'map' && b.kind === 'map') return isSameShape(a.values, b.values)
  if (a.kind === 'union' && b.kind === 'union') return areSame(a.options, b.options, isSameShape)
  if (a.kind !== 'record' || b.kind !== 'record') return JSON.stringify(a) === JSON.stringify(b)
  if (nameOfA !== nameOfB || a.doc !== b.doc || a.open !== b.open) return false
  return areSame(a.fields, b.fields, ({ shape, ...first }, { shape: other, ...second }) => {
    return JSON.stringify(first) === JSON.stringify(second) && isSameShape(shape, other)
  })
}

function recordName(shape: Shape): string | undefined {
  return shape.kind === 'record' || shape.kind === 'recursion' ? shape.name : undefined
}

function areSame<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => isSame(one, b[index] as T))
}
