import { sqlName } from '../../../../data/relation.ts'
import { Config, type ConfigOf, Expression } from '../../contract/config-parts.ts'
import { selectType } from '../../contract/node-type.ts'

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
    const names = tablesOf(inputs.map(({ id }) => id))
    // The name beyond those of the inputs is another one for the only one.
    const tables = names.map((name, i) => `${sqlName(name)} AS (SELECT * FROM ${(inputs[i] ?? inputs[0])?.from})`)
    return `WITH ${tables.join(', ')} SELECT * FROM (\n${query}\n)`
  }
})

/** What a statement calls its inputs. */
export function tablesOf(inputs: readonly string[]): readonly string[] {
  return inputs.length === 1 && inputs[0] !== 'input' ? [...inputs, 'input'] : inputs
}
