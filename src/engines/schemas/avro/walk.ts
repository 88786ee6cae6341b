import type { Effort } from '../effort.ts'
import type { Rule } from '../format.ts'
import type { AvroType } from './model.ts'

/** A comparison under way, as those see it who compare one kind of type. */
export interface Walk {
  readonly effort: Effort
  add(rule: Rule, path: string, before?: unknown, after?: unknown): void
  types(written: AvroType, read: AvroType, path: string, depth: number): void
  canRead(written: AvroType, read: AvroType): boolean
}
