import type { EnumType } from './model.ts'
import { isReordered } from './order.ts'
import { enumDefaultChanged } from './rules/enum-default-changed.ts'
import { enumSymbolAdded } from './rules/enum-symbol-added.ts'
import { enumSymbolReadAsDefault } from './rules/enum-symbol-read-as-default.ts'
import { enumSymbolRemoved } from './rules/enum-symbol-removed.ts'
import { enumSymbolsReordered } from './rules/enum-symbols-reordered.ts'
import type { Walk } from './walk.ts'

export function compareEnums(walk: Walk, written: EnumType, read: EnumType, path: string): void {
  walk.effort.spend(written.symbols.length + read.symbols.length)
  const [before, after] = [new Set(written.symbols), new Set(read.symbols)]
  for (const symbol of before) {
    if (after.has(symbol)) continue
    if (read.default === undefined) walk.add(enumSymbolRemoved, `${path}/symbols/${symbol}`, symbol)
    else walk.add(enumSymbolReadAsDefault, `${path}/symbols/${symbol}`, symbol, read.default)
  }
  for (const symbol of after) {
    if (!before.has(symbol)) walk.add(enumSymbolAdded, `${path}/symbols/${symbol}`, undefined, symbol)
  }
  if (isReordered(written.symbols, read.symbols)) walk.add(enumSymbolsReordered, `${path}/symbols`)
  if (written.default !== read.default) walk.add(enumDefaultChanged, `${path}/default`, written.default, read.default)
}
