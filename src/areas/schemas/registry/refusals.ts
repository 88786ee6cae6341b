import { type ErrorCode, Problem } from '../../../errors.ts'

/** A refusal under the number that Confluent's registry has for it, whose first three digits are its status. */
function refusal(code: ErrorCode, number: number, detail: string): Problem {
  return new Problem(code, { detail, members: { error_code: number } })
}

const notFound = (number: number, detail: string) => refusal('not_found', number, detail)
const unprocessable = (number: number, detail: string) => refusal('unprocessable', number, detail)

export const subjectNotFound = (subject: string) => notFound(40401, `There is no subject "${subject}".`)
export const versionNotFound = (version: number | 'latest') => notFound(40402, `There is no version ${version}.`)
export const schemaNotFound = (what = 'such schema under the subject') => notFound(40403, `There is no ${what}.`)
export const subjectDeleted = (subject: string) =>
  notFound(40404, `The subject "${subject}" is deleted already; with permanent=true it is deleted for good.`)
export const subjectNotDeleted = (subject: string) =>
  notFound(40405, `Delete the subject "${subject}" without permanent=true first.`)
export const versionDeleted = (subject: string, version: number) =>
  notFound(
    40406,
    `Version ${version} of the subject "${subject}" is deleted already; with permanent=true it is deleted for good.`
  )
export const versionNotDeleted = (subject: string, version: number) =>
  notFound(40407, `Delete version ${version} of the subject "${subject}" without permanent=true first.`)
export const noOwnCompatibility = (subject: string) =>
  notFound(40408, `The subject "${subject}" has no compatibility of its own; with defaultToGlobal=true the one it has.`)
export const noOwnMode = (subject: string) =>
  notFound(40409, `The subject "${subject}" has no mode of its own; with defaultToGlobal=true the one it has.`)

export const invalidSchema = (detail: string) => unprocessable(42201, detail)
export const invalidVersion = (version: string) =>
  unprocessable(42202, `"${version.slice(0, 100)}" is no version: send a number from 1 to 2147483647, or latest.`)
export const invalidCompatibility = (levels: readonly string[]) =>
  unprocessable(42203, `The compatibility must be one of ${levels.join(', ')}.`)
export const invalidMode = (modes: readonly string[]) =>
  unprocessable(42204, `The mode must be one of ${modes.join(', ')}.`)
export const notPermitted = (detail: string) => unprocessable(42205, detail)
export const otherId = (id: number, known: number) =>
  unprocessable(42207, `This very schema has the id ${known} here, so it can’t have ${id}; import it with that id.`)
export const invalidSubject = (detail: string) => unprocessable(42208, detail)

/** What our own operations call otherwise, or have another status for. */
const TRANSLATED: Partial<Record<ErrorCode, { code: ErrorCode; number?: number }>> = {
  invalid_schema: { code: 'unprocessable', number: 42201 },
  invalid_request: { code: 'unprocessable', number: 42201 },
  schemas_read_only: { code: 'unprocessable', number: 42205 },
  name_taken: { code: 'unprocessable', number: 42205 },
  in_use: { code: 'unprocessable', number: 42206 },
  // With 409 every client would take the schema for incompatible, and not try again.
  schema_busy: { code: 'overloaded' }
}

/** Says a refusal of the area as the registry does. */
export function inItsWords(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const to = TRANSLATED[error.code]
  if (to === undefined) return error
  const { detail, errors, members, headers } = error
  const [fault] = error.code === 'invalid_request' ? (errors ?? []) : []
  return new Problem(to.code, {
    detail: fault === undefined ? detail : `${fault.pointer} ${fault.message}.`,
    members: { ...members, ...(to.number !== undefined && { error_code: to.number }) },
    ...(errors && { errors }),
    ...(headers && { headers }),
    cause: error
  })
}
