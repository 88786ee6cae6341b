import { Config, type ConfigOf, Expression } from '../../contract/config-parts.ts'
import { selectType } from '../../contract/node-type.ts'
import { enclosed } from '../../duckdb/expression.ts'

const FilterConfig = Config({ where: Expression('A SQL expression; records for which it is true go on') })

export const filter = selectType<ConfigOf<typeof FilterConfig>>({
  type: 'filter',
  about: 'Lets records go on for which a condition holds.',
  config: FilterConfig,
  inputs: { min: 1, max: 1 },
  accounting: 'filters',
  sql: ({ where }) => [{ pointer: '/where', text: where, form: 'row' }],
  select: ({ where }, [input]) => `SELECT input.*${input?.also} FROM ${input?.from} WHERE ${enclosed(where)}`
})
