import { Id, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'

const Lines = (description: string) => Type.Integer({ minimum: 0, description })

export const ImportResult = Type.Object(
  {
    id: Id('lim', 'import'),
    importedAt: Timestamp('When it was done'),
    accepted: Lines('Lines that were taken in, also where all they say was known'),
    rejected: Lines('Lines that were not, and one more where the file is not whole'),
    errors: Type.Array(
      Type.Object({
        line: Type.Integer({ minimum: 1, description: 'Number of the line' }),
        message: Type.String({ description: 'What is wrong with it' })
      }),
      { description: 'Of the first 100 lines that were not taken in' }
    )
  },
  { $id: 'LineageImport' }
)
export type ImportResult = Static<typeof ImportResult>
