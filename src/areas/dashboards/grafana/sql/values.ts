/** What SQL has to know of a variable. */
export interface SqlVariable {
  readonly type: 'constant' | 'list' | 'query'
  readonly multiple: boolean
  /** Every value it can have, where that is known. */
  readonly values: readonly string[] | undefined
}

export type SqlVariables = ReadonlyMap<string, SqlVariable>

/** What can't be translated, and why. */
export class Untranslatable extends Error {}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)

export const isNumeric = ({ values }: SqlVariable): boolean => values?.every(isNumber) ?? false

export function requireVariable(variables: SqlVariables, name: string): SqlVariable {
  const variable = variables.get(name)
  if (variable === undefined) throw new Untranslatable(`it uses $${name}, which is no variable that could be taken`)
  return variable
}

/** The value of a constant, for where SQL needs a word of its own and no parameter can stand. */
export function constantWord(variables: SqlVariables, name: string): string {
  const { type, values } = requireVariable(variables, name)
  const [value] = values ?? []
  if (type === 'constant' && value !== undefined && /^[A-Za-z_]\w*$/.test(value)) return value
  throw new Untranslatable(`$${name} stands for a part of the SQL itself, and variables here are values only`)
}
