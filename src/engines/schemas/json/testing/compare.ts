import { Effort } from '../../effort.ts'
import type { Dependency, Difference } from '../../format.ts'
import { differences } from '../differences.ts'
import type { JsonModel } from '../model.ts'
import { parse } from '../parse.ts'

export function modelOf(schema: unknown, dependencies: readonly Dependency[] = []): JsonModel {
  return parse({ text: JSON.stringify(schema), dependencies }, new Effort(100_000)).model
}

export function compare(written: unknown, read: unknown): Difference[] {
  return differences(modelOf(written), modelOf(read), new Effort(100_000))
}

/** Codes and paths, such as `required_added /required/a`. */
export function found(written: unknown, read: unknown): string[] {
  return compare(written, read).map(({ rule, path }) => `${rule.code.slice('json.'.length)} ${path}`)
}
