import type { Effort } from '../effort.ts'
import type { Difference } from '../format.ts'
import { Comparison } from './compare/comparison.ts'
import type { JsonModel } from './model.ts'
import { Trees } from './translate.ts'

export function differences(written: JsonModel, read: JsonModel, effort: Effort): Difference[] {
  const ids = { next: 0 }
  const [before, after] = [new Trees(written, effort, ids), new Trees(read, effort, ids)]
  return new Comparison(effort).of(before.of(written.document), after.of(read.document)).list(effort)
}
