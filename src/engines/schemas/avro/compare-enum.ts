import type { EnumType } from './model.ts'
import { isReordered } from './order.ts'
import { RULES } from './rules.ts'
import type { Walk } from './walk.ts'

export function compareEnums(walk: Walk, written: EnumType, read: EnumType, path: string): void {
  walk.effort.spend(written.symbols.length + read.symbols.length)
  const [before, after] = [new Set(written.symbols), new Set(read.symbols)]
  for (const symbol of before) {
    if (after.has(symbol)) continue
    if (read.default === undefined) walk.add(RULES.enum_symbol_removed, `${path}/symbols/${symbol}`, symbol)
    else walk.add(RULES.enum_symbol_read_as_default, `${path}/symbols/${symbol}`, symbol, read.default)
  }
  for (const symbol of after) {
    if (!before.has(symbol)) walk.add(RULES.enum_symbol_added, `${path}/symbols/${symbol}`, undefined, symbol)
  }
  if (isReordered(written.symbols, read.symbols)) walk.add(RULES.enum_symbols_reordered, `${path}/symbols`)
  if (written.default !== read.default)
    walk.add(RULES.enum_default_changed, `${path}/default`, written.default, read.default)
}
