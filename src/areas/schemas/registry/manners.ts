import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode, Problem } from '../../../errors.ts'
import { basicToken } from '../../../http/basic-token.ts'
import type { ForeignManners } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'

export const REGISTRY_TYPE = 'application/vnd.schemaregistry.v1+json'

/** What the registry calls refusals that have no number of their own yet; others go by their status. */
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

/** As Confluent Schema Registry does things, so that its clients work here unchanged. */
export const REGISTRY: ForeignManners = {
  atRoot: true,
  tokenOf: ({ headers }) => basicToken(headers.authorization ?? ''),
  problemMembers,
  problemType: REGISTRY_TYPE,
  problemSchema: RegistryProblem,
  bodyTypes: [REGISTRY_TYPE, 'application/vnd.schemaregistry+json', 'application/octet-stream'],
  answerType: REGISTRY_TYPE
}

const OURS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors']

function problemMembers(problem: Problem, { headers }: { headers: IncomingHttpHeaders }): Record<string, unknown> {
  const { members = {}, errors, status, detail } = problem
  const [fault] = errors ?? []
  const message = problem.code === 'invalid_request' && fault ? `${fault.pointer} ${fault.message}` : detail
  const told = { error_code: members.error_code ?? NUMBERS[problem.code] ?? status, message }
  return isTheirs(headers) ? { ...leftOut([...OURS, ...Object.keys(members)]), ...told } : told
}

/** Its own clients in Java fail at members that they don't know, and then know none of these two either. */
function isTheirs({ accept, 'content-type': contentType }: IncomingHttpHeaders): boolean {
  return `${accept} ${contentType}`.includes('application/vnd.schemaregistry')
}

const leftOut = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))
