import type { FieldError } from '../../../errors.ts'
import { referenceFaults } from '../../../http/reference-fields.ts'
import type { Variable } from './schema.ts'
import { BUILT_IN, type VariableType } from './words.ts'

const FIELDS: Readonly<
  Record<VariableType, { readonly needs: keyof Variable; readonly has: readonly (keyof Variable)[] }>
> = {
  constant: { needs: 'value', has: ['value'] },
  list: { needs: 'values', has: ['values', 'multiple', 'default'] },
  query: { needs: 'query', has: ['query', 'multiple', 'default'] }
}
const SHARED: readonly (keyof Variable)[] = ['name', 'label', 'type']

export function variableFaults(variables: readonly Variable[]): FieldError[] {
  const faults: FieldError[] = []
  // The SQL that variables are parameters of does not tell upper from lower case.
  const names = new Set<string>()
  for (const [index, variable] of variables.entries()) {
    const at = `/variables/${index}`
    const name = variable.name.toLowerCase()
    if (names.has(name)) {
      faults.push({ pointer: `${at}/name`, message: 'is the name of another variable too, whatever the case' })
    }
    if ((BUILT_IN as readonly string[]).includes(name)) {
      faults.push({ pointer: `${at}/name`, message: `is what panels have by themselves: ${BUILT_IN.join(', ')}` })
    }
    names.add(name)
    faults.push(...fieldFaults(variable, at))
  }
  return faults
}

function fieldFaults(variable: Variable, at: string): FieldError[] {
  const { type, values, query, multiple, default: chosen = [] } = variable
  const { needs, has } = FIELDS[type]
  const faults: FieldError[] = (Object.keys(variable) as (keyof Variable)[])
    .filter((field) => !SHARED.includes(field) && !has.includes(field))
    .map((field) => ({ pointer: `${at}/${field}`, message: `has no meaning for a variable of type ${type}` }))
  if (variable[needs] === undefined) {
    faults.push({ pointer: `${at}/${needs}`, message: `is required for a variable of type ${type}` })
  }
  if (multiple !== true && chosen.length > 1) {
    faults.push({ pointer: `${at}/default`, message: 'has several values: say multiple, or one of them' })
  }
  if (values !== undefined) faults.push(...choiceFaults(values, chosen, at))
  // Unlike that of a panel, the SQL of a variable may read nothing: `SELECT unnest([1, 2])`.
  if (query !== undefined) faults.push(...referenceFaults(query, `${at}/query`))
  return faults
}

function choiceFaults(values: NonNullable<Variable['values']>, chosen: readonly string[], at: string): FieldError[] {
  const known = new Set<string>()
  const faults: FieldError[] = []
  for (const [index, { value }] of values.entries()) {
    if (known.has(value)) faults.push({ pointer: `${at}/values/${index}/value`, message: 'is there already' })
    known.add(value)
  }
  const index = chosen.findIndex((value) => !known.has(value))
  if (index >= 0) faults.push({ pointer: `${at}/default/${index}`, message: 'is none of values' })
  return faults
}
