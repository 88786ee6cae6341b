import type { Loss } from '../../format.ts'
import type { RecordShape } from '../../shape.ts'
import { unique } from './names.ts'
import { isSameShape } from './same-shape.ts'

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

  /** Has a message written after those that are written already. */
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

  /** The message for a record further up. */
  named(fullName: string): string | undefined {
    return this.#known.get(fullName)?.name
  }

  /** The name of a type of another package; what is nearer must not be taken for it. */
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
