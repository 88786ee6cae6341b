import type { Answer } from './outgoing.ts'
import { messageIn } from './refusals.ts'
import { memberOf } from './template/template.ts'

/** What is told in words, by the status that says the same. */
const MEANINGS: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|ratelimited|throttl|too many requests|complexity budget/i, 429],
  [/scope|permission|forbidden|access.?denied|not.?allowed|restricted_action/i, 403],
  [/auth|token|credential|log.?in|sign.?in|account_inactive/i, 401],
  [/not.?found/i, 404]
]

/**
 * Some services refuse with the status of a success, and say so in the body: `ok` is false, or there are `errors` and no data,
 * as GraphQL has it. Taken for a success, a wrong token would look like a list without records.
 */
export function asMeant(answer: Answer): Answer {
  if (answer.status >= 300 || !isRefusal(answer.body)) return answer
  const said = messageIn(answer.body, []) ?? ''
  const status = MEANINGS.find(([words]) => words.test(said))?.[1] ?? 400
  return { ...answer, status }
}

function isRefusal(body: unknown): boolean {
  if (memberOf(body, ['ok']) === false) return memberOf(body, ['error']) !== undefined
  const errors = memberOf(body, ['errors'])
  if (!Array.isArray(errors) || errors.length === 0) return false
  if (typeof memberOf(errors, ['0', 'message']) !== 'string') return false
  const data = memberOf(body, ['data'])
  return data === undefined || data === null
}
