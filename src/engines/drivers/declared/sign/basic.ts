import { SourceError } from '../../errors.ts'
import type { Authentication, Template } from '../entry.ts'
import type { Signer } from '../outgoing.ts'
import { fill, type Scope } from '../template/template.ts'
import { fixedSigner } from './fixed.ts'
import { withHeader } from './request.ts'
import { required } from './values.ts'

type Basic = Extract<Authentication, { kind: 'basic' }>

/** A name and a password. */
export const basicSigner = (basic: Basic, scope: Scope): Signer =>
  fixedSigner((request) => withHeader(request, 'authorization', basicHeader(basic, scope)))

/** Many services take a key as either, and nothing as the other: only one of them has to be there. */
export function basicHeader(
  { user, password }: { readonly user: Template; readonly password: Template },
  scope: Scope
): string {
  const name = fill(user, scope) ?? ''
  const secret = fill(password, scope) ?? ''
  if (name === '' && secret === '') {
    required(password, scope)
    required(user, scope)
    throw new SourceError('wrong_credentials', 'There is neither a name nor a password to sign in with')
  }
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
}
