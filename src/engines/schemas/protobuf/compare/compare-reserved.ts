import type { EnumModel, MessageModel } from '../model.ts'
import { RULES } from '../rules.ts'
import type { Comparison } from './comparison.ts'

type Reserving = Pick<MessageModel | EnumModel, 'reserved' | 'reservedNames'>

export function compareReserved(comparison: Comparison, path: string, written: Reserving, read: Reserving): void {
  const [before, after] = [listOf(written), listOf(read)]
  if (before.join() !== after.join()) comparison.add(RULES.reserved_changed, path, before, after)
}

function listOf({ reserved, reservedNames }: Reserving): string[] {
  return [...reserved.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)), ...reservedNames]
}
