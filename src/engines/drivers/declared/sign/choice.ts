import { SourceError } from '../../errors.ts'
import type { Authentication } from '../entry.ts'
import type { Scope } from '../template/template.ts'

type Choice = Extract<Authentication, { kind: 'choice' }>

/** The authentication that the configuration chooses; itself where there is no choice. */
export function chosen(authentication: Authentication, scope: Scope): Exclude<Authentication, Choice> {
  let found = authentication
  while (found.kind === 'choice') {
    const { setting, options }: Choice = found
    const wanted = scope[setting]
    const next: Authentication | undefined =
      typeof wanted === 'string' && Object.hasOwn(options, wanted) ? options[wanted] : undefined
    if (next === undefined) {
      const message = `It says how to sign in, and must be one of ${Object.keys(options).join(', ')}`
      throw new SourceError('wrong_credentials', message, `/${setting}`)
    }
    found = next
  }
  return found
}
