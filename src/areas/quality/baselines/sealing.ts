import type { Vault } from '../../../engines/vault/index.ts'
import type { KnownBaseline } from '../drift/drift.ts'
import type { Learned } from '../drift/learn.ts'
import type { BaselineRow } from '../migrations.ts'

const contextOf = (id: string) => `quality-baseline:${id}/shape`

/** What was learned, as it is kept. Bounds and categories are values: those of a confidential column are sealed. */
export function keptShape(vault: Vault, id: string, { cells, shape }: Learned, isSecret: boolean) {
  const text = JSON.stringify({ cells, shape } satisfies Learned)
  return { shape: isSecret ? vault.seal(text, contextOf(id)) : text, is_sealed: Number(isSecret) }
}

export function openBaseline(vault: Vault, row: BaselineRow): KnownBaseline {
  const text = row.is_sealed === 1 ? vault.open(row.shape, contextOf(row.id)) : row.shape
  const { cells, shape } = JSON.parse(text) as Learned
  return { id: row.id, column: row.column_name, cells, shape, isOpen: row.is_sealed === 0 }
}
