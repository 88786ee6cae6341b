import type { EnumModel, EnumValueModel } from '../model.ts'
import { RULES } from '../rules.ts'
import { compareReserved } from './compare-reserved.ts'
import { type Comparison, pathOf } from './comparison.ts'

export function compareEnum(comparison: Comparison, written: EnumModel, read: EnumModel): void {
  const path = pathOf(written, read)
  const [before, after] = [byNumber(written), byNumber(read)]
  if (written.isOpen !== read.isOpen) comparison.add(read.isOpen ? RULES.enum_opened : RULES.enum_closed, path)
  for (const [number, values] of before) {
    comparison.effort.spend()
    const at = `${path}/${number}`
    const same = after.get(number)
    const names = namesOf(values)
    if (same === undefined) comparison.add(RULES.enum_value_removed, at, names)
    else if (names !== namesOf(same)) comparison.add(RULES.enum_value_renamed, at, names, namesOf(same))
    else values.forEach((value, index) => void comparison.compareOptions(at, value.options, same[index]?.options ?? []))
  }
  for (const [number, values] of after) {
    if (!before.has(number)) comparison.add(RULES.enum_value_added, `${path}/${number}`, undefined, namesOf(values))
  }
  compareReserved(comparison, path, written, read)
  comparison.compareOptions(path, written.options, read.options)
}

/** Several with aliases. */
function byNumber({ values }: EnumModel): ReadonlyMap<number, EnumValueModel[]> {
  const found = new Map<number, EnumValueModel[]>()
  for (const value of values) {
    const same = found.get(value.number)
    if (same === undefined) found.set(value.number, [value])
    else same.push(value)
  }
  return found
}

function namesOf(values: readonly EnumValueModel[]): string {
  return values.map(({ name }) => name).join(' = ')
}
