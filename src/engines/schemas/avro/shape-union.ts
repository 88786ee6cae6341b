import type { Shape } from '../shape.ts'
import { canonicalText } from './canonical.ts'
import type { FromShape, Position } from './from-shape.ts'
import { type AvroType, type BranchType, branchName, isNamed, shortName } from './model.ts'
import { plainType } from './shape-leaves.ts'

/** A union has no unions in it, and one type of each kind unless they have names. */
export function unionFor(conversion: FromShape, options: readonly Shape[], at: Position): AvroType {
  const branches = new Map<string, BranchType>()
  for (const option of flattened(options)) {
    const type = conversion.type(option, { ...at, path: `${at.path}/${tokenOf(option)}`, depth: at.depth + 1 })
    const made = type.kind === 'union' ? type.branches : [type]
    for (const branch of made) {
      const known = branches.get(branchName(branch))
      if (known === undefined) branches.set(branchName(branch), branch)
      else if (!isNamed(branch) && canonicalText(known) !== canonicalText(branch)) {
        conversion.lose(
          at.path,
          `A union of Avro has one ${branch.kind} only; another that the schema allows has no place.`
        )
      }
    }
  }
  const [only, ...others] = branches.values()
  if (only === undefined) {
    conversion.lose(at.path, 'A union of no types became null.')
    return plainType('null')
  }
  return others.length === 0 ? only : { kind: 'union', branches: [only, ...others] }
}

function flattened(options: readonly Shape[]): Shape[] {
  return options.flatMap((option) => (option.kind === 'union' ? flattened(option.options) : [option]))
}

function tokenOf(shape: Shape): string {
  return 'name' in shape && shape.name !== undefined ? shortName(shape.name) : shape.kind
}
