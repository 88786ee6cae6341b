import { parseReference } from '../data/reference.ts'
import type { FieldError } from '../errors.ts'

/** One data reference, or several by the names that SQL has for them. */
interface ReferenceFields {
  readonly reference?: string
  readonly references?: Readonly<Record<string, string>>
}

/** What is wrong with the fields that name data for SQL; `required` says what is missing where neither is there. */
export function referenceFaults(
  { reference, references }: ReferenceFields,
  at: string,
  required?: string
): FieldError[] {
  if (reference !== undefined && references !== undefined) {
    return [{ pointer: `${at}/references`, message: 'says the same as reference: send one of the two' }]
  }
  if (reference === undefined && references === undefined) {
    return required === undefined ? [] : [{ pointer: `${at}/reference`, message: required }]
  }
  const named: [string, string][] =
    reference === undefined
      ? Object.entries(references ?? {}).map(([name, text]) => [`references/${name}`, text])
      : [['reference', reference]]
  return named.flatMap(([field, text]) => {
    const parsed = parseReference(text)
    return 'problem' in parsed ? [{ pointer: `${at}/${field}`, message: parsed.problem }] : []
  })
}
