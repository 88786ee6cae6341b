import { Closed, Nullable, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { ColumnName, MappingKindOut, NodeId } from '../schema.ts'

const MAX_SQL_CHARS = 200_000
const MAX_TABLES = 1000
const MAX_NAME_CHARS = 1000
/** Of all tables together. */
export const MAX_COLUMNS = 10_000

const Columns = (description: string) =>
  Type.Optional(Type.Array(ColumnName('Name of a column'), { uniqueItems: true, maxItems: MAX_COLUMNS, description }))

const Table = Closed({
  reference: Type.Optional(NodeId('What it is called in the lineage')),
  columns: Columns('All its columns, in their order; those that the lineage knows, if not said')
})

const Named = (description: string) => Type.String({ minLength: 1, maxLength: MAX_NAME_CHARS, description })

const question = {
  sql: Type.String({
    minLength: 1,
    maxLength: MAX_SQL_CHARS,
    description: 'One statement that reads, or that writes one table. It is never run'
  }),
  dialect: Type.Optional(OneOf(['duckdb', 'postgres', 'mysql'], 'Whose SQL it is; duckdb if not said')),
  tables: Type.Optional(
    Type.Unsafe<Readonly<Record<string, Static<typeof Table>>>>({
      type: 'object',
      maxProperties: MAX_TABLES,
      patternProperties: { [`^.{1,${MAX_NAME_CHARS}}$`]: Table },
      additionalProperties: false,
      description: `What the tables are that the statement names, by their names there, such as \`shop.orders\`. At most ${MAX_COLUMNS} columns together`
    })
  ),
  output: Type.Optional(
    Closed(
      {
        reference: NodeId('What it is called in the lineage'),
        columns: Columns(
          'Its columns: in the order of those of the query, or all those of the table that the statement writes'
        )
      },
      { description: 'Where the result goes, of a query; of a statement that writes, the table that it writes' }
    )
  )
}

const Job = Closed(
  { namespace: Named('Where it runs, such as `warehouse`'), name: Named('What it is called there') },
  {
    description:
      'What runs the statement. Tables without a reference are `dataset://<namespace>/<table>`, with this namespace'
  }
)

export const SqlQuestion = Closed({ ...question, job: Type.Optional(Job) }, { $id: 'LineageSqlQuestion' })
export type SqlQuestion = Static<typeof SqlQuestion>

export const SqlRecord = Closed(
  {
    ...question,
    job: Job,
    runId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'What the job calls its run; a new one if not said. Statements of one run add up'
      })
    )
  },
  { $id: 'LineageSqlRecord' }
)
export type SqlRecord = Static<typeof SqlRecord>

const Reference = Nullable(NodeId('What it is called in the lineage; null where that was not said'))

const SqlSource = Type.Object(
  {
    table: Type.String({ description: 'One of `reads`' }),
    column: Type.String({ description: 'Its column' }),
    kind: MappingKindOut
  },
  { $id: 'LineageSqlSource' }
)

export const SqlAnswer = Type.Object(
  {
    reads: Type.Array(
      Type.Object({ table: Type.String({ description: 'As the statement names it' }), reference: Reference }),
      { description: 'The tables that it reads' }
    ),
    writes: Nullable(
      Type.Object(
        {
          table: Nullable(Type.String({ description: 'As the statement names it; null for the output of a query' })),
          reference: Reference
        },
        { description: 'Where the result goes; null where that is not known' }
      )
    ),
    columns: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Its name; `#3` for the third where the name is not known' }),
        from: Type.Array(SqlSource, { description: 'What it comes from' })
      }),
      { description: 'The columns of the result, or those that are written' }
    ),
    rows: Type.Array(SqlSource, { description: 'What decides which rows there are' }),
    notUnderstood: Type.Array(Type.Object({ what: Type.String({ description: 'What it is, for people' }) }), {
      description: 'Where there is any of this, there may be more sources and columns than are named'
    }),
    recorded: Type.Boolean({ description: 'Whether the lineage has it now' }),
    runId: Nullable(Type.String({ description: 'The run that it was recorded for; null where it was not' }))
  },
  { $id: 'LineageSqlAnswer' }
)
export type SqlAnswer = Static<typeof SqlAnswer>
