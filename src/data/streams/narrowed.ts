import type { ColumnType, OpenSource, StreamColumn, StreamRead } from '../../engines/drivers/index.ts'
import type { Wish } from '../wish.ts'

type Narrows = NonNullable<OpenSource['narrows']>
type Asked = Parameters<Narrows>

/**
 * A wish in the words of a source: names of columns as it has them, the conditions that it can be trusted with, and a limit where what
 * it gives is exactly what they hold for.
 */
export function narrowed(
  columns: readonly StreamColumn[],
  { names, where, limit }: Wish,
  narrows: (condition: Asked[0], type: Asked[1]) => ReturnType<Narrows>
): Pick<StreamRead, 'columns' | 'where' | 'limit'> {
  const known = new Map<string, readonly [name: string, type: ColumnType]>(
    columns.map(({ name, type }) => [name.toLowerCase(), [name, type]])
  )
  let isExact = true
  const conditions = where.flatMap((condition) => {
    const [column, type] = known.get(condition.column.toLowerCase()) ?? []
    const taken = column && type && narrows({ ...condition, column }, type)
    if (taken !== 'exactly') isExact = false
    return taken ? [{ ...condition, column }] : []
  })
  const wanted = new Set(names ?? [])
  const some = columns.filter(({ name }) => wanted.has(name.toLowerCase())).map(({ name }) => name)
  // Records that nobody wants a column of are still counted.
  const list = some.length === 0 ? columns.slice(0, 1).map(({ name }) => name) : some
  return {
    ...(names !== null && known.size === columns.length && { columns: list }),
    ...(conditions.length > 0 && { where: conditions }),
    ...(limit !== null && isExact && { limit })
  }
}
