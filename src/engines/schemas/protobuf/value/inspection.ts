import { type Effort, MAX_DEPTH } from '../../effort.ts'
import { SchemaFault } from '../../fault.ts'
import type { ValueFault } from '../../format.ts'
import type { ProtobufModel } from '../model.ts'

const MAX_FAULTS = 100

/** Collects what is wrong with one value. */
export class Inspection {
  readonly model: ProtobufModel
  readonly faults: ValueFault[] = []
  readonly #effort: Effort
  #depth = 0

  constructor(model: ProtobufModel, effort: Effort) {
    this.model = model
    this.#effort = effort
  }

  add(pointer: string, message: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ pointer, message })
  }

  spend(): void {
    this.#effort.spend()
  }

  nested(work: () => void): void {
    if (++this.#depth > MAX_DEPTH) {
      throw new SchemaFault('too_complex', `The value is nested more than ${MAX_DEPTH} deep; nest it less`)
    }
    work()
    this.#depth--
  }
}

export function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as it can be shown in a sentence. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
