import type { IncomingHttpHeaders } from 'node:http'
import { type ErrorCode, Problem } from '../../../errors.ts'
import { basicToken } from '../../../http/basic-token.ts'
import type { ForeignManners } from '../../../http/foreign-manners.ts'
import { StreamAnswer } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'

export const REGISTRY_TYPE = 'application/vnd.schemaregistry.v1+json'

/** The `error_code` of refusals that carry none. Codes that are not listed get their status as the number. */
const NUMBERS: Partial<Record<ErrorCode, number>> = {
  schema_incompatible: 409,
  schema_reference_missing: 42201,
  schema_too_complex: 42201,
  schema_too_large: 42209,
  internal_error: 50001,
  dependency_unavailable: 50001,
  disk_full: 50001,
  disk_unwritable: 50001,
  overloaded: 50003,
  shutting_down: 50003
}

const RegistryProblem = Type.Object(
  {
    error_code: Type.Integer({ description: 'The number that Confluent’s registry has for it' }),
    message: Type.String({ description: 'What is wrong and what to do about it' })
  },
  {
    $id: 'RegistryProblem',
    description:
      'A refusal as clients of Confluent Schema Registry read it. Whoever does not name `application/vnd.schemaregistry+json` in `Accept` or `Content-Type` finds the members of `Problem` too.',
    examples: [{ error_code: 40401, message: 'There is no subject "orders-value".' }]
  }
)

/** How requests and answers differ from our own API, so that clients of Confluent Schema Registry work unchanged. */
export const REGISTRY: ForeignManners = {
  atRoot: true,
  tokenOf: ({ headers }) => basicToken(headers.authorization ?? ''),
  problemMembers,
  problemType: REGISTRY_TYPE,
  problemSchema: RegistryProblem,
  bodyTypes: [REGISTRY_TYPE, 'application/vnd.schemaregistry+json', 'application/octet-stream'],
  answerType: REGISTRY_TYPE
}

const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors']

function problemMembers(problem: Problem, { headers }: { headers: IncomingHttpHeaders }): Record<string, unknown> {
  const { members = {}, errors, status, detail } = problem
  const [fault] = errors ?? []
  const message = problem.code === 'invalid_request' && fault ? sentenceOf(fault) : detail
  const told = { error_code: members.error_code ?? NUMBERS[problem.code] ?? status, message }
  return isRegistryClient(headers)
    ? { ...withoutMembers([...PROBLEM_MEMBERS, ...Object.keys(members)]), ...told }
    : told
}

/** What is wrong with one field, or with the body as a whole, which has no pointer. */
function sentenceOf({ pointer, message }: { readonly pointer: string; readonly message: string }): string {
  return `${pointer || 'The body'} ${message}`
}

/** Confluent's Java clients fail at members they don't know, so they get `error_code` and `message` alone. */
function isRegistryClient({ accept, 'content-type': contentType }: IncomingHttpHeaders): boolean {
  return `${accept} ${contentType}`.includes('application/vnd.schemaregistry')
}

const withoutMembers = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

/** An answer with the text of a schema. It has the media type of the registry even where the text is not JSON. */
export function rawAnswer(text: string): StreamAnswer {
  return new StreamAnswer(REGISTRY_TYPE, once(text))
}

async function* once(text: string): AsyncIterable<string> {
  yield text
}

/** A refusal with the `error_code` of Confluent's registry. Its first three digits are the status. */
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

/** Refusals of our own operations that the registry answers with another code, status or number. */
const TRANSLATED: Partial<Record<ErrorCode, { code: ErrorCode; number?: number }>> = {
  invalid_schema: { code: 'unprocessable', number: 42201 },
  invalid_request: { code: 'unprocessable', number: 42201 },
  schemas_read_only: { code: 'unprocessable', number: 42205 },
  name_taken: { code: 'unprocessable', number: 42205 },
  in_use: { code: 'unprocessable', number: 42206 },
  // With 409 every client would take the schema for incompatible, and not try again.
  schema_busy: { code: 'overloaded' }
}

/** Turns a refusal of our own operations into the one that Confluent's registry answers with. */
export function toRegistryRefusal(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const to = TRANSLATED[error.code]
  if (to === undefined) return error
  const { detail, errors, members, headers } = error
  const [fault] = error.code === 'invalid_request' ? (errors ?? []) : []
  return new Problem(to.code, {
    detail: fault === undefined ? detail : `${sentenceOf(fault)}.`,
    members: { ...members, ...(to.number !== undefined && { error_code: to.number }) },
    ...(errors && { errors }),
    ...(headers && { headers }),
    cause: error
  })
}
