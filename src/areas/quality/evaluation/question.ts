import type { KnownBaseline } from '../drift/drift.ts'
import type { Definition } from '../rules/definition.ts'
import type { RuleType } from '../words.ts'
import type { Compiled } from './compile.ts'

/** A rule as an evaluation asks it. */
export interface Asked extends Omit<Definition, 'anomalies'> {
  readonly id: string
  readonly type: RuleType
  /** Of `distribution`; undefined while there is none. */
  readonly baseline?: KnownBaseline | undefined
}

/** A rule that SQL can answer. */
export interface Question {
  readonly rule: Asked
  readonly compiled: Compiled
}
