import { sqlName } from '../../../data/relation.ts'
import { Config, type ConfigOf, Expression } from './config-parts.ts'
import { selectType } from './node-type.ts'

const SqlConfig = Config({
  query: Expression('A SELECT over the batch: inputs are tables named by their node, and `input` where there is one')
})

export const sql = selectType<ConfigOf<typeof SqlConfig>>({
  type: 'sql',
  about: 'Makes records of each batch by a SELECT; what it sees is the batch, not all records.',
  config: SqlConfig,
  inputs: { min: 1, max: 8 },
  accounting: 'reshapes',
  sql: ({ query }) => [{ pointer: '/query', text: query, form: 'statement' }],
  select({ query }, inputs) {
    const named = inputs.map(({ id, from }) => [id, from] as const)
    const [only] = inputs
    if (inputs.length === 1 && only !== undefined && only.id !== 'input') named.push(['input', only.from])
    const tables = named.map(([name, from]) => `${sqlName(name)} AS (SELECT * FROM ${from})`).join(', ')
    return `WITH ${tables} SELECT * FROM (\n${query}\n)`
  }
})
