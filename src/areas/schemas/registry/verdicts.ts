import type { Verdict, Violation } from '../compatibility.ts'
import { Problem } from '../errors.ts'

const MAX_MESSAGES = 100

/** What is in the way, in the form in which Confluent's registry tells it. */
export function messagesOf({ compatible, mode, violations }: Verdict): string[] {
  if (compatible) return []
  const more = violations.length - MAX_MESSAGES
  return [
    ...violations.slice(0, MAX_MESSAGES).map(told),
    ...(more > 0 ? [`{more: ${more}}`] : []),
    `{compatibility: '${mode}'}`
  ]
}

const told = ({ rule, message, path, version, direction }: Violation) =>
  `{errorType:'${rule}', description:'${message}', additionalInfo:'${path}', direction:'${direction}', oldSchemaVersion: ${version}}`

export function incompatible(subject: string, verdict: Verdict): Problem {
  const { mode, checkedAgainst, violations } = verdict
  return new Problem('schema_incompatible', {
    detail: `The schema is incompatible with an earlier schema for subject "${subject}", details: [${messagesOf(verdict).join(', ')}]`,
    members: { mode, checkedAgainst, violations: violations.slice(0, MAX_MESSAGES) }
  })
}
