import { type Db, hasRows } from '../../../engines/metadata/index.ts'
import { type Inflow, namesakesOfData, nodeKey, nodesBy } from '../../lineage/index.ts'
import { readHeld, readSources } from './held.ts'
import { readRanks } from './ranks.ts'
import { type Held, inheritedOf, type Ranks, type Step } from './rule.ts'
import type { Effective } from './schema.ts'
import { toSteps } from './view.ts'

interface Found {
  readonly level: string
  readonly source: 'given' | 'inherited'
  readonly path: readonly Step[]
}

/** The levels that count for data: of what people gave it and what it inherits, the strictest. */
export async function effectiveOf(db: Db, reference: string): Promise<Effective> {
  const ranks = await readRanks(db)
  const byColumn = strictestOf(await heldBy(db, reference), ranks)
  const whole = byColumn.get('')
  byColumn.delete('')
  return {
    resource: reference,
    level: whole?.level ?? null,
    source: whole?.source ?? null,
    path: toSteps(whole?.path ?? []),
    columns: [...byColumn].sort(byName).map(([column, own]) => {
      const { level, source, path } = whole !== undefined && isStricter(whole, own, ranks) ? whole : own
      return { column, level, source, path: toSteps(path) }
    }),
    upToDate: !(await hasRows(db.selectFrom('classification_marks')))
  }
}

/** What is no node of the lineage inherits from those that have data in common with it. */
async function heldBy(db: Db, reference: string): Promise<Held> {
  const key = nodeKey(reference)
  const held = (await readHeld(db, [{ key, reference }])).get(key) ?? { reference, given: [], inherited: [] }
  if ((await nodesBy(db, [key])).size > 0) return held
  const inflows = (await namesakesOfData(db, reference)).map(
    (from): Inflow => ({ from, fromColumn: '', to: key, toColumn: '', kind: 'overlaps', job: '' })
  )
  return { ...held, inherited: inheritedOf(reference, inflows, await readSources(db, inflows)) }
}

function strictestOf({ given, inherited }: Held, ranks: Ranks): Map<string, Found> {
  const found = new Map<string, Found>()
  const add = (column: string, one: Found) => {
    const known = found.get(column)
    if (known === undefined || isStricter(one, known, ranks)) found.set(column, one)
  }
  for (const { columns, level } of given) {
    for (const column of columns.length === 0 ? [''] : columns) add(column, { level, source: 'given', path: [] })
  }
  for (const { column, level, path, isShown } of inherited) {
    if (isShown) add(column, { level, source: 'inherited', path })
  }
  return found
}

const isStricter = (a: Found, b: Found, ranks: Ranks): boolean =>
  (ranks.get(a.level) ?? -1) > (ranks.get(b.level) ?? -1)

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
