import type { Authentication } from '../entry.ts'
import type { Signer } from '../outgoing.ts'
import type { Scope } from '../template/template.ts'
import { fixedSigner } from './fixed.ts'
import { withHeader } from './request.ts'
import { headerText } from './values.ts'

type Bearer = Extract<Authentication, { kind: 'bearer' }>

/** A token that somebody was given and does not end. */
export const bearerSigner = ({ token }: Bearer, scope: Scope): Signer =>
  fixedSigner((request) => withHeader(request, 'authorization', `Bearer ${headerText(token, scope)}`))
