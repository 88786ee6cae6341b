import { sqlName, sqlText } from '../../../../data/relation.ts'
import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf } from '../../contract/config-parts.ts'
import { selectType } from '../../contract/node-type.ts'
import type { Column } from '../../duckdb/columns.ts'
import { DETECTORS } from './classify-detectors.ts'
import { columnNamed } from './key-text.ts'

const DEFAULT_INTO = '_classified'

const ClassifyConfig = Config({
  columns: Type.Optional(
    Type.Array(ColumnName('A column'), {
      minItems: 1,
      maxItems: 200,
      description: 'The columns to look at; all with texts unless said'
    })
  ),
  into: Type.Optional(ColumnName(`The column with what was found; ${DEFAULT_INTO} unless said`))
})

export const classify = selectType<ConfigOf<typeof ClassifyConfig>>({
  type: 'classify',
  about: `Adds a list of the kinds of sensitive data in a record: ${DETECTORS.map(({ kind }) => kind).join(', ')}.`,
  config: ClassifyConfig,
  inputs: { min: 1, max: 1 },
  accounting: 'maps',
  columns: ({ columns = [] }) => columns,
  select({ columns, into = DEFAULT_INTO }, [input]) {
    const given = input?.columns ?? []
    const looked = columns?.map((name) => columnNamed(name, given)) ?? given.filter(isText)
    const kept = given.filter(({ name }) => name.toLowerCase() !== into.toLowerCase()).map(({ name }) => sqlName(name))
    return `SELECT ${[...kept, `${kindsIn(looked)} AS ${sqlName(into)}`].join(', ')}${input?.also} FROM ${input?.from}`
  }
})

const isText = ({ type }: Column): boolean => type === 'VARCHAR' || type === 'JSON'

function kindsIn(columns: readonly Column[]): string {
  const texts = columns.map(({ name }) => `${sqlName(name)}::VARCHAR`)
  if (texts.length === 0) return '[]::VARCHAR[]'
  const cases = DETECTORS.map(({ kind, finds }) => {
    const found = texts.map((text) => finds(text)).join(' OR ')
    return `CASE WHEN ${found} THEN ${sqlText(kind)} END`
  })
  return `list_filter([${cases.join(', ')}], lambda kind: kind IS NOT NULL)`
}
