import type { RuleConfig } from '../rules/schema.ts'
import { type ColumnKind, Columns, kindOf } from './columns.ts'
import type { KnownColumns } from './known-columns.ts'
import type { OneDataset } from './one-dataset.ts'
import { mismatch, Unaskable } from './unaskable.ts'

const WORDS: Readonly<Record<ColumnKind, string | undefined>> = {
  whole: 'numbers',
  float: 'numbers',
  text: 'texts',
  time: 'times',
  boolean: 'truth values',
  other: undefined
}

/**
 * Refuses to look for values among those of another kind: SQL would read one as the other, and fail with the first that can't
 * be, or find none. Types that are nothing of this are left to SQL.
 */
export function requireSameKind({ column = '', to }: RuleConfig, columns: Columns, others: Columns): void {
  const [own, known] = [columns.find(column), others.find(to?.column ?? '')]
  if (to === undefined || own === undefined) return
  if (known === undefined)
    throw new Unaskable('column_missing', 'to/column', others.missing(to.column, ` in ${to.dataset}`))
  const [wanted, found] = [WORDS[kindOf(own.type)], WORDS[kindOf(known.type)]]
  if (wanted === undefined || found === undefined || wanted === found) return
  const advice = 'give both columns one type, or compare them by a rule of the type sql, which can cast one of them'
  throw mismatch(
    own,
    `${known.name} of ${to.dataset} is ${known.type}, and ${wanted} are no ${found}: ${advice}`,
    'to/column'
  )
}

interface Needs {
  readonly data: Pick<OneDataset, 'describe'>
  readonly known: KnownColumns
}

/** Does so with the columns that the other data have now. */
export async function requireSameKindNow(
  { data, known }: Needs,
  dataset: string,
  { config }: { readonly config: RuleConfig },
  columns: Columns
): Promise<void> {
  const other = config.to?.dataset ?? dataset
  if (other === dataset) return requireSameKind(config, columns, columns)
  const described = await data.describe(other)
  if (known.get(other) === undefined) known.set(other, described)
  requireSameKind(config, columns, new Columns(described))
}
